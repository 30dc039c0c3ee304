import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { RIGHT } from '../../../../src/core/base/ids.ts';
import { PLAYOUT_DELAY_SECONDS, TICK_RATE, ticksIn } from '../../../../src/core/base/constants.ts';
import { distance } from '../../../../src/core/base/math.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { hostPolicy } from '../../../../src/core/peer/policy/host-policy.ts';
import type { Player, Stage } from '../../../support/stage.ts';
import { apart, CUBES, setStage } from '../../../support/stage.ts';

const PLAYOUT_DELAY_TICKS = ticksIn(PLAYOUT_DELAY_SECONDS, TICK_RATE);

const HOST = 0 as Slot;
const [cube] = CUBES;

function calm(guests = 2, latencyMs = 50): Promise<Stage> {
  return setStage({ guests, cubes: apart(3), bodiless: true, latencyMs });
}

/** Packets a second that two players send each other from now on. */
function rates(stage: Stage, a: Player, b: Player, seconds: number): number[] {
  const traffics = [a.peer.traffic(b.slot), b.peer.traffic(a.slot)];
  const before = traffics.map(({ packetsSent }) => packetsSent);
  stage.letPass(seconds);
  return traffics.map(({ packetsSent }, i) => (packetsSent - before[i]) / seconds);
}

describe('[W8] the rate of packets', () => {
  test('[W8.4] is ten a second while all bodies rest and hands are still, in both directions', async () => {
    const stage = await calm();
    stage.letPass(1);
    expect(rates(stage, stage.host, stage.guest(1), 2)).toEqual([10, 10]);
  });

  test('[W8.2] [W8.6] is full from the tick on in which a hand moves, and the packet has the movement', async () => {
    const stage = await calm();
    stage.letPass(1);
    const guest = stage.guest(1);
    for (let wait = 0; wait < 6; wait++) {
      for (let tick = 0; tick < 40 + wait; tick++) stage.tick();
      const { packetsSent } = guest.peer.traffic(HOST);
      guest.moves([0.5, 0, 0], 0.25);
      expect(guest.peer.traffic(HOST).packetsSent - packetsSent).toBe(15);
      expect(guest.peer.state.links[HOST]?.receiver.players[1].avatarTime).toBe(guest.peer.state.tick);
    }
  });

  test('[W8.1] is full for a player with still hands while it receives moving bodies: their acks do not wait', async () => {
    const stage = await calm();
    const [mover, idler] = stage.guests;
    mover.grabs(cube);
    mover.moves([1, 0, 0], 0.5);
    mover.throws([2, 0, 0]);
    stage.letPass(0.15);
    for (const rate of rates(stage, stage.host, idler, 0.2)) expect(rate).toBe(60);
    stage.letAllRest();
    stage.letPass(1);
    expect(rates(stage, stage.host, idler, 1)).toEqual([10, 10]);
  });

  test('[W8.7] does not spoil the measured round trip', async () => {
    const stage = await calm(2, 30);
    const [guest] = stage.guests;
    const trips = (): number[] => [stage.host.peer.roundTripMs(guest.slot), guest.peer.roundTripMs(HOST)];
    guest.moves([0.5, 0, 0], 3);
    const before = trips();
    stage.letPass(20);
    trips().forEach((trip, i) => expect(Math.abs(trip - before[i])).toBeLessThan(10));
    guest.uplink.latencyMs = 230;
    stage.letPass(20);
    // An ack may have waited for 83 ms: so far off it may be while all is still, and no further.
    for (const trip of trips()) expect(Math.abs(trip - 260)).toBeLessThan(90);
    guest.moves([0.5, 0, 0], 2);
    for (const trip of trips()) expect(Math.abs(trip - 280)).toBeLessThan(30);
  });
});

describe('[W8] avatars in packets', () => {
  test('[W8.2] a relayed hand that moves counts like the own one', async () => {
    const stage = await calm();
    const [mover, idler] = stage.guests;
    stage.letPass(1);
    mover.moves([0.5, 0, 0], 0.5);
    const { packetsSent } = stage.host.peer.traffic(idler.slot);
    mover.moves([0.5, 0, 0], 0.5);
    expect(stage.host.peer.traffic(idler.slot).packetsSent - packetsSent).toBe(30);
  });

  test('[W8.5] a still player is in every sixth tick of packets that leave for another reason', async () => {
    const stage = await calm(1);
    const [guest] = stage.guests;
    stage.letPass(1);
    stage.host.peer.state.policy = { ...hostPolicy, insists: () => true };
    const { packetsSent } = stage.host.peer.traffic(guest.slot);
    let avatars = 0;
    for (let tick = 0, last = -1; tick < TICK_RATE; tick++) {
      stage.tick();
      const { avatarTime } = stage.host.peer.state.links[guest.slot]!.receiver.players[HOST];
      if (tick > 0 && avatarTime !== last) avatars++;
      last = avatarTime;
    }
    expect(stage.host.peer.traffic(guest.slot).packetsSent - packetsSent).toBe(TICK_RATE);
    expect(avatars).toBeGreaterThanOrEqual(9);
    expect(avatars).toBeLessThanOrEqual(10);
  });
});

describe('[W8] packets at a low rate are not late', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    '[T3.2] [T3.3] the clocks of the host and of a guest behind it stay, with the host’s packets %i ticks later',
    async (phase) => {
      // Not a whole number of ticks: each packet takes as long.
      const stage = await calm(2, 45);
      const [first, second] = stage.guests;
      const clocks = [HOST, first.slot].map((slot) => second.peer.state.authors[slot].stream.clock);
      first.moves([0.2, 0, 0], 4);
      const behind = (): number[] =>
        [stage.host, first].map(({ peer }, i) => peer.state.tick - clocks[i].position);
      const before = behind();
      // The host falls still some time after the guest: what it hears of the guest waits.
      stage.host.moves([0.2, 0, 0], (60 + phase) / TICK_RATE);
      stage.letPass(10);
      behind().forEach((ticks, i) => expect(ticks).toBeCloseTo(before[i], 1));
      for (const { delay, jumps } of clocks) expect([delay, jumps]).toEqual([PLAYOUT_DELAY_TICKS, 0]);
    },
  );

  test('[W8.6] a hand that begins to move is seen no later than one that never stopped', async () => {
    const stage = await calm(1);
    const [guest] = stage.guests;
    const delayOf = (): number => {
      const from = stage.host.sees(1).hands[RIGHT].pose.position.x;
      const begun = guest.peer.state.tick;
      guest.moves([1, 0, 0], 1);
      let ticks = 0;
      const { pose: at } = guest.input.hands[RIGHT];
      for (; stage.host.sees(1).hands[RIGHT].pose.position.x < from + 0.9; ticks++) stage.tick();
      expect(at.position.x).toBeGreaterThan(from + 0.9);
      return guest.peer.state.tick - begun;
    };
    stage.letPass(2);
    const rested = delayOf();
    guest.moves([0, 0.2, 0], 1);
    expect(rested).toBe(delayOf());
  });

  test('[W8.2] a slow movement under the threshold is drawn evenly', async () => {
    const stage = await calm(1);
    const [guest] = stage.guests;
    stage.letPass(1);
    const seen: { x: number; y: number; z: number }[] = [];
    for (let tick = 0; tick < 3 * TICK_RATE; tick++) {
      // 1 cm a second.
      guest.moves([0.01, 0, 0], 1 / TICK_RATE);
      seen.push({ ...stage.host.sees(1).hands[RIGHT].pose.position });
    }
    const steps = seen.slice(40).map((at, i) => distance(at, seen[i + 39]));
    // The grid of a hand is 1 mm.
    expect(Math.max(...steps)).toBeLessThan(0.0011);
  });
});

test('[W9.1] a peer takes its limits when it is made, and throws if they are too small', async () => {
  const { level: scene, host } = await calm(1);
  const { simulation } = host.peer.state.bodies;
  const peer = (limits: object) => new Peer({ slot: HOST, host: HOST, level: scene, simulation, limits });
  expect(() => peer({ eachKbps: 10 })).toThrow(RangeError);
  expect(() => peer({ eachKbps: 64 })).not.toThrow();
});
