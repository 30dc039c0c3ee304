import type { Layout } from './layout.ts';
import {
  AVATAR,
  CLAIM,
  DOWN,
  HAND,
  HELD,
  OLDER,
  RECORD,
  RELAY,
  UP,
  UP_CLAIMS,
  WAITS,
  WORD,
} from './layout.ts';

/** The orders in which guests and bodies can stand, and states in them. */

/** Where guests and bodies have come from: the new guest i + 1 is the old `guests[i]`. */
export type Order = { readonly guests: readonly number[]; readonly bodies: readonly number[] };

type Mapping = {
  readonly order: Order;
  readonly from: Uint16Array;
  readonly newSlot: Uint8Array;
  readonly newBody: Uint8Array;
};

const PLAIN = 0;
const SLOT = 1;
const BODY = 2;
const BODIES = 3;

export function orders(l: Layout): Order[] {
  const guests = permutations(Array.from({ length: l.guests }, (_, i) => i + 1));
  const bodies = permutations(Array.from({ length: l.bodies }, (_, i) => i));
  return guests.flatMap((g) => bodies.map((b) => ({ guests: g, bodies: b })));
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [first, ...rest]),
  );
}

export function mapping(l: Layout, order: Order, kinds: Uint8Array): Mapping {
  const from = Uint16Array.from({ length: l.cells }, (_, i) => i);
  const oldPeer = [0, ...order.guests];
  const map = (
    to: number,
    old: number,
    size: number,
    special: readonly (readonly [number, number])[] = [],
  ): void => {
    for (let i = 0; i < size; i++) from[to + i] = old + i;
    for (const [offset, kind] of special) kinds[to + offset] = kind;
  };
  for (let peer = 0; peer < l.peers; peer++) {
    const was = oldPeer[peer];
    for (const side of [0, 1])
      map(l.hand(peer, side), l.hand(was, side), HAND.size, [
        [HAND.held, BODY],
        [HAND.reach, BODY],
      ]);
    map(l.avatar(peer), l.avatar(was), AVATAR.size, [
      [AVATAR.reach, BODY],
      [AVATAR.reach + 1, BODY],
    ]);
    map(l.tick(peer), l.tick(was), 1);
    map(l.number(peer), l.number(was), 1);
    for (const way of [UP, DOWN])
      for (let i = 0; i < l.older; i++)
        map(l.packet(peer, way, i), l.packet(was, way, i), OLDER.head, [[OLDER.same, BODIES]]);
    for (let i = 0; i < l.older; i++)
      for (const side of [0, 1])
        map(heldAt(l, peer, i, side), heldAt(l, was, i, side), HELD.size, [
          [HELD.body, BODY],
          [HELD.reach, BODY],
        ]);
    for (let body = 0; body < l.bodies; body++) mapBody(l, oldPeer, order.bodies, peer, body, map);
  }
  for (let body = 0; l.poses && body < l.bodies; body++) {
    map(l.relay(body), l.relay(order.bodies[body]), RELAY.size, [[RELAY.author, SLOT]]);
    map(l.lawful(body), l.lawful(order.bodies[body]), 1);
  }
  return { order, from, newSlot: inverse(oldPeer), newBody: inverse(order.bodies) };
}

type Map = (to: number, old: number, size: number, special?: readonly (readonly [number, number])[]) => void;

function mapBody(
  l: Layout,
  peers: readonly number[],
  bodies: readonly number[],
  peer: number,
  body: number,
  map: Map,
): void {
  const [was, wasBody] = [peers[peer], bodies[body]];
  map(l.record(peer, body), l.record(was, wasBody), RECORD.size, [
    [RECORD.authority, SLOT],
    [RECORD.follows, SLOT],
  ]);
  for (let author = 0; l.poses && author < l.peers; author++)
    map(l.waits(peer, author, body), l.waits(was, peers[author], wasBody), WAITS.size);
  map(l.heard(peer, body), l.heard(was, wasBody), 1);
  for (const way of l.poses ? [UP, DOWN] : []) map(l.known(peer, way, body), l.known(was, way, wasBody), 1);
  for (let i = 0; i < l.older; i++) {
    const up = OLDER.head + UP_CLAIMS;
    map(
      l.packet(peer, UP, i) + up + body * CLAIM.size,
      l.packet(was, UP, i) + up + wasBody * CLAIM.size,
      CLAIM.size,
      [[CLAIM.authority, SLOT]],
    );
    const down = OLDER.head;
    map(
      l.packet(peer, DOWN, i) + down + body * WORD.size,
      l.packet(was, DOWN, i) + down + wasBody * WORD.size,
      WORD.size,
      [[WORD.authority, SLOT]],
    );
  }
}

function heldAt(l: Layout, guest: number, index: number, side: number): number {
  return l.packet(guest, UP, index) + OLDER.head + side * HELD.size;
}

/** For each value of a cell (0: none, n + 1: slot or body n) its value in the new order. */
function inverse(old: readonly number[]): Uint8Array {
  const out = new Uint8Array(old.length + 1);
  old.forEach((was, is) => (out[was + 1] = is + 1));
  return out;
}

export function permute(
  { from, newSlot, newBody }: Mapping,
  kinds: Uint8Array,
  cells: Uint8Array,
  out: Uint8Array,
): void {
  for (let i = 0; i < cells.length; i++) {
    const value = cells[from[i]];
    const kind = kinds[i];
    if (kind === PLAIN || value === 0) out[i] = value;
    else if (kind === SLOT) out[i] = newSlot[value];
    else if (kind === BODY) out[i] = newBody[value];
    else out[i] = bitsIn(newBody, value);
  }
}

function bitsIn(newBody: Uint8Array, value: number): number {
  let bits = 0;
  for (let body = 0; body < newBody.length - 1; body++)
    if ((value >> body) & 1) bits |= 1 << (newBody[body + 1] - 1);
  return bits;
}

export function compare(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}
