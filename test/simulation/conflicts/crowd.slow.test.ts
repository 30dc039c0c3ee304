import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { POSITION_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { HostileGuest } from '../../support/hostile-guest.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';
import { StageAttacker } from '../../support/stage-attacker.ts';

beforeAll(loadPhysics);

const HOSTILE = 1 as Slot;
/** Bodies that each packet of the hostile guest puts into its place. */
const A_PACKET = 32;

/** A host with 128 cubes at rest, and a guest whose page puts them where it likes. */
function besieged(): { readonly room: RoomHarness; readonly guest: HostileGuest } {
  const scene = { id: 'grid', seed: 3, count: 128 };
  const room = new RoomHarness(
    { players: 2, scene, bots: 'chaos', seed: 5, conditions: { latencyMs: 20 }, quietFrom: 0 },
    createRapierSimulation,
  );
  onTestFinished(() => {
    room.dispose();
  });
  const guest = new HostileGuest(room, HOSTILE);
  for (let step = 0; step < 120; step++) room.step();
  return { room, guest };
}

/** Pairs of bodies that the host's engine compares, at the most, in two seconds of a behaviour. */
function mostPairs(room: RoomHarness): number {
  let most = 0;
  for (let step = 0; step < 120; step++) {
    room.step();
    const { neighbours } = room.peers[0].state.bodies.simulation.contacts;
    most = Math.max(most, neighbours.reduce((sum, { length }) => sum + length, 0) / 2);
  }
  return most;
}

/** From now on the guest takes all bodies, some in each packet, and puts each where `placeOf` says. */
function crowd(guest: HostileGuest, placeOf: (body: number) => readonly [number, number, number]): void {
  let next = 0;
  guest.behave(() => {
    const bodies = guest.bodies.slice(next, next + A_PACKET);
    next = (next + A_PACKET) % guest.bodies.length;
    return [guest.says(bodies.map((body) => guest.has(body, guest.stateAt(...placeOf(body)))))];
  });
}

test('[H9.5] a guest that puts all bodies into one place gives the host no more to compare than a heap does', () => {
  const { room, guest } = besieged();
  crowd(guest, () => [0.1, 3.1, 0.1]);
  // Without the clause it is each with each: 8,128.
  expect(mostPairs(room)).toBeLessThan(400);
  expect(room.peers[0].state.rejections.crowded).toBeGreaterThan(1000);
});

test('[H9.5] nor does one that puts as many as it may into each cell', () => {
  const { room, guest } = besieged();
  crowd(guest, (body) => [((body >> 3) & 3) / 2 + 0.1, 3.1, (body >> 5) / 2 + 0.1]);
  expect(mostPairs(room)).toBeLessThan(128 * 40);
});

test('[A11.7] the host takes a body of which its guest sends nothing but states that can’t be, ten times a second', async () => {
  const stage = await setStage({ guests: 1, cubes: apart(1) });
  const liar = new StageAttacker(stage, 1);
  const [cube] = CUBES;
  const outside = [0, 400 * POSITION_STEPS, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const here = [0, POSITION_STEPS, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let packets = 0;
  liar.attacks(() => {
    const lead = stage.host.says(cube).authority === 1 ? 0 : 1;
    const state = packets < 10 ? here : outside;
    const isDue = packets++ % 6 === 0;
    return [liar.packet(isDue ? [liar.claim(cube, { lead, kind: 'motion', state })] : [])];
  });
  stage.letPass(1);
  expect(stage.host.says(cube)).toMatchObject({ authority: 1 });
  const taken = stage.host.counted('take');
  stage.letPass(4);
  expect(stage.host.counted('take')).toBeGreaterThan(taken);
});

test('[A11.7] but not if it sends one of them among others', async () => {
  const stage = await setStage({ guests: 1, cubes: apart(1) });
  const guest = new StageAttacker(stage, 1);
  const [cube] = CUBES;
  let packets = 0;
  guest.attacks(() => {
    const lead = stage.host.says(cube).authority === 1 ? 0 : 1;
    const height = packets++ === 30 ? 400 : 1;
    const state = [0, height * POSITION_STEPS, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    return [guest.packet([guest.claim(cube, { lead, kind: 'motion', state })])];
  });
  stage.letPass(6);
  expect(stage.host.refused('H9')).toBe(1);
  expect(stage.host.counted('take')).toBe(0);
});

test('[H9.6] [A11.7] a player whose place somebody else has crowded is no offender, and its body comes to the host', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(10) });
  const [player, crowder] = [new StageAttacker(stage, 1), new StageAttacker(stage, 2)];
  const place = [5.1, 3.1, 0.1].map((metres) => Math.round(metres * POSITION_STEPS));
  const state = [...place, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const has = (page: StageAttacker, slot: number, bodies: readonly number[]): Uint8Array =>
    page.packet(
      bodies.map((body) => {
        const lead = stage.host.says(body as BodyId).authority === slot ? 0 : 1;
        return page.claim(body, { lead, kind: 'motion', state });
      }),
    );
  crowder.attacks(() => [has(crowder, 2, [1, 2, 3, 4, 5, 6, 7, 8])]);
  stage.letPass(1);
  player.attacks(() => [has(player, 1, [0])]);
  expect(player.judgedFor(2.5)).toEqual([]);
  expect(stage.host.refused('crowded')).toBeGreaterThan(100);
  const [cube] = CUBES;
  expect(stage.host.says(cube)).toMatchObject({ authority: 1 });
  expect(stage.guest(2).says(cube).position[0], 'nobody sees it there').toBeLessThan(1);
  expect(player.judgedFor(9)).toEqual([]);
  expect(stage.host.counted('take'), 'the host took it').toBeGreaterThan(1);
  // One of the others goes away, and the player is believed again.
  crowder.attacks(null);
  stage.guest(2).leaves();
  stage.letPass(1.5);
  expect(stage.host.says(cube).position[0]).toBeCloseTo(5.1, 1);
});
