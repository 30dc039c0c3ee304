import type { Layout } from './layout.ts';
import { AVATAR, HAND, DISPUTED, DOWN, OLDER, RECORD, UP, WAITS } from './layout.ts';

/** What may happen next. Only what is `asked` counts as an action; everything else is the world's own going on. */
export type Move =
  /** [A6] A hand closes on a body: it grabs it, takes it from the other hand, or reaches for it [A9]. */
  | { readonly kind: 'grab'; readonly peer: number; readonly body: number; readonly side: 0 | 1 }
  /** [A7] A hand opens. `nearest`: whose reaching hand is nearest, if the host decides. */
  | { readonly kind: 'release'; readonly peer: number; readonly side: 0 | 1; readonly nearest: number }
  /** [A5] Something of this player's touches a body, and moves it or not. */
  | { readonly kind: 'touch'; readonly peer: number; readonly body: number; readonly moves: boolean }
  /** [A5] The bodies touch one another. */
  | { readonly kind: 'meet'; readonly peer: number }
  /** [A11] The host gathers a body. */
  | { readonly kind: 'gather'; readonly peer: 0; readonly body: number }
  /** [H6] A guest is made absent, and comes back with its world. */
  | { readonly kind: 'drop'; readonly guest: number }
  /** A packet arrives: the newest (`index` -1), or an older one. */
  | {
      readonly kind: 'arrive';
      readonly guest: number;
      readonly way: number;
      readonly index: number;
      readonly nearest: number;
    }
  /** The packet that answers a refusal is lost. */
  | { readonly kind: 'lose'; readonly guest: number; readonly way: number }
  /** [T2] The oldest poses of an author that wait are due. */
  | { readonly kind: 'due'; readonly peer: number; readonly author: number }
  /** [W7] What another player's hand holds is shown in it. */
  | { readonly kind: 'carry'; readonly peer: number; readonly body: number }
  /** [R2] A body comes to rest where it is simulated. */
  | { readonly kind: 'rest'; readonly peer: number; readonly body: number }
  /** [A7] It has rested for a second. */
  | { readonly kind: 'return'; readonly peer: number; readonly body: number }
  /** [A9] A hand takes what it reached for and nobody was given. */
  | { readonly kind: 'reached'; readonly peer: number; readonly side: 0 | 1 }
  /** [H3] A second has passed since the host moved past a claim. */
  | { readonly kind: 'second' };

/** What a player, or a broken line, may do in this state. */
export function actionsIn(l: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let peer = 0; peer < l.peers; peer++) {
    const [right, left] = [l.hand(peer, 1), l.hand(peer, 0)];
    const free = isFree(cells, right) ? 1 : isFree(cells, left) ? 0 : -1;
    for (let body = 0; body < l.bodies; body++) {
      const reaches = cells[right + HAND.reach] === body + 1 || cells[left + HAND.reach] === body + 1;
      if ((free === 0 || free === 1) && !reaches) moves.push({ kind: 'grab', peer, body, side: free });
      if (l.bodies > 1 || cells[l.record(peer, body) + RECORD.authority] !== 0) continue;
      moves.push({ kind: 'touch', peer, body, moves: false });
      if (l.poses) moves.push({ kind: 'touch', peer, body, moves: true });
    }
    for (const side of [0, 1] as const) {
      if (isFree(cells, l.hand(peer, side))) continue;
      const body = cells[l.hand(peer, side) + HAND.held] - 1;
      const nearest = peer === 0 && body >= 0 ? reachersOf(l, cells, body) : NOBODY;
      for (const slot of nearest) moves.push({ kind: 'release', peer, side, nearest: slot });
    }
    if (l.bodies > 1) moves.push({ kind: 'meet', peer });
    if (peer === HOST) moves.push(...gatheringsIn(l, cells));
    if (peer > 0) moves.push({ kind: 'drop', guest: peer });
  }
  return moves;
}

/** [A11] What the host may gather: nothing that is in a hand. */
function gatheringsIn(l: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let body = 0; body < l.bodies; body++) {
    const at = l.record(HOST, body);
    const isGuests = cells[at + RECORD.authority] > HOST + 1;
    if (isGuests && cells[at + RECORD.hold] === 0) moves.push({ kind: 'gather', peer: HOST, body });
  }
  return moves;
}

/** What may happen by itself. */
export function freeMovesIn(l: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let guest = 1; guest < l.peers; guest++) {
    for (const way of [UP, DOWN]) {
      for (let index = -1; index < l.older; index++) {
        if (index >= 0 && cells[l.packet(guest, way, index) + OLDER.is] === 0) continue;
        const nearest = way === UP ? nearestFor(l, cells, guest) : NOBODY;
        for (const slot of nearest) moves.push({ kind: 'arrive', guest, way, index, nearest: slot });
      }
      for (let body = 0; l.poses && body < l.bodies; body++) {
        if (cells[l.known(guest, way, body)] !== DISPUTED) continue;
        moves.push({ kind: 'lose', guest, way });
        break;
      }
    }
  }
  let overrode = false;
  for (let peer = 0; peer < l.peers; peer++) {
    overrode ||= cells[l.avatar(peer) + AVATAR.overrode] === 1;
    moves.push(...ownMovesOf(l, cells, peer));
  }
  if (overrode) moves.push({ kind: 'second' });
  return moves;
}

/** What may happen by itself on one peer, apart from what arrives. */
export function ownMovesOf(l: Layout, cells: Uint8Array, peer: number): Move[] {
  const moves: Move[] = [];
  for (let author = 0; l.poses && author < l.peers; author++) {
    if (waits(l, cells, peer, author)) moves.push({ kind: 'due', peer, author });
  }
  for (let body = 0; body < l.bodies; body++) {
    const at = l.record(peer, body);
    const authority = cells[at + RECORD.authority];
    const simulates = authority === peer + 1 || (peer === 0 && authority === 0);
    const isHeld = cells[at + RECORD.hold] !== 0;
    if (l.poses && isHeld && authority !== peer + 1 && cells[at + RECORD.resting] === 1)
      moves.push({ kind: 'carry', peer, body });
    if (!simulates || isHeld) continue;
    if (l.poses && cells[at + RECORD.resting] === 0) moves.push({ kind: 'rest', peer, body });
    else if (authority === peer + 1 && nothingWaits(l, cells, peer, body))
      moves.push({ kind: 'return', peer, body });
  }
  for (const side of [0, 1] as const) {
    const reach = cells[l.hand(peer, side) + HAND.reach] - 1;
    if (reach < 0 || cells[l.record(peer, reach) + RECORD.hold] !== 0) continue;
    moves.push({ kind: 'reached', peer, side });
  }
  return moves;
}

/** What has waited for a second would have been shown. */
function nothingWaits(l: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  for (let author = 0; l.poses && author < l.peers; author++) {
    if (cells[l.waits(peer, author, body) + WAITS.kind] !== 0) return false;
  }
  return true;
}

function waits(l: Layout, cells: Uint8Array, peer: number, author: number): boolean {
  for (let body = 0; body < l.bodies; body++) {
    if (cells[l.waits(peer, author, body) + WAITS.kind] !== 0) return true;
  }
  return false;
}

function isFree(cells: Uint8Array, hand: number): boolean {
  return cells[hand + HAND.held] === 0 && cells[hand + HAND.reach] === 0;
}

/** Whose hand may be the nearest to what a guest lets go, if the host hears so now. */
function nearestFor(l: Layout, cells: Uint8Array, guest: number): readonly number[] {
  for (let body = 0; body < l.bodies; body++) {
    const at = l.record(0, body);
    if (cells[at + RECORD.authority] !== guest + 1 || cells[at + RECORD.hold] === 0) continue;
    const reachers = reachersOf(l, cells, body);
    if (reachers.length > 1) return reachers;
  }
  return NOBODY;
}

/** The players whose hands reach for a body, as the host knows; one entry at the least. */
function reachersOf(l: Layout, cells: Uint8Array, body: number): readonly number[] {
  const reachers: number[] = [];
  for (let side = 0; side < 2; side++) {
    if (cells[l.hand(0, side) + HAND.reach] === body + 1 && !reachers.includes(0)) reachers.push(0);
    for (let guest = 1; guest < l.peers; guest++) {
      const reaches = cells[l.avatar(guest) + AVATAR.reach + side] === body + 1;
      if (reaches && !reachers.includes(guest)) reachers.push(guest);
    }
  }
  return reachers.length > 1 ? reachers : NOBODY;
}

const HOST = 0;
const NOBODY: readonly number[] = [-1];
