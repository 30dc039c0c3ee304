import { MAX_PACKET_BYTES } from '../../core/base/constants.ts';
import { HAND_POSITION, HEADER_NUMBER, sizeLevel } from '../../core/wire/coder/contexts.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { RangeReader } from '../../core/wire/coder/range-reader.ts';
import { RangeWriter } from '../../core/wire/coder/range-writer.ts';
import type { Hand } from '../game/hand.ts';
import type { Snapshot } from './snapshots.ts';
import { codeBodies, SnapshotRing } from './snapshots.ts';

/**
 * The messages of the lab's models, coded by Handover's range coder, so that none of them pays for a worse one.
 * Each function describes writing and reading at once (see Coder). Ticks travel whole.
 */

/** Bits of a tick: enough for over four hours. */
const TICK_BITS = 20;
/** Bits of a number of hands, and the most hands in a packet: as many as surely fit. */
const COUNT_BITS = 8;
export const MOST_HANDS = 120;

/** Codes a tick as TICK_BITS plain bits. @returns the tick. */
export function codeTick(c: Coder, tick: number): number {
  return c.bits(tick, TICK_BITS);
}

/** Codes a hand as its difference from one that both ends know. */
function codeHand(c: Coder, hand: Hand, known: Hand): Hand {
  let level = 0;
  const one = (value: number, from: number): number => {
    const step = c.number(HAND_POSITION, level, 0, value - from);
    level = sizeLevel(step);
    return from + step;
  };
  const x = one(hand.x, known.x);
  const y = one(hand.y, known.y);
  return { x, y, z: one(hand.z, known.z) };
}

/**
 * Codes the hands of the ticks up to `newest`, newest first. A lost hand is sent again with the new ones, which
 * costs little because hands move on as they moved.
 * @param handOf called by a writer.
 * @returns the number of hands; `take` was called for each.
 */
export function codeHands(
  c: Coder,
  newest: number,
  count: number,
  home: Hand,
  handOf: (tick: number) => Hand,
  take: (tick: number, hand: Hand) => void,
): number {
  const read = c.bits(count, COUNT_BITS);
  let last = home;
  let before = home;
  for (let i = 0; i < read && !c.failed; i++) {
    // From the third hand on, the expected movement is that of the hand after it.
    const expected =
      i < 2 ? last : { x: 2 * last.x - before.x, y: 2 * last.y - before.y, z: 2 * last.z - before.z };
    const hand = codeHand(c, handOf(newest - i), expected);
    take(newest - i, hand);
    before = last;
    last = hand;
  }
  return read;
}

/** Packets are written and read one at a time, so the whole lab shares these. */
const writer = new RangeWriter(MAX_PACKET_BYTES);
const reader = new RangeReader();

/** The bytes that `code` writes. They are valid until the next packet is written. */
export function writePacket(code: (c: Coder) => void): Uint8Array {
  writer.clear();
  code(writer);
  const bytes = writer.finish();
  if (writer.written > MAX_PACKET_BYTES * 8) throw new Error('a packet of the lab is too long');
  return bytes;
}

/**
 * Reads a packet.
 * @returns false if it is not what `code` describes.
 */
export function readPacket(bytes: Uint8Array, code: (c: Coder) => void): boolean {
  reader.start(bytes);
  code(reader);
  return !reader.failed;
}

/**
 * Codes the header of a snapshot's packet: its tick, and its baseline.
 * @param snapshots this end's snapshots: those that a writer sent, or a reader got.
 * @param tick the tick of the snapshot to write; a reader ignores it.
 * @param acked the newest tick that the reader is known to have, or -1.
 * @returns the snapshot; null if it can't be read, or is old.
 */
export function codeSnapshot(
  c: Coder,
  snapshots: SnapshotRing,
  tick: number,
  acked: number,
  bodies: readonly number[],
): Snapshot | null {
  const isKnown = tick - acked <= SnapshotRing.mostAge && snapshots.at(acked) !== null;
  const at = codeTick(c, tick);
  const age = c.bits(isKnown ? tick - acked : 0, COUNT_BITS);
  const baseline = age === 0 ? snapshots.start : snapshots.at(at - age);
  const own = snapshots.at(at);
  // A writer has it. A reader that has it got it twice, or late.
  const snapshot = own ?? (snapshots.isPast(at) ? null : snapshots.make(at));
  if (baseline === null || snapshot === null || snapshot === baseline) {
    c.fail();
    return null;
  }
  snapshot.worldTick = at - c.number(HEADER_NUMBER, 0, 0, at - snapshot.worldTick);
  const span = age === 0 ? 0 : Math.max(0, snapshot.worldTick - baseline.worldTick);
  snapshot.hands = baseline.hands.map((known, player) => codeHand(c, snapshot.hands[player] ?? known, known));
  codeBodies(c, snapshots.motion, snapshot, baseline, span, bodies);
  if (!c.failed) return snapshot;
  snapshot.tick = -1;
  return null;
}
