import { describe, expect, test } from 'vitest';
import { LEFT } from '../../../../src/core/base/ids.ts';
import { inspect, inspectBody } from '../../../../src/core/peer/diagnostics/inspect.ts';
import { apart, CUBES, setStage } from '../../../support/stage.ts';

const [cube] = CUBES;

function stage() {
  return setStage({ guests: 2, cubes: apart(3), bodiless: true });
}

describe('inspect', () => {
  test('says who a peer is, and to whom it is connected', async () => {
    const { host, guests } = await stage();
    const [ofHost, ofGuest] = [inspect(host.peer), inspect(guests[0].peer)];
    expect(ofHost).toMatchObject({ slot: 0, role: 'host', name: 'Player 0', reset: 0 });
    expect(ofGuest).toMatchObject({ slot: 1, role: 'guest', name: 'Player 1' });
    expect(ofHost.links.map(({ slot }) => slot)).toEqual([1, 2]);
    expect(ofGuest.links.map(({ slot }) => slot)).toEqual([0]);
    expect(ofGuest.term).toBe(ofHost.term);
    expect(ofGuest.tick).toBeGreaterThan(40);
  });

  test('has the figures of each link', async () => {
    const { host } = await stage();
    const [link] = inspect(host.peer).links;
    // Two ways of 50 ms, and the ticks in which packets wait to be answered.
    expect(link.roundTripMs).toBeGreaterThan(95);
    expect(link.roundTripMs).toBeLessThan(140);
    expect(link.playoutDelayMs).toBeCloseTo(100, 6);
    expect(link.packetsSent).toBeGreaterThan(20);
    expect(link.packetsReceived).toBeGreaterThan(20);
    for (const bits of Object.values(link.sentBits)) expect(bits).toBeGreaterThan(0);
  });

  test('says of each body where it is, who has it and who holds it', async () => {
    const players = await stage();
    expect(inspectBody(players.host.peer, cube)).toMatchObject({
      id: cube,
      authority: null,
      holder: null,
      resting: true,
      asleep: true,
      confirmed: false,
      pendingCommit: false,
    });
    players.guest(1).grabs(cube, LEFT);
    players.letPass(1);
    for (const { peer, slot } of players.present) {
      expect(inspectBody(peer, cube)).toMatchObject({
        authority: 1,
        holder: { slot: 1, hand: 'left' },
        ownershipSequence: 1,
        authoritySequence: 0,
        resting: false,
        asleep: false,
        confirmed: slot === 1,
      });
    }
    const { bodies } = inspect(players.host.peer);
    expect(bodies.map(({ id }) => id)).toEqual([0, 1, 2]);
    const [x, y, z] = bodies[2].position;
    expect([x, y, z].map((n) => Math.round(n * 100) / 100)).toEqual([4, 0.25, 0]);
    expect(Math.hypot(...bodies[2].rotation)).toBeCloseTo(1, 4);
  });

  test('counts what was refused, by reason', async () => {
    const { host } = await stage();
    host.peer.receive(0, host.slot, new Uint8Array(3));
    const before = inspect(host.peer).rejected;
    expect(before).toEqual({ 'unknown sender': 1 });
    host.peer.receive(0, host.slot, new Uint8Array(3));
    expect(inspect(host.peer).rejected).toEqual({ 'unknown sender': 2 });
    expect(before, 'a copy').toEqual({ 'unknown sender': 1 });
  });

  test('is plain data: it survives a trip through JSON', async () => {
    const { host } = await stage();
    const inspection = inspect(host.peer);
    expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection);
  });
});
