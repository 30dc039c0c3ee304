/** The grids and the free flight of STANDARD.md, for the decoder that is written from that page alone. */

/** Three positions, the largest component and the three others, linear and angular velocity. */
export type State = readonly number[];
/** x, y, z, w. */
export type Rotation = readonly number[];

export const LOW: State = [...many(3, -4194303), 0, ...many(3, -16383), ...many(6, -65535)];
export const HIGH: State = [...many(3, 4194303), 3, ...many(3, 16383), ...many(6, 65535)];

/** The steps of 1 in a component of a rotation. */
const R = Math.SQRT2 * 16303;

/** Each number is rounded to the nearest. */
const HALVES: readonly number[] = many(13, 0.5);

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
export function componentsFor(
  rotation: Rotation,
  largest: number,
  step = 1,
  u: readonly number[] = HALVES,
): number[] {
  const scale = rotation[largest] < 0 ? -R : R;
  return others(largest).map((i, at) => onGrid(rotation[i] * scale, step, 4 + at, u));
}

/** "Rounded" to a multiple of a step: the number `at` of a state. */
function onGrid(value: number, step: number, at: number, u: readonly number[]): number {
  const whole = Math.floor(value / step + u[at]);
  return clamp(whole, Math.ceil(LOW[at] / step), Math.floor(HIGH[at] / step)) * step;
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
export function quantiseRotation(rotation: Rotation, last: number, step = 1, u = HALVES): number[] {
  let most = 3;
  for (const i of [0, 1, 2]) if (Math.abs(rotation[i]) > Math.abs(rotation[most])) most = i;
  const whole = (largest: number): number[] => componentsFor(rotation, largest, step, u);
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
export function flown(state: State, ticks: number, rate: number): State {
  let now = state;
  for (let i = 0; i < ticks; i++) now = flownOnce(now, rate);
  return now;
}

const f = Math.fround;

/** "Dither": the numbers u that follow from a state. */
function drawn(state: State): number[] {
  const u: number[] = [];
  let h = 0n;
  for (const group of [
    [0, 1, 2, 7, 8, 9],
    [3, 4, 5, 6, 10, 11, 12],
  ]) {
    for (const at of group) {
      h = ((h ^ BigInt.asUintN(32, BigInt(state[at]))) * 2_654_435_761n) % 2n ** 32n;
      h ^= h / 2n ** 15n;
    }
    for (const at of group) {
      h = (h * 1_664_525n + 1_013_904_223n) % 2n ** 32n;
      u[at] = (Number(h / 65_536n) + 0.5) / 65_536;
    }
  }
  return u;
}

function flownOnce(state: State, rate: number): State {
  let position = state.slice(0, 3).map((n) => f(n / 4096));
  let rotation = dequantiseRotation(state.slice(3, 7)).map(f);
  const linear = state.slice(7, 10).map((n) => f(n / 1024));
  const angular = state.slice(10, 13).map((n) => f(n / 1024));
  const h = f(1 / rate / 4);
  const half = angular.map((w) => f(w * f(h / 2)));
  for (let part = 0; part < 4; part++) {
    linear[1] = f(linear[1] + f(f(-9.8) * h));
    position = position.map((p, i) => f(p + f(linear[i] * h)));
    rotation = turned(rotation, half).map(f);
  }
  const slower = linear.map((v) => f(v * f(1 / f(1 + f(1 / rate) * f(0.1)))));
  const turning = angular.map((w) => f(w * f(1 / f(1 + f(1 / rate) * f(0.05)))));
  const u = drawn(state);
  const fast = [...slower, ...turning].map((v) => v * 1024);
  const steps = stepsOf([...many(7, 0), ...fast.map((v, i) => onGrid(v, 1, 7 + i, u))]);
  return [
    ...position.map((p, i) => onGrid(p * 4096, steps[i], i, u)),
    ...quantiseRotation(rotation, state[3], steps[4], u),
    ...fast.map((v, i) => onGrid(v, steps[7 + i], 7 + i, u)),
  ];
}
