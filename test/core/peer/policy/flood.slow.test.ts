import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { toBody } from '../../../../src/core/base/ids.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import type { PlainUpdate } from '../../../support/packets.ts';
import { encode, NO_TICKS, plainHeader } from '../../../support/packets.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { CONNECTION, HELD, HOST, Liar, ONE, played, TWO } from './hostile-table.ts';

beforeAll(loadPhysics);

/** More than a packet may have that counts as one. */
const BODIES = 300;
/** Milliseconds between two packets that are still read. */
const UNHURRIED_MS = 9;

test('[F1.3] a malformed packet counts five times; a packet that the network repeats does not count', () => {
  const table = played();
  const [packet] = table.lose(TWO, HOST, 1);
  const before = table.host.offences(TWO);
  table.host.receive(table.now, TWO, Uint8Array.from([...packet, 0]));
  expect(table.host.offences(TWO) - before).toBe(5);
  for (let times = 0; times < 3; times++) table.host.receive(table.now, TWO, packet);
  expect(table.host.state.rejections.duplicate).toBe(2);
  expect(table.host.offences(TWO) - before).toBe(5);
});

describe('[F1] a flood', () => {
  test('[F1.2] [F1.3] of packets faster than any peer sends is counted, not read; the other guest’s are read as before', () => {
    const table = played();
    const liar = new Liar(table, TWO, new Random(7));
    const [sent, received] = [table.peers[ONE].traffic(HOST), table.host.traffic(ONE)];
    const lost = sent.packetsSent - received.packetsReceived;
    for (let tick = 0; tick < 120; tick++) {
      for (let i = 0; i < 50; i++) table.host.receive(table.now, TWO, liar.lie());
      table.pass(1, (from) => from === TWO);
      table.expectSound();
    }
    // Ten seconds' worth at once, and twice the full rate from then on.
    expect(liar.accepted()).toBeLessThan(600 + 2 * 120 + 5);
    expect(Math.min(table.host.state.rejections.flood, table.host.offences(TWO))).toBeGreaterThan(5000);
    expect([sent.packetsSent - received.packetsReceived, table.host.offences(ONE)]).toEqual([lost, 0]);
    table.pass(60, (from) => from === TWO);
    const accepted = liar.accepted();
    for (let i = 0; i < 100; i++) table.host.receive(table.now, TWO, liar.lie());
    expect(liar.accepted() - accepted).toBe(100);
  });

  test('[F1.2] of packets with very many bodies is held to as many bodies', () => {
    const level = createLevel({ id: 'grid', seed: 4, count: BODIES });
    const simulation = floatingSimulation(level);
    const host = new Peer({ slot: HOST, host: HOST, level, simulation });
    host.connect(ONE, CONNECTION);
    const updates = Array.from({ length: BODIES }, (_, body): PlainUpdate => {
      const claim = [ONE, 0, 0, 1, 0];
      return { body: toBody(body), baselineAge: 0, claim, kind: 'record', tick: 0, state: [] };
    });
    for (let sequence = 0; sequence < 600; sequence++) {
      const header = plainHeader({ connection: CONNECTION, sequence });
      const authors = [{ slot: ONE, tick: sequence, avatar: null }];
      const circumstances = { bodies: BODIES, speaker: ONE, packet: 0, newestTicks: NO_TICKS, before: [] };
      host.receive(0, ONE, encode(circumstances, { header, authors, base: 0, updates }));
    }
    // Each counts as two of the 600 that are read at once.
    expect(host.traffic(ONE).packetsReceived).toBe(300);
    expect(host.state.rejections).toMatchObject({ flood: 300 });
    host.dispose();
  });

  test('[F1.1] within a tick leaves no more behind than a packet', () => {
    const table = played();
    const liar = new Liar(table, TWO, new Random(5));
    const flood = (count: number): void => {
      // All of one tick: they are news again and again, and wait for the same moment.
      const author = { slot: TWO, tick: 900, avatar: liar.avatar() };
      const updates = [0, 1, 2, 6, 7].map((body) => liar.claiming(body as BodyId, [TWO, 0, 0, 9]));
      for (let i = 0; i < count; i++) {
        table.now += UNHURRIED_MS;
        table.host.receive(table.now, TWO, liar.write([author], updates));
      }
      table.pass(30, (from) => from === TWO);
    };
    flood(200);
    const before = heldMemory();
    flood(8000);
    expect(liar.accepted()).toBe(8200);
    // Kept, they would be 13 million.
    expect(heldMemory() - before).toBeLessThan(3_000_000);
    table.expectSound();
  });

  test('[F1.1] [F1.3] of claims on a held cube is counted, not kept', () => {
    const table = played();
    const liar = new Liar(table, TWO, new Random(6));
    const { host } = table;
    const flood = (count: number): void => {
      for (let i = 0; i < count; i++) {
        const { ownershipSequence } = host.state.bodies.records;
        const claim = [TWO, 1, ownershipSequence[HELD] + 1, 0];
        const author = { slot: TWO, tick: liar.tick++ & 0xffff, avatar: null };
        table.now += UNHURRIED_MS;
        host.receive(table.now, TWO, liar.write([author], [liar.claiming(HELD, claim)]));
        if (i % 50 === 0) table.pass(1, (from) => from === TWO);
      }
    };
    flood(3000);
    expect(host.state.rejections.H2).toBe(3000);
    expect(host.state.log.counts.override).toBeLessThanOrEqual(2);
    expect(host.state.bodies.records.authority[HELD]).toBe(ONE);
  });
});

/** Bytes that are in use once garbage is collected. */
function heldMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
