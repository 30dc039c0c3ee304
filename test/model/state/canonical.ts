import type { Layout } from './layout.ts';
import {
  AVATAR,
  CLAIM,
  DOWN,
  HELD,
  OLDER,
  RECORD,
  RECORD_KIND,
  RELAY,
  UP,
  UP_CLAIMS,
  WAITS,
  WORD,
} from './layout.ts';
import type { Order } from './orders.ts';
import { compare, mapping, orders, permute } from './orders.ts';

/**
 * Many states are one for all that can still happen. Each is brought to one form:
 * - Cells that nothing reads any more are 0, and packets that can change nothing any more are gone.
 * - Ownership sequences are only ever compared, and stepped by one: they count from the lowest that is left. An
 *   authority sequence starts at 0 or 1 under each new ownership, so it counts from the lowest only if all have
 *   the same ownership: any later one is under a newer ownership, and is not compared with these.
 * - Ticks and packet numbers of one author are only ever compared, so their order stands for them.
 * - Rest poses are only ever compared: they are numbered in the order in which they appear.
 * - Guests are interchangeable, and so are bodies: of all orders the least counts.
 */
export type Canonical = {
  /**
   * Brings the cells to their form, in place.
   * @returns the chosen order of guests and bodies.
   */
  readonly bring: (cells: Uint8Array) => Order;
};

export function canonical(layout: Layout): Canonical {
  const kinds = new Uint8Array(layout.cells);
  const mappings = orders(layout).map((order) => mapping(layout, order, kinds));
  const poses = Array.from({ length: layout.poses ? layout.bodies : 0 }, (_, body) =>
    poseCells(layout, body),
  );
  // [J2.1] The sequences of an island are the same ones.
  const ids = Array.from({ length: layout.bodies }, (_, body) => body);
  const islands = layout.jointed === true ? [ids] : ids.map((body) => [body]);
  const best = new Uint8Array(layout.cells);
  const trial = new Uint8Array(layout.cells);
  return {
    bring(cells) {
      clean(layout, cells);
      for (const island of islands) shiftSequences(layout, cells, island);
      for (let guest = 1; guest < layout.peers; guest++) {
        rankTicks(layout, cells, guest);
        rankNumbers(layout, cells, guest);
      }
      let chosen = mappings[0];
      for (const each of mappings) {
        permute(each, kinds, cells, trial);
        for (const list of poses) renamePoses(list, trial);
        if (each !== mappings[0] && compare(trial, best) >= 0) continue;
        best.set(trial);
        chosen = each;
      }
      cells.set(best);
      return chosen.order;
    },
  };
}

// --- Cells that nothing reads ---

function clean(layout: Layout, cells: Uint8Array): void {
  for (let body = 0; body < layout.bodies; body++) {
    for (let peer = 0; peer < layout.peers; peer++) {
      const at = layout.record(peer, body);
      if (cells[at + RECORD.authority] !== peer + 1) cells[at + RECORD.confirmed] = 0;
      if (peer > 0 || cells[at + RECORD.authority] < 2) cells[at + RECORD.accepted] = 0;
    }
    if (!layout.poses) continue;
    const relay = layout.relay(body);
    const { [layout.record(0, body) + RECORD.authority]: authority } = cells;
    if (authority < 2 || cells[relay + RELAY.author] !== authority) cells.fill(0, relay, relay + RELAY.size);
  }
  for (let guest = 1; guest < layout.peers; guest++) {
    for (let i = 0; i < layout.older; i++) {
      dropIf(layout, cells, guest, UP, i, isUselessUp);
      dropIf(layout, cells, guest, DOWN, i, isUselessDown);
    }
    for (const way of [UP, DOWN]) closeGaps(layout, cells, guest, way);
  }
}

function dropIf(
  layout: Layout,
  cells: Uint8Array,
  guest: number,
  way: number,
  index: number,
  isUseless: (layout: Layout, cells: Uint8Array, guest: number, at: number) => boolean,
): void {
  const at = layout.packet(guest, way, index);
  if (cells[at + OLDER.is] === 1 && isUseless(layout, cells, guest, at))
    cells.fill(0, at, at + OLDER.head + layout.sizeOf(way));
}

/** Drops an avatar that was overtaken, and claims that are older than anything that the host has accepted. */
function isUselessUp(layout: Layout, cells: Uint8Array, guest: number, at: number): boolean {
  if (cells[at + OLDER.number] > cells[layout.avatar(guest) + AVATAR.tick]) return false;
  for (let body = 0; body < layout.bodies; body++) {
    const claim = at + OLDER.head + UP_CLAIMS + body * CLAIM.size;
    if (cells[claim + CLAIM.said] === 0) continue;
    const record = layout.record(0, body);
    const isGuests = cells[record + RECORD.authority] > 1;
    const least = cells[record + (isGuests ? RECORD.accepted : RECORD.ownership)];
    if (cells[claim + CLAIM.ownership] >= least) return false;
  }
  return true;
}

/** Drops rulings that were overtaken and have no pose, or the pose of a past record. */
function isUselessDown(layout: Layout, cells: Uint8Array, guest: number, at: number): boolean {
  for (let body = 0; body < layout.bodies; body++) {
    const word = at + OLDER.head + body * WORD.size;
    if (cells[word + WORD.kind] === 0) continue;
    if (cells[at + OLDER.number] > cells[layout.heard(guest, body)]) return false;
    if (cells[word + WORD.kind] === 1 + RECORD_KIND) continue;
    const record = layout.record(guest, body);
    if (cells[word + WORD.ownership] > cells[record + RECORD.ownership]) return false;
    const isPast =
      cells[word + WORD.ownership] < cells[record + RECORD.ownership] ||
      cells[word + WORD.sequence] < cells[record + RECORD.sequence];
    if (!isPast) return false;
  }
  return true;
}

/** Older packets stand first, in the order of their numbers. */
function closeGaps(layout: Layout, cells: Uint8Array, guest: number, way: number): void {
  const size = OLDER.head + layout.sizeOf(way);
  for (let i = 0; i < layout.older; i++) {
    for (let j = layout.older - 1; j > i; j--) {
      const [a, b] = [layout.packet(guest, way, j - 1), layout.packet(guest, way, j)];
      const swap = cells[b] === 1 && (cells[a] === 0 || cells[a + OLDER.number] > cells[b + OLDER.number]);
      if (!swap) continue;
      const kept = cells.slice(a, a + size);
      cells.copyWithin(a, b, b + size);
      cells.set(kept, b);
    }
  }
}

// --- Sequences ---

const ownerships: number[] = [];
const sequences: number[] = [];

function shiftSequences(layout: Layout, cells: Uint8Array, island: readonly number[]): void {
  ownerships.length = 0;
  sequences.length = 0;
  for (const body of island) collectSequences(layout, cells, body);
  const spread = shift(cells, ownerships);
  if (spread === 0) shift(cells, sequences);
}

function collectSequences(layout: Layout, cells: Uint8Array, body: number): void {
  for (let peer = 0; peer < layout.peers; peer++) {
    const at = layout.record(peer, body);
    ownerships.push(at + RECORD.ownership);
    sequences.push(at + RECORD.sequence);
  }
  const host = layout.record(0, body);
  if (cells[host + RECORD.authority] > 1) ownerships.push(host + RECORD.accepted);
  for (let guest = 1; guest < layout.peers; guest++) {
    for (let i = 0; i < layout.older; i++) {
      collectUp(cells, layout.packet(guest, UP, i), body);
      const word = layout.packet(guest, DOWN, i) + OLDER.head + body * WORD.size;
      if (cells[word + WORD.kind] === 0) continue;
      ownerships.push(word + WORD.ownership);
      sequences.push(word + WORD.sequence);
    }
  }
}

function collectUp(cells: Uint8Array, at: number, body: number): void {
  if (cells[at + OLDER.is] === 0) return;
  const claim = at + OLDER.head + UP_CLAIMS + body * CLAIM.size;
  if (cells[claim + CLAIM.said] === 1) {
    ownerships.push(claim + CLAIM.ownership);
    sequences.push(claim + CLAIM.sequence);
  }
  for (let side = 0; side < 2; side++) {
    const hand = at + OLDER.head + side * HELD.size;
    if (cells[hand + HELD.body] !== body + 1) continue;
    ownerships.push(hand + HELD.ownership);
    sequences.push(hand + HELD.sequence);
  }
}

/**
 * Counts these cells from their lowest.
 * @returns the span.
 */
function shift(cells: Uint8Array, list: readonly number[]): number {
  let [low, high] = [255, 0];
  for (const at of list) {
    low = Math.min(low, cells[at]);
    high = Math.max(high, cells[at]);
  }
  for (const at of list) cells[at] -= low;
  return high - low;
}

// --- Ticks ---

const sources: number[] = [];
const bounds: number[] = [];

/** The ticks of a guest: of packets that travel or wait, and of what others have received. */
function rankTicks(layout: Layout, cells: Uint8Array, guest: number): void {
  sources.length = 0;
  bounds.length = 0;
  for (let i = 0; i < layout.older; i++) {
    const at = layout.packet(guest, UP, i);
    if (cells[at + OLDER.is] === 1) sources.push(at + OLDER.number);
  }
  bounds.push(layout.avatar(guest) + AVATAR.tick);
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    if (cells[layout.relay(body) + RELAY.author] === guest + 1) sources.push(layout.relay(body) + RELAY.tick);
    for (let peer = 0; peer < layout.peers; peer++) {
      const waits = layout.waits(peer, guest, body);
      if (cells[waits + WAITS.kind] !== 0) sources.push(waits + WAITS.tick);
      const record = layout.record(peer, body);
      if (cells[record + RECORD.follows] === guest + 1) bounds.push(record + RECORD.followed);
      if (peer > 0) collectPoseTicks(layout, cells, peer, guest, body);
    }
  }
  cells[layout.tick(guest)] = rank(cells);
}

/** The ticks of a guest's poses in the host's packets to another guest. */
function collectPoseTicks(layout: Layout, cells: Uint8Array, to: number, guest: number, body: number): void {
  for (let i = 0; i < layout.older; i++) {
    const word = layout.packet(to, DOWN, i) + OLDER.head + body * WORD.size;
    const isTheirs = cells[word + WORD.authority] === guest + 1 && cells[word + WORD.tick] > 0;
    if (isTheirs) sources.push(word + WORD.tick);
  }
}

/** The same for the numbers of the host's packets to a guest, which stand for the host's ticks, too. */
function rankNumbers(layout: Layout, cells: Uint8Array, guest: number): void {
  sources.length = 0;
  bounds.length = 0;
  for (let i = 0; i < layout.older; i++) {
    const at = layout.packet(guest, DOWN, i);
    if (cells[at + OLDER.is] === 1) sources.push(at + OLDER.number);
  }
  for (let body = 0; body < layout.bodies; body++) {
    const waits = layout.waits(guest, 0, body);
    if (layout.poses && cells[waits + WAITS.kind] !== 0) sources.push(waits + WAITS.tick);
    bounds.push(layout.heard(guest, body));
    const record = layout.record(guest, body);
    if (cells[record + RECORD.follows] === 1) bounds.push(record + RECORD.followed);
  }
  cells[layout.number(guest)] = rank(cells);
}

const ranked: number[] = [];

/**
 * Sources become odd, in their order; a bound becomes even, above the sources up to it.
 * @returns the top.
 */
function rank(cells: Uint8Array): number {
  ranked.length = 0;
  for (const at of sources) if (!ranked.includes(cells[at])) ranked.push(cells[at]);
  ranked.sort(ascending);
  for (const at of bounds) {
    let below = 0;
    while (below < ranked.length && ranked[below] <= cells[at]) below++;
    cells[at] = 2 * below;
  }
  for (const at of sources) cells[at] = 2 * ranked.indexOf(cells[at]) + 1;
  return 2 * ranked.length;
}

function ascending(a: number, b: number): number {
  return a - b;
}

// --- Poses ---

function poseCells(layout: Layout, body: number): number[] {
  const cells: number[] = [];
  for (let peer = 0; peer < layout.peers; peer++) {
    cells.push(layout.record(peer, body) + RECORD.pose);
    for (let author = 0; author < layout.peers; author++)
      cells.push(layout.waits(peer, author, body) + WAITS.pose);
  }
  cells.push(layout.relay(body) + RELAY.pose, layout.lawful(body));
  for (let guest = 1; guest < layout.peers; guest++) {
    for (let i = 0; i < layout.older; i++) {
      cells.push(layout.packet(guest, UP, i) + OLDER.head + UP_CLAIMS + body * CLAIM.size + CLAIM.pose);
      cells.push(layout.packet(guest, DOWN, i) + OLDER.head + body * WORD.size + WORD.pose);
    }
  }
  return cells;
}

const names = new Uint8Array(256);

function renamePoses(list: readonly number[], cells: Uint8Array): void {
  names.fill(0);
  let named = 0;
  for (const at of list) {
    const is = cells[at];
    if (is === 0) continue;
    if (names[is] === 0) names[is] = ++named;
    cells[at] = names[is];
  }
}
