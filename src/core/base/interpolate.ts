/**
 * What each of some samples counts for in the value at another moment, so that the sum lies on the polynomial
 * through them (Lagrange's): of two samples a straight line, of six a curve that follows a swing of the arm.
 * @param times of the samples, all different, in any unit.
 * @param out gets as many weights as there are samples; their sum is 1.
 */
export function interpolationWeights(
  times: Float64Array,
  count: number,
  at: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    let weight = 1;
    for (let k = 0; k < count; k++) if (k !== i) weight *= (at - times[k]) / (times[i] - times[k]);
    out[i] = weight;
  }
}
