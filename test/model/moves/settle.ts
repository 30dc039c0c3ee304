import type { Layout } from '../state/layout.ts';
import { AVATAR, DOWN, HAND, OLDER, RECORD, UP } from '../state/layout.ts';
import { isLoose, ownMovesOf } from './moves.ts';
import { bodyMark, peerMark } from '../state/words.ts';
import type { Stepper } from './step.ts';

/**
 * Hands are still from now on, and the network delivers: one round of everything that then happens by itself.
 * Senders send only what they must, all of it arrives, and acks are back at once, so that nothing is repeated by
 * luck.
 * @param bring brings cells to their form, in place.
 * @returns the fault on the way, or null.
 */
export function settleOnce(
  layout: Layout,
  step: Stepper,
  cells: Uint8Array,
  bring: (cells: Uint8Array) => void,
): string | null {
  for (let guest = 1; guest < layout.peers; guest++) {
    cells[layout.avatar(guest) + AVATAR.overrode] = 0;
    for (const way of [UP, DOWN]) dropOlder(layout, cells, guest, way);
  }
  for (let peer = 0; peer < layout.peers; peer++) {
    for (const kind of IN_ORDER) {
      for (const move of ownMovesOf(layout, cells, peer).filter((own) => own.kind === kind)) {
        step.at(cells);
        cells.set(step.perform(move)[0]);
        const broken = step.broken();
        if (broken !== null) return broken;
      }
    }
  }
  for (let guest = 1; guest < layout.peers; guest++) {
    for (const way of [UP, DOWN]) {
      step.at(cells);
      cells.set(step.deliver(guest, way));
      const broken = step.broken();
      if (broken !== null) return broken;
      for (let each = 1; each < layout.peers; each++)
        for (const direction of [UP, DOWN]) dropOlder(layout, cells, each, direction);
    }
  }
  bring(cells);
  return null;
}

/** A waiting pose is due long before a body has rested for a second. */
const IN_ORDER = ['due', 'carry', 'rest', 'return', 'reached'] as const;

function dropOlder(layout: Layout, cells: Uint8Array, guest: number, way: number): void {
  for (let i = 0; i < layout.older; i++) {
    const at = layout.packet(guest, way, i);
    cells.fill(0, at, at + OLDER.head + layout.sizeOf(way));
  }
}

/**
 * [I1], [I3], [I4]: the difference between the peers, or the stuck body, now that nothing happens any more; or
 * null.
 */
export function disagreement(layout: Layout, cells: Uint8Array): string | null {
  for (let body = 0; body < layout.bodies; body++) {
    const host = layout.record(0, body);
    const isHeld = !isLoose(layout, cells, 0, body);
    const authority = cells[host + RECORD.authority];
    if (!isHeld && authority !== 0) return `[I4] ${bodyMark(body)} stays under ${peerMark(authority - 1)}`;
    if (layout.poses && !isHeld && cells[host + RECORD.resting] === 0)
      return `[I4] ${bodyMark(body)} never rests`;
    for (let peer = 0; peer < layout.peers; peer++) {
      const found = differs(layout, cells, peer, body) ?? wrongHand(layout, cells, peer, body);
      if (found !== null) return found;
      const isElsewhere =
        layout.poses && cells[layout.record(peer, body) + RECORD.pose] !== cells[layout.lawful(body)];
      if (!isHeld && isElsewhere)
        return `[I3] ${peerMark(peer)} has ${bodyMark(body)} elsewhere than where it came to rest`;
    }
  }
  return null;
}

function differs(layout: Layout, cells: Uint8Array, peer: number, body: number): string | null {
  const [at, host] = [layout.record(peer, body), layout.record(0, body)];
  if (cells[at + RECORD.existence] !== cells[host + RECORD.existence])
    return `[I7] ${peerMark(peer)} and the host have another ${bodyMark(body)}, or one has none`;
  for (const [name, offset] of AGREED) {
    const [theirs, ours] = [cells[at + offset], cells[host + offset]];
    if (theirs === ours) continue;
    const say = (value: number): string => (name === 'authority' ? peerMark(value - 1) : String(value));
    return `[I1] of ${bodyMark(body)}, ${peerMark(peer)} says ${name} ${say(theirs)}, and the host ${say(ours)}`;
  }
  return cells[at + RECORD.pending] === 0
    ? null
    : `[I4] ${peerMark(peer)} goes on giving back ${bodyMark(body)}`;
}

const AGREED = [
  ['authority', RECORD.authority],
  ['hold', RECORD.hold],
  ['ownership sequence', RECORD.ownership],
  ['authority sequence', RECORD.sequence],
] as const;

function wrongHand(layout: Layout, cells: Uint8Array, peer: number, body: number): string | null {
  const host = layout.record(0, body);
  for (const side of [0, 1]) {
    const has = cells[layout.hand(peer, side) + HAND.held] === body + 1;
    const should = cells[host + RECORD.authority] === peer + 1 && cells[host + RECORD.hold] === side + 1;
    if (has && !should)
      return `[I1] ${peerMark(peer)} has ${bodyMark(body)} in its hand, and the host does not agree`;
    if (should && !has)
      return `[I1] the host has ${bodyMark(body)} in a hand of ${peerMark(peer)}, which is empty`;
  }
  return null;
}
