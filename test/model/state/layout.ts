/**
 * A state of the model is an array of small whole numbers, one a cell: every peer's belief, the contents of its
 * hands, its waiting poses, its packets in flight, and the knowledge of each sender. This file gives the place
 * of each. "None" is 0 for a slot or a body; slot or body n is n + 1.
 */

/** The size of a model. */
export type Size = {
  readonly guests: number;
  readonly bodies: number;
  /** Packets in each direction that may still arrive although their sender says something else by now. */
  readonly older: number;
  /**
   * Whether there are poses: resting places, waiting poses, and updates that need not be sent again. Without
   * them a body that its simulator let go of may rest at any time, and everything is always sent.
   */
  readonly poses: boolean;
  /**
   * [S2] Two bodies more: the second has an id of the host's for spawning, and the third one of the first guest's. Only
   * the third one is touched. The host accepts a spawn in even generations, or in odd ones, and refuses all others.
   */
  readonly spawns?: 'even' | 'odd';
  /** [J2] A joint ties all bodies together. */
  readonly jointed?: boolean;
};

export const RECORD = {
  authority: 0,
  hold: 1,
  ownership: 2,
  sequence: 3,
  confirmed: 4,
  pending: 5,
  accepted: 6,
  stale: 7,
  resting: 8,
  /** The number of its rest pose; 0 while it moves. */
  pose: 9,
  /** The author whose states it shows, and their last tick. */
  follows: 10,
  followed: 11,
  /** See existence.ts beside this file. */
  existence: 12,
  size: 13,
} as const;

export const HAND = { held: 0, reach: 1, size: 2 } as const;
/** A pose on its way from an author to be shown; kind 0: none. */
export const WAITS = { kind: 0, pose: 1, tick: 2, size: 3 } as const;
/** The host's knowledge of a guest's avatar. `overrode`: it has moved past a claim of it within the second. */
export const AVATAR = { tick: 0, reach: 1, overrode: 3, size: 4 } as const;
export const RELAY = { author: 0, tick: 1, resting: 2, pose: 3, size: 4 } as const;

/** A guest's packet: for each hand the body that it holds or reaches for, then for each body a claim. */
export const HELD = { body: 0, ownership: 1, sequence: 2, reach: 3, size: 4 } as const;
export const CLAIM = {
  said: 0,
  authority: 1,
  ownership: 2,
  sequence: 3,
  kind: 4,
  pose: 5,
  kept: 6,
  existence: 7,
  size: 8,
} as const;
export const UP_CLAIMS = 2 * HELD.size;
/**
 * The host's packet: for each body a ruling; the last cell is the tick of the pose, which is not part of the
 * ruling.
 */
export const WORD = {
  authority: 0,
  hold: 1,
  ownership: 2,
  sequence: 3,
  kind: 4,
  pose: 5,
  existence: 6,
  tick: 7,
  size: 8,
} as const;

/** [I8] One more than the last generation that was accepted, and that somebody has despawned. */
export const LEDGER = { accepted: 0, despawned: 1, size: 2 } as const;

/** In front of an older packet: whether there is one, its number, and the bodies that have not changed since. */
export const OLDER = { is: 0, number: 1, same: 2, head: 3 } as const;

/** Kinds of updates, as the wire has them. */
export const RECORD_KIND = 0;
export const MOTION_KIND = 1;
export const REST_KIND = 2;

/**
 * A sender's knowledge of a body: it must be sent; the receiver has it; the receiver has it, and rejected it.
 */
export const TO_SAY = 0;
export const KNOWN = 1;
export const DISPUTED = 2;

/** The id that the first guest may spawn, in a layout with `spawns`. */
export const SPAWNED = 2;

export type Layout = ReturnType<typeof createLayout>;

/** The guest's slot is 1 or more; `up` is its way to the host, 0, and down the way back, 1. */
export const UP = 0;
export const DOWN = 1;

export function createLayout(size: Size) {
  const { guests, older, poses } = size;
  const bodies = size.spawns === undefined ? size.bodies : SPAWNED + 1;
  const peers = guests + 1;
  const upSize = UP_CLAIMS + bodies * CLAIM.size;
  const downSize = bodies * WORD.size;
  let end = 0;
  const place = (cells: number): number => {
    const at = end;
    end += cells;
    return at;
  };
  const records = place(peers * bodies * RECORD.size);
  const hands = place(peers * 2 * HAND.size);
  const waits = place(poses ? peers * peers * bodies * WAITS.size : 0);
  const avatars = place(peers * AVATAR.size);
  const relay = place(poses ? bodies * RELAY.size : 0);
  const heard = place(peers * bodies);
  const ticks = place(peers);
  const numbers = place(peers);
  const known = place(poses ? peers * 2 * bodies : 0);
  const ups = place(peers * older * (OLDER.head + upSize));
  const downs = place(peers * older * (OLDER.head + downSize));
  const lawful = place(poses ? bodies : 0);
  const ledger = place(size.spawns === undefined ? 0 : bodies * LEDGER.size);
  return {
    ...size,
    bodies,
    peers,
    upSize,
    downSize,
    cells: end,
    record: (peer: number, body: number) => records + (peer * bodies + body) * RECORD.size,
    hand: (peer: number, side: number) => hands + (peer * 2 + side) * HAND.size,
    /** The pose that `peer` has from `author` and does not show yet. */
    waits: (peer: number, author: number, body: number) =>
      waits + ((peer * peers + author) * bodies + body) * WAITS.size,
    avatar: (guest: number) => avatars + guest * AVATAR.size,
    relay: (body: number) => relay + body * RELAY.size,
    /** The newest packet whose ruling on a body the guest has applied. */
    heard: (guest: number, body: number) => heard + guest * bodies + body,
    /** The newest tick of a peer in which it has sent. */
    tick: (peer: number) => ticks + peer,
    /** The number of the newest packet to a guest. */
    number: (guest: number) => numbers + guest,
    known: (guest: number, way: number, body: number) => known + (guest * 2 + way) * bodies + body,
    packet: (guest: number, way: number, index: number) =>
      way === UP
        ? ups + (guest * older + index) * (OLDER.head + upSize)
        : downs + (guest * older + index) * (OLDER.head + downSize),
    /** The rest pose that the last authority saw; 0: none yet. */
    lawful: (body: number) => lawful + body,
    /** With `spawns` only. */
    ledger: (body: number) => ledger + body * LEDGER.size,
    sizeOf: (way: number) => (way === UP ? upSize : downSize),
  };
}

/** The start: everything rests under none, and all know it. */
export function startOf(layout: Layout): Uint8Array {
  const cells = new Uint8Array(layout.cells);
  for (let body = 0; body < layout.bodies; body++) {
    for (let peer = 0; peer < layout.peers; peer++) {
      const at = layout.record(peer, body);
      cells[at + RECORD.resting] = 1;
      if (!layout.poses) continue;
      cells[at + RECORD.pose] = 1;
      if (peer > 0) cells[layout.known(peer, DOWN, body)] = KNOWN;
    }
    if (layout.poses) cells[layout.lawful(body)] = 1;
  }
  return cells;
}
