import { BOUNDS_SLACK, FLAT_BOUNDS } from '../../../src/core/world/level.ts';
import {
  MAX_ANGULAR_SPEED,
  MAX_LINEAR_SPEED,
  MAX_NAME_BYTES,
  MAX_PLAYERS,
} from '../../../src/core/base/constants.ts';
import {
  EVENTS,
  MAX_RECORDED_BYTES,
  LATE_SLOT,
  SLOT_STEP,
} from '../../../src/core/peer/recording/recorder.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { ByteWriter } from '../../../src/core/wire/files/bytes.ts';
import type { FileKind } from '../../../src/core/wire/files/file.ts';
import { wrapFile } from '../../../src/core/wire/files/file.ts';
import { LEVEL_IDS } from '../../../src/levels/levels.ts';

/** Files whose check sum is right, with one thing at an edge of what it may be, or beyond. FILES.md has the bytes. */

/** A file that is made by hand. */
export type HandMadeFile = { readonly kind: FileKind; readonly bytes: Uint8Array };

const GRID = LEVEL_IDS.indexOf('grid');
/** Half a metre or half a metre a second: no rounding makes it look right. */
const BEYOND = 0.5;
/** A body that may be: its look, its position, rotation and velocities. */
const LOOK = 6;
const MOTION = [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
/** Metres across in which a saved body may be. */
const ACROSS = FLAT_BOUNDS.across + BOUNDS_SLACK;
/** For each number of a motion its least and greatest value; a rotation has its own rule. */
const ENDS: readonly (readonly [number, number] | null)[] = [
  [-ACROSS, ACROSS],
  [FLAT_BOUNDS.low - BOUNDS_SLACK, FLAT_BOUNDS.high + BOUNDS_SLACK],
  [-ACROSS, ACROSS],
  ...[null, null, null, null],
  ...Array.from({ length: 3 }, () => [-MAX_LINEAR_SPEED, MAX_LINEAR_SPEED] as const),
  ...Array.from({ length: 3 }, () => [-MAX_ANGULAR_SPEED, MAX_ANGULAR_SPEED] as const),
];

/** @returns saved worlds and recordings. */
export function handMadeFiles(): HandMadeFile[] {
  return [
    ...worldContents().map((content) => ({ kind: 'world', bytes: wrapFile('world', content) }) as const),
    ...recordingContents().map(
      (content) => ({ kind: 'recording', bytes: wrapFile('recording', content) }) as const,
    ),
  ];
}

type Body = { readonly look: number; readonly motion: readonly number[] };

function worldOf(bodies: readonly Body[], scene = GRID, count = bodies.length, told = count): Uint8Array {
  const w = new ByteWriter();
  w.u32(1);
  w.u8(scene);
  w.u32(1);
  w.u16(count);
  w.u16(told);
  for (const { look, motion } of bodies) {
    w.u8(look);
    for (const value of look % 2 === 1 ? motion.slice(0, 7) : motion) putFloat(w, value);
  }
  return w.finish();
}

/** Writes a float, also one that is no number. */
function putFloat(w: ByteWriter, value: number): void {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  w.bytes(bytes, 4);
}

function worldContents(): Uint8Array[] {
  const of = (motion: readonly number[], look = LOOK): Uint8Array => worldOf([{ look, motion }]);
  const ends = ENDS.flatMap((range, at) =>
    range === null
      ? []
      : [range[0], range[0] - BEYOND, range[1], range[1] + BEYOND, NaN, Infinity].map((value) =>
          of(MOTION.with(at, value)),
        ),
  );
  const turned = [3, 4, 5, 6].flatMap((at) => [1.1, 0.9, -1.1].map((value) => of(turnedBy(at, value))));
  const body = { look: LOOK, motion: MOTION };
  return [
    of(MOTION),
    of(MOTION, LOOK + 1),
    ...[0, 2, 4, 7, 8, 255].map((look) => of(MOTION, look)),
    ...ends,
    ...turned,
    worldOf([body], LEVEL_IDS.length),
    worldOf([body], GRID, 2, 1),
    worldOf([body], GRID, 1, 2),
    worldOf([body], GRID, 4097, 1),
    // Pairs of cubes in one place: as many as there may be, and more.
    ...[23, 24].map((count) => worldOf(Array.from({ length: count }, () => body))),
  ];
}

/** A motion whose rotation has one number alone. */
function turnedBy(at: number, value: number): number[] {
  return [...MOTION.slice(0, 3), ...[3, 4, 5, 6].map((i) => (i === at ? value : 0)), ...MOTION.slice(7)];
}

/** The head of an event of a slot. */
function head(event: number, slot = 0): number {
  return event + SLOT_STEP * slot;
}

function begin(slot: number, host: number, name: readonly number[] = [], scene = GRID): number[] {
  const heads = slot < LATE_SLOT ? [head(EVENTS.begin, slot)] : [head(EVENTS.begin, LATE_SLOT), slot];
  return [...heads, host, name.length, ...name, 1, scene, 1, 0, 0, 0, 1, 0];
}

const MOMENT = [EVENTS.time, 0, 0, 0, 0, 0, 0, 0, 0];
const FOUR = [1, 0, 0, 0];
/** A host in slot 0 and a guest in slot 1. */
const BEGUN = [...begin(0, 0), ...begin(1, 0)];

/** The events that name another slot: what follows the slot, and the slot that may say them. */
const NAMING: readonly (readonly [event: number, rest: readonly number[], by: number])[] = [
  [EVENTS.connect, FOUR, 0],
  [EVENTS.disconnect, [], 0],
  [EVENTS.receive, [0, 0], 0],
  [EVENTS.skip, [], 0],
  [EVENTS.sent, [0, 0], 0],
  [EVENTS.follow, FOUR, 1],
];

function recordingContents(): Uint8Array[] {
  const named = NAMING.flatMap(([event, rest, by]) =>
    [2, MAX_PLAYERS - 1, MAX_PLAYERS, 255, by].map((slot) => [head(event, by), slot, ...rest]),
  );
  const world = [...worldOf([{ look: LOOK, motion: MOTION }])];
  const other = [...worldOf([{ look: LOOK, motion: MOTION.with(0, ACROSS + BEYOND) }])];
  const packet = (length: number): number[] => [
    head(EVENTS.receive),
    1,
    length & 0xff,
    length >> 8,
    ...Array<number>(length).fill(0),
  ];
  const later = [
    [],
    ...named,
    // Slots of the peers themselves.
    begin(MAX_PLAYERS - 1, 0),
    begin(MAX_PLAYERS, 0),
    begin(15, 0),
    begin(2, MAX_PLAYERS - 1),
    begin(2, MAX_PLAYERS),
    [head(EVENTS.poll, 2), 1],
    [head(EVENTS.time, 1), ...MOMENT.slice(1)],
    // Beginnings.
    begin(2, 0, Array<number>(MAX_NAME_BYTES).fill(65)),
    begin(2, 0, Array<number>(MAX_NAME_BYTES + 1).fill(65)),
    begin(2, 0, [], LEVEL_IDS.length),
    // Other numbers.
    ...[0, 1, 60, 61].map((ticks) => [head(EVENTS.poll), ticks]),
    ...[0, 1, 2].map((saved) => [head(EVENTS.reset), saved, ...(saved === 1 ? world : [])]),
    [head(EVENTS.reset), 1, ...other],
    [...begin(0, 0).with(5, 2), head(EVENTS.reset), 1, ...world],
    [head(EVENTS.reset, 1), 0],
    [head(EVENTS.lead), 0, 0, ...FOUR],
    [head(EVENTS.lead, 1), 255, 255, 255, 255, 255, 255],
    [head(EVENTS.follow), 1, ...FOUR],
    packet(MAX_RECORDED_BYTES),
    packet(MAX_RECORDED_BYTES + 1),
    [head(12)],
    [EVENTS.time, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    ...[2 * MAX_PLAYERS - 2, 2 * MAX_PLAYERS - 1].map((count) =>
      Array.from({ length: count }, () => [head(EVENTS.skip), 1]).flat(),
    ),
    // An input: a flag of 1 and one of a half, and bits without a number.
    ...[0xf0, 0xe0].map((high) => [head(EVENTS.tick), 0, 2, 0, 0, 0, 0, 0, 0, high, 0x3f, ...zeros(4)]),
    [head(EVENTS.tick), ...zeros(6)],
    [head(EVENTS.tick), ...zeros(5), 0x80],
  ];
  return later.map((events) =>
    Uint8Array.from([PROTOCOL_VERSION & 0xff, PROTOCOL_VERSION >> 8, ...BEGUN, ...MOMENT, ...events]),
  );
}

function zeros(count: number): number[] {
  return Array<number>(count).fill(0);
}
