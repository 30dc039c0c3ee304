/**
 * The weights of samples in the value at another moment: the Lagrange basis polynomials at that moment. The weighted
 * sum of the samples lies on the polynomial through them: for two samples a straight line, for six a curve that
 * follows a swing of the arm.
 * @param times the times of the samples, all different, in any unit.
 * @param count how many samples there are, from `times[0]` on.
 * @param at the moment, in the same unit; it may lie outside the times.
 * @param out gets `count` weights, whose sum is 1.
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
