import { cubeLaws } from '../../../support/laws.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { HAND_SIDES, RIGHT } from '../../../../src/core/base/ids.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { Link } from '../../../../src/core/peer/link.ts';
import type { Peer } from '../../../../src/core/peer/peer.ts';
import { BallisticCache } from '../../../../src/core/wire/bodies/flights.ts';
import { PacketReader } from '../../../../src/core/wire/packet.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import type { PlainHeader } from '../../../support/packets.ts';
import { encode, NO_TICKS, plainHeader } from '../../../support/packets.ts';
import type { Table } from './hostile-table.ts';
import { CONNECTION, CUBES, HELD, HOST, Liar, ONE, played, TWO } from './hostile-table.ts';
import { forSeeds } from '../../../support/seeds.ts';

/** Real peers with real engines, and bytes that no honest peer sends. */

beforeAll(loadPhysics);

function rejectionsOf(peer: Peer): number {
  return Object.values(peer.state.rejections).reduce((sum, count) => sum + count, 0);
}

/** Reasons that reject whole packets, not single claims in them. */
function packetRejections(peer: Peer): number {
  const { state } = peer;
  const ofClaims = Object.keys(state.rejections).filter((reason) => /^[A-Z]\d$/.test(reason));
  return rejectionsOf(peer) - ofClaims.reduce((sum, reason) => sum + state.rejections[reason], 0);
}

/** An empty packet. */
function headed(header: PlainHeader): Uint8Array {
  const nowhere = { bodies: CUBES, speaker: HOST, packet: 0, newestTicks: NO_TICKS, before: [] };
  return encode(nowhere, { header, authors: [], base: 0, updates: [] });
}

/** All that a packet might change. */
function snapshot(peer: Peer): string {
  const { state } = peer;
  const { records } = state.bodies;
  const links = state.links.map(
    (link) => link && [link.acks.newestReceived, link.acks.receivedBits, link.receivedMs],
  );
  const authors = state.authors.map((author) => [
    author.newestTick,
    author.avatarTime,
    author.name,
    author.stream.clock,
  ]);
  return JSON.stringify([
    state.term,
    state.reset,
    links,
    authors,
    records,
    state.log.total,
    [...state.relay.tick],
  ]);
}

/** Gives a peer bytes that it must refuse whole, for a reason, and be none the worse. */
function expectRefused(table: Table, to: Slot, from: Slot, bytes: Uint8Array, reason?: string): void {
  const peer = table.peers[to];
  const before = snapshot(peer);
  const [count, ofReason] = [rejectionsOf(peer), peer.state.rejections[reason ?? ''] ?? 0];
  peer.receive(table.now, from, bytes);
  expect(rejectionsOf(peer)).toBe(count + 1);
  expect(snapshot(peer)).toBe(before);
  if (reason === undefined) return;
  expect(peer.state.rejections[reason], Object.keys(peer.state.rejections).join()).toBe(ofReason + 1);
}

const WAYS = [
  ['guest to host', ONE, HOST],
  ['host to guest', HOST, ONE],
  ['host to a guest who looks on', HOST, TWO],
] as const;

describe('[W6] a real packet', () => {
  test.each(WAYS)(
    '[W6.1] with any bit flipped, or cut short anywhere, from %s, is refused or in range',
    (_, from, to) => {
      const table = played();
      const packets = table.lose(from, to, 2);
      const peer = table.peers[to];
      const { term, reset } = peer.state;
      const received = peer.state.links[from]?.received;
      const traffic = peer.traffic(from);
      let accepted = 0;
      for (const packet of packets) {
        for (const [changed, bit] of changesOf(packet)) {
          // As if it were the first: no packet before has spoilt its number, or taken the guest to another term.
          peer.state.links[from] = Object.assign(
            new Link(from, CONNECTION, CUBES, peer.state.flights, peer.state.rate),
            {
              received,
            },
          );
          Object.assign(peer.state, { term, reset });
          const before = traffic.packetsReceived;
          const refused = packetRejections(peer);
          peer.receive(table.now, from, changed);
          accepted += traffic.packetsReceived - before;
          expect(traffic.packetsReceived - before + packetRejections(peer) - refused, `bit ${bit}`).toBe(1);
          if (bit % 4 === 0) peer.tick(table.inputs[to]);
          if (bit % 4 === 0) table.expectSound();
        }
      }
      // Other bits mostly mean another packet; but one that is not for this peer, now, or not a packet.
      const all = 9 * packets.reduce((sum, packet) => sum + packet.length, 0);
      expect(accepted).toBeGreaterThan(0);
      expect(accepted / all).toBeLessThan(0.95);
    },
  );

  /** With each bit flipped, and cut to each length. */
  function changesOf(packet: Uint8Array): (readonly [changed: Uint8Array, number: number])[] {
    const flipped = Array.from({ length: packet.length * 8 }, (_, bit) => {
      const changed = packet.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      return changed;
    });
    const cut = Array.from(packet, (_, length) => packet.slice(0, length));
    return [...flipped, ...cut].map((changed, i) => [changed, i] as const);
  }

  test.each(WAYS)('[W6.1] with more behind it, too long, or again, from %s, is refused', (_, from, to) => {
    const table = played();
    const [packet] = table.lose(from, to, 1);
    const longer = (bytes: number[]): Uint8Array => Uint8Array.from([...packet, ...bytes]);
    expectRefused(table, to, from, longer([0]), 'trailing bits');
    expectRefused(table, to, from, longer([0, 0, 0]), 'trailing bits');
    expectRefused(table, to, from, longer(Array<number>(1101).fill(0)), 'too long');
    expectRefused(table, to, from, new Uint8Array(1 << 20), 'too long');
    table.peers[to].receive(table.now, from, packet);
    for (let again = 0; again < 3; again++) expectRefused(table, to, from, packet, 'duplicate');
    table.pass(100);
    expectRefused(table, to, from, packet, 'too old');
  });

  test('[H6.2] [H8.1] [H8.9] of another connection, term or reset is refused', () => {
    const table = played();
    const changed = (from: Slot, to: Slot, field: Field, by: number): Uint8Array =>
      withHeader(table.lose(from, to, 1)[0], field, by);
    for (const by of [1, -1]) {
      expectRefused(table, HOST, ONE, changed(ONE, HOST, 'connection', by), 'other connection');
      expectRefused(table, ONE, HOST, changed(HOST, ONE, 'connection', by), 'other connection');
      expectRefused(table, HOST, ONE, changed(ONE, HOST, 'term', by), 'other term');
      expectRefused(table, HOST, ONE, changed(ONE, HOST, 'reset', by), 'other reset');
    }
    Object.assign(table.host.state, { term: 3, reset: 7 });
    Object.assign(table.peers[ONE].state, { term: 3, reset: 7 });
    expectRefused(table, ONE, HOST, changed(HOST, ONE, 'term', -1), 'old term');
    expectRefused(table, ONE, HOST, changed(HOST, ONE, 'reset', -1), 'old reset');
    table.pass(1);
    table.expectSound();
  });

  test('[H8.8] of a later term or reset, but not whole, changes nothing', () => {
    const table = played();
    for (const field of ['term', 'reset'] as const) {
      const packet = withHeader(table.lose(HOST, ONE, 1)[0], field, 1);
      expectRefused(table, ONE, HOST, Uint8Array.from([...packet, 0]), 'trailing bits');
    }
  });

  type Field = 'connection' | 'term' | 'reset';

  /** An empty packet, with the header of another, but for one number. */
  function withHeader(packet: Uint8Array, field: Field, by: number): Uint8Array {
    const reader = new PacketReader(CUBES, new BallisticCache(cubeLaws(CUBES)));
    reader.readHead(packet);
    return headed({ ...reader.header, [field]: reader.header[field] + by });
  }

  test('[H6.2] from a sender that is not connected is refused', () => {
    const table = played();
    for (const from of [4, 7, 8, -1, 0.5, NaN]) {
      expectRefused(table, HOST, from as Slot, table.old(ONE, HOST), 'unknown sender');
    }
    expectRefused(table, TWO, ONE, table.old(ONE, HOST), 'unknown sender');
    expectRefused(table, HOST, HOST, table.old(ONE, HOST), 'unknown sender');
    table.host.disconnect(ONE);
    expectRefused(table, HOST, ONE, table.old(ONE, HOST), 'unknown sender');
  });

  test('[H1.1] [H1.2] of one guest, sent by another, is refused', () => {
    const table = played();
    table.pass(1, (_from, to) => to === HOST);
    expectRefused(table, HOST, TWO, table.last(ONE, HOST));
    const liar = new Liar(table, TWO, new Random(1));
    const avatar = liar.avatar();
    expectRefused(table, HOST, TWO, liar.write([{ slot: ONE, tick: 60, avatar }], []), 'speaks for another');
    const both = [ONE, TWO].map((slot) => ({ slot, tick: 60, avatar }));
    expectRefused(table, HOST, TWO, liar.write(both, []), 'speaks for another');
    expectRefused(table, HOST, TWO, liar.write([], []), 'speaks for another');
    const own = [{ slot: TWO, tick: 60, avatar }];
    // A player that no table has; the writer has no tick for it either.
    const other = { ...liar.claiming(HELD, [ONE, 0, 99, 99]), kind: 'motion' as const, tick: -1 };
    expectRefused(table, HOST, TWO, liar.write(own, [other]), 'truncated or out of range');
    // Without a pose it can be read, and the claim alone is refused.
    const before = JSON.stringify(table.host.state.bodies.records);
    const H1 = table.host.state.rejections.H1 ?? 0;
    const bare = [{ slot: TWO, tick: 60, avatar: null }];
    table.host.receive(table.now, TWO, liar.write(bare, [{ ...other, kind: 'record', state: [] }]));
    expect(table.host.state.rejections.H1).toBe(H1 + 1);
    expect(JSON.stringify(table.host.state.bodies.records)).toBe(before);
  });
});

describe('[F1] bytes of any kind', () => {
  test('[F1.1] [W6.1] ten thousand times at random: hardly any is a packet, and play goes on', () => {
    const table = played();
    const random = new Random(2);
    for (let run = 0; run < 10_000; run++) {
      const to = random.below(3);
      const from = to === HOST ? ONE + random.below(2) : HOST;
      const noise = Array.from({ length: random.below(random.chance(0.1) ? 1300 : 120) }, () =>
        random.below(256),
      );
      // Half have a header that is right, so that what follows is looked at.
      const head = headed(plainHeader({ connection: CONNECTION, sequence: random.below(256) }));
      const bytes = Uint8Array.from(random.chance(0.5) ? [...head.subarray(0, 4), ...noise] : noise);
      const peer = table.peers[to];
      const before = peer.traffic(from as Slot).packetsReceived;
      const refused = packetRejections(peer);
      peer.receive(table.now, from as Slot, bytes);
      expect(peer.traffic(from as Slot).packetsReceived - before + packetRejections(peer) - refused).toBe(1);
      if (run % 100 === 0) {
        table.pass(1);
        table.expectSound();
      }
    }
    const taken = table.peers.reduce((sum, peer) => sum + rejectionsOf(peer), 0);
    expect(taken).toBeGreaterThan(9000);
    expect(Object.keys(table.host.state.rejections).length).toBeLessThan(20);
  });
});

describe('[F1] well-formed lies', () => {
  test('[F1.1] [H2.1] of a guest: all stays in range, and nothing leaves the hand of another', () => {
    forSeeds(0, 3, (seed) => {
      const table = played();
      const liar = new Liar(table, TWO, new Random(seed));
      for (let tick = 0; tick < 150; tick++) {
        table.pass(1, (from) => from === TWO);
        for (let packet = 0; packet < 3; packet++) table.host.receive(table.now, TWO, liar.lie());
        table.expectSound();
        const { authority, hold } = table.host.state.bodies.records;
        expect([authority[HELD], hold[HELD] !== 0], `tick ${tick}`).toEqual([ONE, true]);
        expect(table.peers[ONE].player.hands[RIGHT].held).toBe(HELD);
      }
      expect(liar.accepted()).toBeGreaterThan(100);
    });
  });

  test('[F1.1] [I1] of a guest that then leaves: the others agree on everything, and all bodies come to rest', () => {
    const table = played();
    const liar = new Liar(table, TWO, new Random(9));
    for (let tick = 0; tick < 120; tick++) {
      table.pass(1, (from) => from === TWO);
      table.host.receive(table.now, TWO, liar.lie());
    }
    table.host.disconnect(TWO);
    for (const side of HAND_SIDES) table.inputs[ONE].hands[side].grip = 0;
    table.pass(900);
    table.expectSound();
    const [host, guest] = [HOST, ONE].map((slot) => table.peers[slot].state.bodies.records);
    expect([...host.resting]).toEqual(Array(CUBES).fill(1));
    for (const field of ['authority', 'hold', 'ownershipSequence', 'authoritySequence', 'state'] as const) {
      expect([...guest[field]], field).toEqual([...host[field]]);
    }
  });

  test('[F1.1] of the host: a guest stays sound', () => {
    forSeeds(0, 3, (seed) => {
      const table = played();
      const liar = new Liar(table, HOST, new Random(seed));
      for (let tick = 0; tick < 150; tick++) {
        table.pass(1, (from) => from === HOST);
        for (let packet = 0; packet < 2; packet++) table.peers[ONE].receive(table.now, HOST, liar.lie());
        table.expectSound();
      }
      expect(liar.accepted(ONE)).toBeGreaterThan(100);
    });
  });

  test('[F1.1] of the host, about a guest’s state from before the guest’s first tick', () => {
    const table = played();
    table.peers[TWO].connect(HOST, CONNECTION);
    const liar = new Liar(table, HOST, new Random(4));
    const state = { ...liar.claiming(1 as BodyId, [ONE, 0, 50, 50]), kind: 'motion' as const };
    for (const age of [1, 3, 4, 63]) {
      const authors = [HOST, ONE].map((slot) => ({ slot, tick: slot === HOST ? 1000 : 3, avatar: null }));
      table.peers[TWO].receive(table.now, HOST, liar.write(authors, [{ ...state, tick: 3 - age }]));
      table.pass(1, (from) => from === HOST);
      table.expectSound();
    }
    expect(liar.accepted(TWO)).toBe(4);
  });

  test('[F1.1] about a guest’s own time: the other guest still reads every packet of the host', () => {
    const table = played();
    const liar = new Liar(table, TWO, new Random(3));
    const traffic = table.peers[ONE].traffic(HOST);
    const before = traffic.packetsReceived;
    for (let tick = 0; tick < 200; tick++) {
      table.pass(1, (from) => from === TWO);
      for (let jump = 0; jump < tick % 4; jump++) {
        liar.tick += 20_000 + (tick % 50) * 250;
        const author = { slot: TWO, tick: liar.tick & 0xffff, avatar: liar.avatar() };
        table.host.receive(table.now, TWO, liar.write([author], []));
      }
      table.expectSound();
    }
    expect(traffic.packetsReceived - before).toBe(200);
    expect(table.peers[ONE].state.rejections['truncated or out of range']).toBeUndefined();
  });
});
