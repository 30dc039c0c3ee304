import type { Circumstances, PlainAuthor, PlainUpdate } from '../../../support/packets.ts';
import type { State } from './grids.ts';
import {
  clamp,
  componentsFor,
  dequantiseRotation,
  flown,
  gridOf,
  HIGH,
  inSteps,
  isOnItsGrid,
  LOW,
  quantiseRotation,
  STEPS,
  turnedLong,
  unit,
} from './grids.ts';
import type { Bits, Kind } from './reader.ts';
import { KINDS, level, mustBe, sign, takesPlaceOf, within } from './reader.ts';

/** Reads the updates of STANDARD.md, for the decoder that is written from that page alone. */

/** How a motion was coded: 0 without a baseline, 1 flying, 2 not flying. */
export type PredictionMode = 0 | 1 | 2;
export type Read = { readonly update: PlainUpdate; readonly mode: PredictionMode };

/**
 * The facts on which the reading of an update depends besides its baseline: the updates before it in the packet.
 */
type Running = {
  /** 1 if the last update with a baseline had another claim. */
  d: 0 | 1;
  /** 1 if the last motion flew. */
  p: 0 | 1;
  /** The age of the last relayed state. */
  age: number;
};

const KIND_NUMBERS = { record: 1, rest: 2, motion: 3 };

export function readUpdates(
  bits: Bits,
  circumstances: Circumstances,
  base: number,
  authors: readonly PlainAuthor[],
): Read[] {
  if (!bits.flag(7640)) return [];
  const read: Read[] = [];
  const ofBase = updatesOf(circumstances, base);
  const running: Running = { d: 0, p: 0, age: 0 };
  let before = 0;
  for (let first = 0; first < circumstances.bodies; first += 16) {
    const any = bits.bit(7641 + before);
    before = (2 * before + any) % 4;
    if (any === 0) continue;
    const already = read.length;
    for (let u = 0, body = first; body < Math.min(first + 16, circumstances.bodies); body++) {
      const inBase = ofBase.get(body);
      const updated = bits.bit(7645 + 4 * (inBase === undefined ? 0 : KIND_NUMBERS[inBase.kind]) + u);
      u = (2 * u + updated) % 4;
      if (updated === 0) continue;
      const kind = inBase === undefined ? 0 : KIND_NUMBERS[inBase.kind];
      const sameAsBase = inBase !== undefined && bits.flag(7661 + 2 * (kind - 1) + running.d);
      const baselineAge = sameAsBase ? base : bits.baselineAge(0, base, inBase !== undefined);
      const baseline = updatesOf(circumstances, baselineAge).get(body) ?? null;
      mustBe(baselineAge === 0 || baseline !== null, 'unknown baseline');
      const { age } = running;
      const { mode, ...said } = readUpdate(
        bits,
        circumstances.speaker,
        authors,
        baseline,
        running,
        sameAsBase,
      );
      const asThere = said.kind === inBase?.kind && said.claim.every((n, i) => n === inBase.claim[i]);
      const repeats = baselineAge === base && inBase !== undefined && asThere && running.age === age;
      mustBe(sameAsBase === repeats, 'repeats the base, but is not coded so');
      read.push({ update: { body, baselineAge, ...said }, mode });
    }
    mustBe(read.length > already, 'a block without updates');
  }
  mustBe(read.length > 0, 'no updates');
  return read;
}

/** The updates of the packet that is `age` packets older, by body, if the store still has them; none for age 0. */
function updatesOf({ before, packet }: Circumstances, age: number): ReadonlyMap<number, PlainUpdate> {
  const kept = new Map<number, PlainUpdate>();
  if (age === 0) return kept;
  for (const one of before.filter((said) => takesPlaceOf(said.packet, packet - age)))
    for (const update of one.updates)
      if (one.packet === packet - age) kept.set(update.body, update);
      else kept.delete(update.body);
  return kept;
}

type Said = Omit<PlainUpdate, 'body' | 'baselineAge' | 'course'> & { readonly mode: PredictionMode };

function readUpdate(
  bits: Bits,
  speaker: number,
  authors: readonly PlainAuthor[],
  baseline: PlainUpdate | null,
  running: Running,
  sameAsBase: boolean,
): Said {
  const m = baseline === null ? 0 : KIND_NUMBERS[baseline.kind];
  const same = baseline !== null && (sameAsBase || bits.flag(7671 + 2 * m + running.d));
  if (baseline !== null) running.d = same ? 0 : 1;
  const claim = same ? baseline.claim : readClaim(bits, speaker, baseline?.claim ?? null);
  const kind = sameAsBase && baseline !== null ? baseline.kind : readKind(bits, m);
  if (kind === 'record') return { claim, kind, tick: -1, state: [], mode: 0 };
  const slot = claim[0] < 0 ? speaker : claim[0];
  const author = authors.find((one) => one.slot === slot);
  mustBe(author !== undefined, 'an author that is not in the table');
  if (slot !== speaker && !sameAsBase) running.age = bits.another(7715, running.age, 63);
  const tick = author.tick - (slot === speaker ? 0 : running.age);
  if (baseline === null || baseline.kind === 'record') {
    const state = LOW.map((low, i) => (i < 7 || kind === 'motion' ? bits.range(low, HIGH[i]) : 0));
    mustBe(isOnItsGrid(state), 'off its grid');
    return { claim, kind, tick, state, mode: 0 };
  }
  if (kind === 'rest') return { claim, kind, tick, state: readRest(bits, baseline), mode: 0 };
  return { claim, kind, tick, ...readMotion(bits, baseline, tick, running) };
}

function readKind(bits: Bits, m: number): PlainUpdate['kind'] {
  if (bits.flag(7679 + 2 * m)) return 'motion';
  return bits.flag(7680 + 2 * m) ? 'rest' : 'record';
}

function readSlot(bits: Bits, expected: number): number {
  if (bits.flag(7697)) return expected;
  const slot = bits.flag(7844) ? bits.range(8, 31) : bits.range(0, 7);
  mustBe(slot !== expected, 'the expected slot, but coded as another');
  return slot;
}

/** Authority, hold, ownership sequence, authority sequence; the existence, unless it is 0. */
function readClaim(bits: Bits, speaker: number, before: readonly number[] | null): number[] {
  const authorityBefore = before?.[0] ?? -1;
  const [authority, hold] = bits.flag(7695 + (authorityBefore >= 0 ? 1 : 0))
    ? [
        readSlot(bits, authorityBefore >= 0 ? authorityBefore : speaker),
        bits.flag(7698) ? bits.range(1, 3) : 0,
      ]
    : [-1, 0];
  const ownership = bits.sequence(0, before?.[2] ?? 0);
  const sequence = bits.sequence(1, before?.[3] ?? 0);
  const existence = readExistence(bits, before?.[4] ?? 0);
  const claim = [authority, hold, ownership, sequence, ...(existence === 0 ? [] : [existence])];
  const differs = before?.length !== claim.length || claim.some((n, i) => n !== before[i]);
  mustBe(before === null || differs, 'the same claim, but coded as another');
  return claim;
}

function readExistence(bits: Bits, before: number): number {
  if (bits.plain(1) === 1) return before;
  const existence = bits.plain(16);
  mustBe(existence !== before, 'the same existence, but coded as another');
  mustBe(existence % 256 === 0 ? existence === 0 : existence % 256 <= 253, 'an existence that there is not');
  return existence;
}

function inRange(value: number, at: number): number {
  return within(value, LOW[at], HIGH[at]);
}

function readRest(bits: Bits, baseline: PlainUpdate): State {
  const still = [0, 0, 0, 0, 0, 0];
  const before = baseline.state.slice(0, 7);
  if (bits.flag(7747 + (baseline.kind === 'rest' ? 1 : 0))) return [...before, ...still];
  let change = 0;
  const position = [0, 1, 2].map((i) => {
    change = bits.small(KINDS.restPosition, level(change), 0);
    return inRange(before[i] + change, i);
  });
  const largest = bits.largest(7800, before[3]);
  let turn = 0;
  const three = componentsFor(dequantiseRotation(before.slice(3)), largest).map((n, i) => {
    turn = bits.small(KINDS.restRotation, level(turn), 0);
    return inRange(n + turn, 4 + i);
  });
  const state = [...position, largest, ...three];
  mustBe(!state.every((n, i) => n === before[i]), 'the same pose, but coded as another');
  return [...state, ...still];
}

function readMotion(
  bits: Bits,
  baseline: PlainUpdate,
  tick: number,
  running: Running,
): { state: State; mode: PredictionMode } {
  const apart = (((tick - baseline.tick) % 65536) + 65536) % 65536;
  const ticks = apart > (bits.rate > 60 ? 127 : 63) ? 0 : apart;
  const c = baseline.course ?? 0;
  const free = flown(baseline.state, ticks, bits.rate);
  const m = bits.rate / 4;
  const fall = Math.floor((167 * 60) / bits.rate + 0.5);
  const rise = m * baseline.state[1] + baseline.state[8] * ticks - (fall * ticks * (ticks + 1)) / 2;
  const h = [983, 1229, 2048, 4096].filter((height) => rise >= m * height).length;
  const flies = bits.flag(7716 + 10 * c + 5 * running.p + h);
  running.p = flies ? 1 : 0;
  if (flies) return { state: bits.flag(7746) ? free : readFlying(bits, free), mode: 1 };
  const state = readPushed(bits, baseline.state, ticks, c);
  mustBe(
    [7, 8, 9].some((i) => state[i] !== free[i]),
    'flies, but is not coded so',
  );
  return { state, mode: 2 };
}

/** x plus a small number, of the number `at` of a state, whose step is `step`. */
function plus(x: number, small: number, step: number, at: number): number {
  return inRange((inSteps(x, step, at) + small) * step, at);
}

/** "Grid(kind, a)". */
function readGrid(bits: Bits, kind: Kind, before: readonly number[]): number {
  return within(gridOf(before) + bits.small(kind, level(...before), 0), 0, 3);
}

function mustHave(velocities: readonly number[], said: number): void {
  mustBe(gridOf(velocities) === said, 'the velocities have another grid');
}

function readFlying(bits: Bits, free: State): State {
  const linear = free.slice(7, 10);
  const step = STEPS.position[gridOf(linear)];
  const position = [0, 1, 2].map((i) => plus(free[i], bits.small(KINDS.freePosition, 0, 0), step, i));
  const spin = readGrid(bits, KINDS.angularGrid, free.slice(10));
  const turns = [0, 1, 2].map(() => bits.small(KINDS.freeAngular, 0, 0));
  const angular = turns.map((turn, i) => plus(free[10 + i], turn, STEPS.angular[spin], 10 + i));
  mustHave(angular, spin);
  const largest = bits.largest(7798, free[3]);
  const three = componentsFor(dequantiseRotation(free.slice(3, 7)), largest).map((n, i) =>
    plus(n, bits.small(KINDS.freeRotation, level(...turns), 0), STEPS.rotation[spin], 4 + i),
  );
  const state = [...position, largest, ...three, ...linear, ...angular];
  mustBe(
    state.some((n, i) => n !== free[i]),
    'exactly as predicted, but not coded so',
  );
  return state;
}

/** "If it does not fly", in its four steps. */
function readPushed(bits: Bits, before: State, ticks: number, c: PredictionMode): State {
  const grids = [before.slice(7, 10), before.slice(10)].map(gridOf);
  const same = bits.flag(7749 + 7 * level(...before.slice(7, 10)) + level(...before.slice(10)));
  const { linear, speed } = readLinear(bits, before.slice(7, 10), c, same);
  const pushes = linear.map((v, i) => v - before[7 + i]);
  const { position, time, most } = readPlace(bits, before, ticks, linear, pushes, STEPS.position[speed]);
  const { angular, spin } = readAngular(bits, before.slice(10), level(...pushes), same);
  mustBe(same === (speed === grids[0] && spin === grids[1]), 'the same grids, but coded as others');
  const times = { ticks, time };
  const rotation = readTurn(bits, before, times, angular, spin, level(most));
  return [...position, ...rotation, ...linear, ...angular];
}

/** Step 1: the linear velocity and its grid. */
function readLinear(
  bits: Bits,
  v0: readonly number[],
  c: PredictionMode,
  same: boolean,
): { linear: number[]; speed: number } {
  const speed = same ? gridOf(v0) : readGrid(bits, KINDS.linearGrid, v0);
  const linear = [0, 0, 0];
  let push = 0;
  for (const [at, i] of [1, 0, 2].entries()) {
    push =
      at === 0
        ? bits.small(KINDS.linearFirst, 3 * level(...v0) + c, sign(v0[1]))
        : bits.small(KINDS.linearNext, 7 * level(v0[i]) + level(push), sign(v0[i]));
    linear[i] = plus(v0[i], push, STEPS.linear[speed], 7 + i);
  }
  mustHave(linear, speed);
  return { linear, speed };
}

/** Step 2, with the time of the impact, and D. */
function readPlace(
  bits: Bits,
  before: State,
  ticks: number,
  linear: readonly number[],
  pushes: readonly number[],
  step: number,
): { position: number[]; time: number; most: number } {
  const s = 4096 / 1024 / bits.rate;
  const sizes = pushes.map(Math.abs);
  const first = sizes.indexOf(Math.max(...sizes));
  const stepLevel = (...values: number[]): number => level(...values.map((n) => Math.trunc(n / step)));
  const position = [0, 0, 0];
  let time = ticks / 2;
  let most = 0;
  let small = 0;
  for (let at = 0; at < 3; at++) {
    const i = (first + at) % 3;
    const travelled = Math.round((linear[i] * ticks - pushes[i] * time) * s);
    const expected = clamp(before[i] + travelled, LOW[i], HIGH[i]);
    const block = 7 * stepLevel(pushes[i]) + (at === 0 ? stepLevel(...pushes) : level(small));
    small = bits.small(at === 0 ? KINDS.positionFirst : KINDS.positionNext, block, sign(pushes[i]));
    position[i] = plus(expected, small, step, i);
    most = Math.max(most, Math.abs(position[i] - expected));
    if (at === 0 && Math.abs(pushes[i]) > 30)
      time = clamp((linear[i] * ticks - (position[i] - before[i]) / s) / pushes[i], 0, ticks);
  }
  return { position, time, most };
}

/** Step 3: the angular velocity and its grid. */
function readAngular(
  bits: Bits,
  w0: readonly number[],
  pushed: number,
  same: boolean,
): { angular: number[]; spin: number } {
  const spin = same ? gridOf(w0) : readGrid(bits, KINDS.angularGrid, w0);
  let turn = 0;
  const angular = w0.map((w, i) => {
    turn =
      i === 0
        ? bits.small(KINDS.angularFirst, 7 * pushed + level(...w0), sign(w))
        : bits.small(KINDS.angularNext, 7 * pushed + level(turn), sign(w));
    return plus(w, turn, STEPS.angular[spin], 10 + i);
  });
  mustHave(angular, spin);
  return { angular, spin };
}

/** Step 4: the largest component and the three others. */
function readTurn(
  bits: Bits,
  before: State,
  { ticks, time }: { ticks: number; time: number },
  angular: readonly number[],
  spin: number,
  strayed: number,
): number[] {
  const w0 = before.slice(10);
  const h = ticks / bits.rate / 1024 / 2;
  const half = w0.map((w, i) => (ticks === 0 ? 0 : (w * time + angular[i] * (ticks - time)) / ticks) * h);
  const squares = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
  const parts = squares < 0.04 ? 1 : 6;
  const each = parts === 1 ? 1 + squares / 3 : 1 / 6;
  let rotation = dequantiseRotation(before.slice(3, 7));
  for (let part = 0; part < parts; part++)
    rotation = turnedLong(
      rotation,
      half.map((a) => a * each),
    );
  rotation = unit(rotation);
  const largest = bits.largest(7799, quantiseRotation(rotation, before[3])[0]);
  const turns = angular.map((w, i) => Math.trunc((w - w0[i]) / STEPS.angular[spin]));
  let small = 0;
  const three = componentsFor(rotation, largest).map((n, i) => {
    const block = 7 * level(...turns) + (i === 0 ? strayed : level(small));
    small = bits.small(i === 0 ? KINDS.rotationFirst : KINDS.rotationNext, block, 0);
    return plus(n, small, STEPS.rotation[spin], 4 + i);
  });
  return [largest, ...three];
}
