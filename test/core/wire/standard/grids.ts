/** The grids and the free flight of STANDARD.md, for the decoder that is written from that page alone. */

/** Three positions, the largest component and the three others, linear and angular velocity. */
export type State = readonly number[];
/** x, y, z, w. */
export type Rotation = readonly number[];

export const LOW: State = [-262143, -8192, -262143, 0, ...many(3, -16383), ...many(6, -65535)];
export const HIGH: State = [262143, 253951, 262143, 3, ...many(3, 16383), ...many(6, 65535)];

/** The steps of 1 in a component of a rotation. */
const R = Math.SQRT2 * 16303;

function many(count: number, value: number): number[] {
  return Array.from({ length: count }, () => value);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The indices of the components that are not left out. */
function others(largest: number): number[] {
  return [0, 1, 2, 3].filter((i) => i !== largest);
}

/** Step 2 of quantising a rotation, without the check. */
export function componentsFor(rotation: Rotation, largest: number): number[] {
  const scale = rotation[largest] < 0 ? -R : R;
  return others(largest).map((i) => clamp(Math.round(rotation[i] * scale), -16383, 16383));
}

/** @param numbers the largest component and the three others. */
export function dequantiseRotation([largest, ...three]: readonly number[]): Rotation {
  const values = three.map((n) => n / R);
  const sum = values.reduce((so, value) => so + value * value, 0);
  const rotation = [0, 0, 0, 0];
  others(largest).forEach((i, at) => (rotation[i] = values[at]));
  rotation[largest] = Math.sqrt(Math.max(0, 1 - sum));
  return sum > 1 ? rotation.map((value) => value * (1 / Math.sqrt(sum))) : rotation;
}

/** The largest component and the three others. */
export function quantiseRotation(rotation: Rotation, last: number, step = 1): number[] {
  let most = 3;
  for (const i of [0, 1, 2]) if (Math.abs(rotation[i]) > Math.abs(rotation[most])) most = i;
  const whole = (largest: number): number[] =>
    componentsFor(rotation, largest).map((n) => inSteps(n, step, 4) * step);
  const three = whole(last);
  const rest = Math.sqrt(Math.max(0, R * R - three.reduce((sum, n) => sum + n * n, 0)));
  if (three.every((n) => Math.abs(n) <= rest + 80)) return [last, ...three];
  return [most, ...whole(most)];
}

/** @param a half of the turn. */
export function turned(rotation: Rotation, a: readonly number[]): Rotation {
  return unit(turnedLong(rotation, a));
}

/** The same, not normalised. */
export function turnedLong([x, y, z, w]: Rotation, a: readonly number[]): Rotation {
  return [
    x + a[0] * w + a[1] * z - a[2] * y,
    y - a[0] * z + a[1] * w + a[2] * x,
    z + a[0] * y - a[1] * x + a[2] * w,
    w - a[0] * x - a[1] * y - a[2] * z,
  ];
}

export function unit(raw: Rotation): Rotation {
  const root = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0));
  return raw.map((value) => value / root);
}

/** The grid of three velocities. */
export function gridOf(velocities: readonly number[]): number {
  const most = Math.max(...velocities.map(Math.abs));
  return [128, 512, 2048].filter((speed) => most > speed).length;
}

/** The steps of position, linear velocity, rotation, angular velocity by their grid. */
export const STEPS = {
  position: [1, 2, 4, 8],
  linear: [1, 4, 8, 16],
  rotation: [1, 8, 16, 32],
  angular: [1, 8, 16, 32],
};

/** The step of each number of a state. */
export function stepsOf(state: State): number[] {
  const linear = gridOf(state.slice(7, 10));
  const angular = gridOf(state.slice(10));
  return [
    ...many(3, STEPS.position[linear]),
    1,
    ...many(3, STEPS.rotation[angular]),
    ...many(3, STEPS.linear[linear]),
    ...many(3, STEPS.angular[angular]),
  ];
}

export function isOnItsGrid(state: State): boolean {
  const steps = stepsOf(state);
  return state.every((n, i) => n % steps[i] === 0);
}

/** A number in steps: rounded, and limited to the multiples in its range. */
export function inSteps(value: number, step: number, at: number): number {
  return clamp(Math.floor(value / step + 0.5), Math.ceil(LOW[at] / step), Math.floor(HIGH[at] / step));
}

/** The state after so many ticks of free flight. */
export function flown(state: State, ticks: number): State {
  let now = state;
  for (let i = 0; i < ticks; i++) now = flownOnce(now);
  return now;
}

const f = Math.fround;

function flownOnce(state: State): State {
  let position = state.slice(0, 3).map((n) => f(n / 4096));
  let rotation = dequantiseRotation(state.slice(3, 7)).map(f);
  const linear = state.slice(7, 10).map((n) => f(n / 1024));
  const angular = state.slice(10, 13).map((n) => f(n / 1024));
  const h = f(1 / 60 / 4);
  const half = angular.map((w) => f(w * f(h / 2)));
  for (let part = 0; part < 4; part++) {
    linear[1] = f(linear[1] + f(f(-9.8) * h));
    position = position.map((p, i) => f(p + f(linear[i] * h)));
    rotation = turned(rotation, half).map(f);
  }
  const slower = linear.map((v) => f(v * f(1 / f(1 + f(1 / 60) * f(0.1)))));
  const turning = angular.map((w) => f(w * f(1 / f(1 + f(1 / 60) * f(0.05)))));
  const onGrid = (value: number, steps: number, at: number): number =>
    clamp(Math.round(value * steps), LOW[at], HIGH[at]);
  const velocities = [...slower, ...turning].map((v, i) => onGrid(v, 1024, 7 + i));
  const place = position.map((p, i) => onGrid(p, 4096, i));
  const steps = stepsOf([...place, 3, 0, 0, 0, ...velocities]);
  const coarse = (n: number, at: number): number => inSteps(n, steps[at], at) * steps[at];
  return [
    ...place.map(coarse),
    ...quantiseRotation(rotation, state[3], steps[4]),
    ...velocities.map((n, i) => coarse(n, 7 + i)),
  ];
}
