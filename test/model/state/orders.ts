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

/** The origin of guests and bodies: the new guest i + 1 is the old `guests[i]`. */
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

export function orders(layout: Layout): Order[] {
  // The ids for spawning belong to certain players.
  if (layout.spawns !== undefined)
    return [{ guests: range(layout.guests, 1), bodies: range(layout.bodies, 0) }];
  const guests = permutations(Array.from({ length: layout.guests }, (_, i) => i + 1));
  const bodies = permutations(Array.from({ length: layout.bodies }, (_, i) => i));
  return guests.flatMap((g) => bodies.map((b) => ({ guests: g, bodies: b })));
}

function range(count: number, first: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [first, ...rest]),
  );
}

export function mapping(layout: Layout, order: Order, kinds: Uint8Array): Mapping {
  const from = Uint16Array.from({ length: layout.cells }, (_, i) => i);
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
  for (let peer = 0; peer < layout.peers; peer++) {
    const was = oldPeer[peer];
    for (const side of [0, 1])
      map(layout.hand(peer, side), layout.hand(was, side), HAND.size, [
        [HAND.held, BODY],
        [HAND.reach, BODY],
      ]);
    map(layout.avatar(peer), layout.avatar(was), AVATAR.size, [
      [AVATAR.reach, BODY],
      [AVATAR.reach + 1, BODY],
    ]);
    map(layout.tick(peer), layout.tick(was), 1);
    map(layout.number(peer), layout.number(was), 1);
    for (const way of [UP, DOWN])
      for (let i = 0; i < layout.older; i++)
        map(layout.packet(peer, way, i), layout.packet(was, way, i), OLDER.head, [[OLDER.same, BODIES]]);
    for (let i = 0; i < layout.older; i++)
      for (const side of [0, 1])
        map(heldAt(layout, peer, i, side), heldAt(layout, was, i, side), HELD.size, [
          [HELD.body, BODY],
          [HELD.reach, BODY],
        ]);
    for (let body = 0; body < layout.bodies; body++) mapBody(layout, oldPeer, order.bodies, peer, body, map);
  }
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    map(layout.relay(body), layout.relay(order.bodies[body]), RELAY.size, [[RELAY.author, SLOT]]);
    map(layout.lawful(body), layout.lawful(order.bodies[body]), 1);
  }
  return { order, from, newSlot: inverse(oldPeer), newBody: inverse(order.bodies) };
}

type Map = (to: number, old: number, size: number, special?: readonly (readonly [number, number])[]) => void;

function mapBody(
  layout: Layout,
  peers: readonly number[],
  bodies: readonly number[],
  peer: number,
  body: number,
  map: Map,
): void {
  const [was, wasBody] = [peers[peer], bodies[body]];
  map(layout.record(peer, body), layout.record(was, wasBody), RECORD.size, [
    [RECORD.authority, SLOT],
    [RECORD.follows, SLOT],
  ]);
  for (let author = 0; layout.poses && author < layout.peers; author++)
    map(layout.waits(peer, author, body), layout.waits(was, peers[author], wasBody), WAITS.size);
  map(layout.heard(peer, body), layout.heard(was, wasBody), 1);
  for (const way of layout.poses ? [UP, DOWN] : [])
    map(layout.known(peer, way, body), layout.known(was, way, wasBody), 1);
  for (let i = 0; i < layout.older; i++) {
    const up = OLDER.head + UP_CLAIMS;
    map(
      layout.packet(peer, UP, i) + up + body * CLAIM.size,
      layout.packet(was, UP, i) + up + wasBody * CLAIM.size,
      CLAIM.size,
      [[CLAIM.authority, SLOT]],
    );
    const down = OLDER.head;
    map(
      layout.packet(peer, DOWN, i) + down + body * WORD.size,
      layout.packet(was, DOWN, i) + down + wasBody * WORD.size,
      WORD.size,
      [[WORD.authority, SLOT]],
    );
  }
}

function heldAt(layout: Layout, guest: number, index: number, side: number): number {
  return layout.packet(guest, UP, index) + OLDER.head + side * HELD.size;
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
