/**
 * Returns the step of a scale from 0 to `max` in at most `intervals` steps: 1, 2 or 5 times a power of ten.
 * If there is no positive `max`, the scale goes up to `intervals`.
 */
export function roundStep(max: number, intervals: number): number {
  if (!(max > 0) || !Number.isFinite(max)) return 1;
  const least = max / intervals;
  const power = 10 ** Math.floor(Math.log10(least));
  // The factor allows for the rounding of the division: 0.3 / 3 must give a step of 0.1, not 0.2.
  const lead = (least / power) * (1 - 1e-9);
  if (lead <= 1) return power;
  if (lead <= 2) return 2 * power;
  return lead <= 5 ? 5 * power : 10 * power;
}

/** Returns the number of steps from 0 to the first value that is not below `max`; at least 1. */
export function stepsTo(max: number, step: number): number {
  if (!(max > 0) || !Number.isFinite(max)) return 1;
  return Math.max(1, Math.ceil((max / step) * (1 - 1e-9)));
}

/** Returns how many decimals the multiples of `step` need, 0 to 6. */
export function decimalsOf(step: number): number {
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

/** Returns a value as text with about three figures, or a dash for NaN. */
export function formatValue(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}
