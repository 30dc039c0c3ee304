import { isInHand, KEPT } from '../../../src/core/base/ids.ts';
import type { Layout } from '../state/layout.ts';
import { isBodyIn } from '../state/existence.ts';
import { AVATAR, HAND, DISPUTED, DOWN, OLDER, RECORD, SPAWNED, UP, WAITS } from '../state/layout.ts';

/** The possible next moves. Only an `asked` move counts as an action; all others happen by themselves. */
export type Move =
  /** [A6] A hand closes on a body: it grabs it, takes it from the other hand, or reaches for it [A9]. */
  | { readonly kind: 'grab'; readonly peer: number; readonly body: number; readonly side: 0 | 1 }
  /** [A7] A hand opens. `nearest`: whose reaching hand is nearest, if the host decides. */
  | { readonly kind: 'release'; readonly peer: number; readonly side: 0 | 1; readonly nearest: number }
  /** [A5] Something of this player's touches a body, and moves it or not. */
  | { readonly kind: 'touch'; readonly peer: number; readonly body: number; readonly moves: boolean }
  /** [A5] The bodies touch one another. */
  | { readonly kind: 'meet'; readonly peer: number }
  /** [A12] A player begins to keep a body, or ends it. */
  | { readonly kind: 'keep'; readonly peer: number; readonly body: number; readonly on: boolean }
  /** [A14] Something of this player's strikes another player's body. */
  | { readonly kind: 'strike'; readonly peer: number; readonly body: number }
  /** [S2] The first guest spawns the body of its id. */
  | { readonly kind: 'spawn'; readonly peer: number }
  /** [S3] A player despawns a body. */
  | { readonly kind: 'despawn'; readonly peer: number; readonly body: number }
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

/** The actions of players, and of broken lines, in this state. */
export function actionsIn(layout: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let peer = 0; peer < layout.peers; peer++) {
    const [right, left] = [layout.hand(peer, 1), layout.hand(peer, 0)];
    const free = isFree(cells, right) ? 1 : isFree(cells, left) ? 0 : -1;
    moves.push(...spawningIn(layout, cells, peer));
    for (let body = 0; body < layout.bodies; body++) {
      if (layout.spawns !== undefined && !isTouched(layout, cells, peer, body)) continue;
      const reaches = cells[right + HAND.reach] === body + 1 || cells[left + HAND.reach] === body + 1;
      if ((free === 0 || free === 1) && !reaches) moves.push({ kind: 'grab', peer, body, side: free });
      const keeping = keepingIn(layout, cells, peer, body);
      if (keeping !== null) moves.push(keeping);
      if (mayStrike(layout, cells, peer, body)) moves.push({ kind: 'strike', peer, body });
      if (hasPairs(layout) || cells[layout.record(peer, body) + RECORD.authority] !== 0) continue;
      moves.push({ kind: 'touch', peer, body, moves: false });
      if (layout.poses) moves.push({ kind: 'touch', peer, body, moves: true });
    }
    for (const side of [0, 1] as const) {
      if (isFree(cells, layout.hand(peer, side))) continue;
      const body = cells[layout.hand(peer, side) + HAND.held] - 1;
      const nearest = peer === 0 && body >= 0 ? reachersOf(layout, cells, body) : NOBODY;
      for (const slot of nearest) moves.push({ kind: 'release', peer, side, nearest: slot });
    }
    if (hasPairs(layout)) moves.push({ kind: 'meet', peer });
    if (peer === HOST) moves.push(...gatheringsIn(layout, cells));
    if (peer > 0) moves.push({ kind: 'drop', guest: peer });
  }
  return moves;
}

/** Two bodies may meet. */
function hasPairs({ bodies, spawns, jointed }: Layout): boolean {
  return bodies > 1 && spawns === undefined && jointed !== true;
}

/** True for the body that may be spawned, while this player has it. */
function isTouched(layout: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  return body === SPAWNED && isBodyIn(cells[layout.record(peer, body) + RECORD.existence]);
}

/** [S2], [S3] The first guest spawns; the host despawns any body, and a guest its own one once it is confirmed. */
function spawningIn(layout: Layout, cells: Uint8Array, peer: number): Move[] {
  if (layout.spawns === undefined) return [];
  const at = layout.record(peer, SPAWNED);
  if (!isTouched(layout, cells, peer, SPAWNED)) {
    const isSettled = cells[at + RECORD.stale] === 0 && cells[at + RECORD.pending] === 0;
    return peer === 1 && isSettled ? [{ kind: 'spawn', peer }] : [];
  }
  const isOwn = cells[at + RECORD.authority] === peer + 1 && cells[at + RECORD.confirmed] === 1;
  return peer === HOST || isOwn ? [{ kind: 'despawn', peer, body: SPAWNED }] : [];
}

/** [A12] A body that a player keeps may be kept no more, and one that nobody holds may be kept. */
function keepingIn(layout: Layout, cells: Uint8Array, peer: number, body: number): Move | null {
  const at = layout.record(peer, body);
  const isOwn = cells[at + RECORD.authority] === peer + 1;
  if (isOwn && cells[at + RECORD.hold] === KEPT) return { kind: 'keep', peer, body, on: false };
  return isLoose(layout, cells, peer, body) ? { kind: 'keep', peer, body, on: true } : null;
}

/** [A14] True for an awake body of another player that nobody holds. */
function mayStrike(layout: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  const at = layout.record(peer, body);
  const isAnothers = cells[at + RECORD.authority] !== 0 && cells[at + RECORD.authority] !== peer + 1;
  return isAnothers && isLoose(layout, cells, peer, body) && cells[at + RECORD.resting] === 0;
}

/** [A11] The bodies that the host may gather: none that is in a hand. */
function gatheringsIn(layout: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.record(HOST, body);
    const isGuests = cells[at + RECORD.authority] > HOST + 1;
    if (isGuests && isLoose(layout, cells, HOST, body)) moves.push({ kind: 'gather', peer: HOST, body });
  }
  return moves;
}

/** The moves that happen by themselves. */
export function freeMovesIn(layout: Layout, cells: Uint8Array): Move[] {
  const moves: Move[] = [];
  for (let guest = 1; guest < layout.peers; guest++) {
    for (const way of [UP, DOWN]) {
      for (let index = -1; index < layout.older; index++) {
        if (index >= 0 && cells[layout.packet(guest, way, index) + OLDER.is] === 0) continue;
        const nearest = way === UP ? nearestFor(layout, cells, guest) : NOBODY;
        for (const slot of nearest) moves.push({ kind: 'arrive', guest, way, index, nearest: slot });
      }
      for (let body = 0; layout.poses && body < layout.bodies; body++) {
        if (cells[layout.known(guest, way, body)] !== DISPUTED) continue;
        moves.push({ kind: 'lose', guest, way });
        break;
      }
    }
  }
  let overrode = false;
  for (let peer = 0; peer < layout.peers; peer++) {
    overrode ||= cells[layout.avatar(peer) + AVATAR.overrode] === 1;
    moves.push(...ownMovesOf(layout, cells, peer));
  }
  if (overrode) moves.push({ kind: 'second' });
  return moves;
}

/** True if a hand holds the body, or a part of its island [J2.2], by the record of a peer. */
function isHeldIn(layout: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  return islandOf(layout, body).some((part) => isInHand(cells[layout.record(peer, part) + RECORD.hold]));
}

/** True if nobody holds or keeps the body, or a part of its island. */
export function isLoose(layout: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  return islandOf(layout, body).every((part) => cells[layout.record(peer, part) + RECORD.hold] === 0);
}

function islandOf({ jointed, bodies }: Layout, body: number): number[] {
  return jointed === true ? Array.from({ length: bodies }, (_, part) => part) : [body];
}

/** The moves that happen by themselves on one peer, apart from arrivals. */
export function ownMovesOf(layout: Layout, cells: Uint8Array, peer: number): Move[] {
  const moves: Move[] = [];
  for (let author = 0; layout.poses && author < layout.peers; author++) {
    if (waits(layout, cells, peer, author)) moves.push({ kind: 'due', peer, author });
  }
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.record(peer, body);
    const authority = cells[at + RECORD.authority];
    const simulates = authority === peer + 1 || (peer === 0 && authority === 0);
    const isHeld = isHeldIn(layout, cells, peer, body);
    if (layout.poses && isHeld && authority !== peer + 1 && cells[at + RECORD.resting] === 1)
      moves.push({ kind: 'carry', peer, body });
    if (!simulates || isHeld) continue;
    if (layout.poses && cells[at + RECORD.resting] === 0) moves.push({ kind: 'rest', peer, body });
    else if (authority === peer + 1 && nothingWaits(layout, cells, peer, body))
      moves.push({ kind: 'return', peer, body });
  }
  for (const side of [0, 1] as const) {
    const reach = cells[layout.hand(peer, side) + HAND.reach] - 1;
    if (reach < 0 || isHeldIn(layout, cells, peer, reach)) continue;
    moves.push({ kind: 'reached', peer, side });
  }
  return moves;
}

/** A pose that has waited for a second would have been shown. */
function nothingWaits(layout: Layout, cells: Uint8Array, peer: number, body: number): boolean {
  for (let author = 0; layout.poses && author < layout.peers; author++) {
    if (cells[layout.waits(peer, author, body) + WAITS.kind] !== 0) return false;
  }
  return true;
}

function waits(layout: Layout, cells: Uint8Array, peer: number, author: number): boolean {
  for (let body = 0; body < layout.bodies; body++) {
    if (cells[layout.waits(peer, author, body) + WAITS.kind] !== 0) return true;
  }
  return false;
}

function isFree(cells: Uint8Array, hand: number): boolean {
  return cells[hand + HAND.held] === 0 && cells[hand + HAND.reach] === 0;
}

/** The players whose hand may be the nearest to a body that a guest lets go of, if the host hears so now. */
function nearestFor(layout: Layout, cells: Uint8Array, guest: number): readonly number[] {
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.record(0, body);
    if (cells[at + RECORD.authority] !== guest + 1 || cells[at + RECORD.hold] === 0) continue;
    const reachers = reachersOf(layout, cells, body);
    if (reachers.length > 1) return reachers;
  }
  return NOBODY;
}

/** The players whose hands reach for a body, as the host knows; at least one entry. */
function reachersOf(layout: Layout, cells: Uint8Array, body: number): readonly number[] {
  const reachers: number[] = [];
  for (let side = 0; side < 2; side++) {
    if (cells[layout.hand(0, side) + HAND.reach] === body + 1 && !reachers.includes(0)) reachers.push(0);
    for (let guest = 1; guest < layout.peers; guest++) {
      const reaches = cells[layout.avatar(guest) + AVATAR.reach + side] === body + 1;
      if (reaches && !reachers.includes(guest)) reachers.push(guest);
    }
  }
  return reachers.length > 1 ? reachers : NOBODY;
}

const HOST = 0;
const NOBODY: readonly number[] = [-1];
