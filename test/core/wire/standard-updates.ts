import type { Circumstances, PlainAuthor, PlainUpdate } from '../../support/packets.ts';
import type { State } from './standard-grids.ts';
import {
  clamp,
  componentsFor,
  dequantiseRotation,
  flown,
  HIGH,
  LOW,
  quantiseRotation,
  turned,
} from './standard-grids.ts';
import type { Bits } from './standard-reader.ts';
import { KINDS, level, mustBe, sign, within } from './standard-reader.ts';

/** The updates of STANDARD.md, for the decoder that is written from that page alone. */

/** How a motion was coded: not against a baseline, flying, or not flying. */
export type Course = 0 | 1 | 2;
export type Read = { readonly update: PlainUpdate; readonly course: Course };

/** What one update of a packet says to the next. */
type Running = {
  u1: 0 | 1;
  u2: 0 | 1;
  /** 1: the last answer to "same claim" was no. */
  d: 0 | 1;
  /** 1: the last motion flew. */
  p: 0 | 1;
  /** Of the last state whose author is not the speaker. */
  age: number;
};

const KIND_NUMBERS = { record: 1, rest: 2, motion: 3 };

export function readUpdates(
  bits: Bits,
  circumstances: Circumstances,
  base: number,
  authors: readonly PlainAuthor[],
): Read[] {
  if (!bits.flag(8871)) return [];
  const read: Read[] = [];
  const ofBase = updatesOf(circumstances, base);
  const running: Running = { u1: 0, u2: 0, d: 0, p: 0, age: 0 };
  for (let body = 0; body < circumstances.bodies; body++) {
    const inBase = ofBase.get(body);
    const kind = inBase === undefined ? 0 : KIND_NUMBERS[inBase.kind];
    const updated = bits.bit(8855 + 4 * kind + 2 * running.u2 + running.u1);
    running.u2 = running.u1;
    running.u1 = updated;
    if (updated === 0) continue;
    const baselineAge = bits.baselineAge(0, base, inBase !== undefined);
    const baseline = updatesOf(circumstances, baselineAge).get(body) ?? null;
    mustBe(baselineAge === 0 || baseline !== null, 'unknown baseline');
    const { course, ...said } = readUpdate(bits, circumstances.speaker, authors, baseline, running);
    read.push({ update: { body, baselineAge, ...said }, course });
  }
  mustBe(read.length > 0, 'updates that are none');
  return read;
}

/** What the packet that is older by `age` said of each body; 0: nothing. */
function updatesOf({ before, packet }: Circumstances, age: number): ReadonlyMap<number, PlainUpdate> {
  const said = before.filter((one) => age > 0 && one.packet === packet - age);
  return new Map(said.flatMap(({ updates }) => updates.map((update) => [update.body, update])));
}

type Said = Omit<PlainUpdate, 'body' | 'baselineAge' | 'course'> & { readonly course: Course };

function readUpdate(
  bits: Bits,
  speaker: number,
  authors: readonly PlainAuthor[],
  baseline: PlainUpdate | null,
  running: Running,
): Said {
  const m = baseline === null ? 0 : KIND_NUMBERS[baseline.kind];
  const same = baseline !== null && bits.flag(8876 + 2 * m + running.d);
  if (baseline !== null) running.d = same ? 0 : 1;
  const claim = same ? baseline.claim : readClaim(bits, speaker, baseline?.claim ?? null);
  const kind = bits.flag(8884 + 2 * m) ? 'motion' : bits.flag(8885 + 2 * m) ? 'rest' : 'record';
  if (kind === 'record') return { claim, kind, tick: -1, state: [], course: 0 };
  const slot = claim[0] < 0 ? speaker : claim[0];
  const author = authors.find((one) => one.slot === slot);
  mustBe(author !== undefined, 'an author that is not in the table');
  if (slot !== speaker) running.age = bits.another(8920, running.age, 63);
  const tick = author.tick - (slot === speaker ? 0 : running.age);
  if (baseline === null || baseline.kind === 'record') {
    const state = LOW.map((low, i) => (i < 7 || kind === 'motion' ? bits.range(low, HIGH[i]) : 0));
    return { claim, kind, tick, state, course: 0 };
  }
  if (kind === 'rest') return { claim, kind, tick, state: readRest(bits, baseline), course: 0 };
  return { claim, kind, tick, ...readMotion(bits, baseline, tick, running) };
}

/** Authority, hold, ownership sequence, authority sequence. */
function readClaim(bits: Bits, speaker: number, before: readonly number[] | null): number[] {
  const authorityBefore = before?.[0] ?? -1;
  const [authority, hold] = bits.flag(8900 + (authorityBefore >= 0 ? 1 : 0))
    ? [
        bits.another(8902, authorityBefore >= 0 ? authorityBefore : speaker, 7),
        bits.flag(8903) ? 1 + bits.plain(1) : 0,
      ]
    : [-1, 0];
  const ownership = bits.sequence(0, before?.[2] ?? 0);
  const sequence = bits.sequence(1, before?.[3] ?? 0);
  const claim = [authority, hold, ownership, sequence];
  mustBe(before === null || claim.some((n, i) => n !== before[i]), 'the same claim is said as another');
  return claim;
}

function inRange(value: number, at: number): number {
  return within(value, LOW[at], HIGH[at]);
}

function readRest(bits: Bits, baseline: PlainUpdate): State {
  const still = [0, 0, 0, 0, 0, 0];
  const before = baseline.state.slice(0, 7);
  if (bits.flag(8951 + (baseline.kind === 'rest' ? 1 : 0))) return [...before, ...still];
  let change = 0;
  const position = [0, 1, 2].map((i) => {
    change = bits.small(KINDS.restPosition, level(change), 0);
    return inRange(before[i] + change, i);
  });
  const largest = bits.largest(8955, before[3]);
  let turn = 0;
  const three = componentsFor(dequantiseRotation(before.slice(3)), largest).map((n, i) => {
    turn = bits.small(KINDS.restRotation, level(turn), 0);
    return inRange(n + turn, 4 + i);
  });
  const state = [...position, largest, ...three];
  mustBe(!state.every((n, i) => n === before[i]), 'the same place is said as another');
  return [...state, ...still];
}

function readMotion(
  bits: Bits,
  baseline: PlainUpdate,
  tick: number,
  running: Running,
): { state: State; course: Course } {
  const apart = (((tick - baseline.tick) % 65536) + 65536) % 65536;
  const ticks = apart > 63 ? 0 : apart;
  const c = baseline.course ?? 0;
  const free = flown(baseline.state, ticks);
  const h = [983, 1229, 2048, 4096].filter((height) => free[1] >= height).length;
  const flies = bits.flag(8921 + 10 * c + 5 * running.p + h);
  running.p = flies ? 1 : 0;
  if (flies) return { state: readFlying(bits, free), course: 1 };
  const state = readPushed(bits, baseline.state, ticks, c);
  mustBe(
    [7, 8, 9].some((i) => state[i] !== free[i]),
    'the free velocity is said as another',
  );
  return { state, course: 2 };
}

function readFlying(bits: Bits, free: State): State {
  const position = [0, 1, 2].map((i) => inRange(free[i] + bits.small(KINDS.freePosition, 0, 0), i));
  const turns = [0, 1, 2].map(() => bits.small(KINDS.freeAngular, 0, 0));
  const angular = turns.map((turn, i) => inRange(free[10 + i] + turn, 10 + i));
  const largest = bits.largest(8953, free[3]);
  const three = componentsFor(dequantiseRotation(free.slice(3, 7)), largest).map((n, i) =>
    inRange(n + bits.small(KINDS.freeRotation, level(...turns), 0), 4 + i),
  );
  return [...position, largest, ...three, ...free.slice(7, 10), ...angular];
}

/** "If not", in its four steps. */
function readPushed(bits: Bits, before: State, ticks: number, c: Course): State {
  const v0 = before.slice(7, 10);
  const pushes = [0, 0, 0];
  let push = 0;
  for (const [at, i] of [1, 0, 2].entries()) {
    push =
      at === 0
        ? bits.small(KINDS.linearFirst, 8 * level(...v0) + c, sign(v0[1]))
        : bits.small(KINDS.linearNext, 8 * level(v0[i]) + level(push), sign(v0[i]));
    pushes[i] = push;
  }
  const linear = v0.map((v, i) => inRange(v + pushes[i], 7 + i));
  const { position, time, most } = readPlace(bits, before, ticks, linear, pushes);

  const w0 = before.slice(10);
  const turns: number[] = [];
  for (const [i, w] of w0.entries())
    turns.push(
      i === 0
        ? bits.small(KINDS.angularFirst, 8 * level(...pushes) + level(...w0), sign(w))
        : bits.small(KINDS.angularNext, 8 * level(...pushes) + level(turns[i - 1]), sign(w)),
    );
  const angular = w0.map((w, i) => inRange(w + turns[i], 10 + i));

  const h = ticks / 60 / 1024 / 6 / 2;
  const half = w0.map((w, i) => (ticks === 0 ? 0 : (w * time + angular[i] * (ticks - time)) / ticks) * h);
  let rotation = dequantiseRotation(before.slice(3, 7));
  for (let part = 0; part < 6; part++) rotation = turned(rotation, half);
  const largest = bits.largest(8954, quantiseRotation(rotation, before[3])[0]);
  let change = 0;
  const three = componentsFor(rotation, largest).map((n, i) => {
    const block = 8 * level(...turns) + (i === 0 ? level(most) : level(change));
    change = bits.small(i === 0 ? KINDS.rotationFirst : KINDS.rotationNext, block, 0);
    return inRange(n + change, 4 + i);
  });
  return [...position, largest, ...three, ...linear, ...angular];
}

/** Step 2, with the time that it finds, and D. */
function readPlace(
  bits: Bits,
  before: State,
  ticks: number,
  linear: readonly number[],
  pushes: readonly number[],
): { position: number[]; time: number; most: number } {
  const s = 4096 / 1024 / 60;
  const sizes = pushes.map(Math.abs);
  const first = sizes.indexOf(Math.max(...sizes));
  const position = [0, 0, 0];
  let time = ticks / 2;
  let most = 0;
  let change = 0;
  for (let at = 0; at < 3; at++) {
    const i = (first + at) % 3;
    const travelled = Math.round((linear[i] * ticks - pushes[i] * time) * s);
    const expected = clamp(before[i] + travelled, LOW[i], HIGH[i]);
    const block = 8 * level(pushes[i]) + (at === 0 ? level(...pushes) : level(change));
    change = bits.small(at === 0 ? KINDS.positionFirst : KINDS.positionNext, block, sign(pushes[i]));
    position[i] = inRange(expected + change, i);
    most = Math.max(most, Math.abs(change));
    if (at === 0 && Math.abs(pushes[i]) > 30)
      time = clamp((linear[i] * ticks - (position[i] - before[i]) / s) / pushes[i], 0, ticks);
  }
  return { position, time, most };
}
