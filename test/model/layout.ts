/**
 * A state of the model is a row of small whole numbers, one a cell: what every peer believes, what is in its
 * hands, what waits to be shown, what is in flight, and what each outbox knows. This file says where each is.
 * "None" is 0 wherever a slot or a body stands, and slot or body n is n + 1.
 */

/** How large a model is. */
export type Size = {
  readonly guests: number;
  readonly bodies: number;
  /** Packets in each direction that may still arrive although their sender says something else by now. */
  readonly older: number;
  /**
   * Whether there are poses: who rests where, what waits to be shown, and what an outbox need not say again.
   * Without them a body that its simulator let go of may rest at any time, and everything is always said.
   */
  readonly poses: boolean;
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
  /** Which rest pose it is; 0 while it moves. */
  pose: 9,
  /** Whose states it shows, and the last tick of them. */
  follows: 10,
  followed: 11,
  size: 12,
} as const;

export const HAND = { held: 0, reach: 1, size: 2 } as const;
/** A pose on its way from an author to be shown; kind 0: none. */
export const WAITS = { kind: 0, pose: 1, tick: 2, size: 3 } as const;
/** What the host knows of a guest's avatar; `overrode`: it has moved past a claim of it within the second. */
export const AVATAR = { tick: 0, reach: 1, overrode: 3, size: 4 } as const;
export const RELAY = { author: 0, tick: 1, resting: 2, pose: 3, size: 4 } as const;

/** What a guest says: of each hand what it holds or reaches for, then of each body a claim. */
export const HELD = { body: 0, ownership: 1, sequence: 2, reach: 3, size: 4 } as const;
export const CLAIM = { said: 0, authority: 1, ownership: 2, sequence: 3, kind: 4, pose: 5, size: 6 } as const;
export const UP_CLAIMS = 2 * HELD.size;
/** What the host says of each body; the last is the tick of the pose, which is no part of what is said. */
export const WORD = {
  authority: 0,
  hold: 1,
  ownership: 2,
  sequence: 3,
  kind: 4,
  pose: 5,
  tick: 6,
  size: 7,
} as const;

/** Before what an older packet says: whether there is one, its number, and which bodies are as said since. */
export const OLDER = { is: 0, number: 1, same: 2, head: 3 } as const;

/** Kinds of updates, as the wire has them. */
export const RECORD_KIND = 0;
export const MOTION_KIND = 1;
export const REST_KIND = 2;

/** What an outbox knows of a body: it must be said; the receiver has it; it has it, and spoke against it. */
export const TO_SAY = 0;
export const KNOWN = 1;
export const DISPUTED = 2;

export type Layout = ReturnType<typeof layout>;

/** The guest's slot is 1 or more; `up` is its way to the host, 0, and down the way back, 1. */
export const UP = 0;
export const DOWN = 1;

export function layout(size: Size) {
  const { guests, bodies, older, poses } = size;
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
  return {
    ...size,
    peers,
    upSize,
    downSize,
    cells: end,
    record: (peer: number, body: number) => records + (peer * bodies + body) * RECORD.size,
    hand: (peer: number, side: number) => hands + (peer * 2 + side) * HAND.size,
    /** What `peer` has from `author` and does not show yet. */
    waits: (peer: number, author: number, body: number) =>
      waits + ((peer * peers + author) * bodies + body) * WAITS.size,
    avatar: (guest: number) => avatars + guest * AVATAR.size,
    relay: (body: number) => relay + body * RELAY.size,
    /** The newest packet whose word on a body the guest has heard. */
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
    /** The rest pose that the last authority has seen; 0: none yet. */
    lawful: (body: number) => lawful + body,
    sizeOf: (way: number) => (way === UP ? upSize : downSize),
  };
}

/** The start: everything rests under nobody, and all have heard so. */
export function startOf(l: Layout): Uint8Array {
  const cells = new Uint8Array(l.cells);
  for (let body = 0; body < l.bodies; body++) {
    for (let peer = 0; peer < l.peers; peer++) {
      const at = l.record(peer, body);
      cells[at + RECORD.resting] = 1;
      if (!l.poses) continue;
      cells[at + RECORD.pose] = 1;
      if (peer > 0) cells[l.known(peer, DOWN, body)] = KNOWN;
    }
    if (l.poses) cells[l.lawful(body)] = 1;
  }
  return cells;
}
