import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { POSITION_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { capacityOf, existing, firstIdOf } from '../../../src/core/world/existence.ts';
import { StageAttacker } from '../../support/stage-attacker.ts';
import type { Place, Player, Stage } from '../../support/stage.ts';
import { ballAt, spawned, stageOf } from './spawned.ts';

const HOSTILE = 2;
const PLACE: Place = [2, 3, 1];
const STATE = [...PLACE.map((n) => n * POSITION_STEPS), 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const FAR = STATE.map((n, i) => (i < 3 ? 900 * POSITION_STEPS : n));

/** Where a player draws a body in three moments of a tick; nothing if it does not draw it. */
function drawnBy({ peer }: Player, body: BodyId): Place[] {
  const view = peerView(capacityOf(peer.state.bodies.level));
  return [0, 0.5, 1].flatMap((alpha) => {
    peer.view(alpha, null, view);
    const [x, y, z] = view.poses.slice(body * POSE_STRIDE, body * POSE_STRIDE + 3);
    return view.exists[body] === 0 ? [] : [[x, y, z] as const];
  });
}

/** The host and an honest guest draw a body where it is, each time that they draw it at all. @returns how many do. */
function drawn(stage: Stage, body: BodyId, most: number): number {
  let draw = 0;
  for (const player of [stage.host, stage.guest(1)]) {
    const places = drawnBy(player, body);
    if (places.length > 0) draw++;
    for (const [x, y, z] of places) {
      const away = Math.hypot(x - PLACE[0], y - PLACE[1], z - PLACE[2]);
      expect(away, `slot ${player.slot} draws it at ${x} ${y} ${z}`).toBeLessThan(most);
    }
  }
  return draw;
}

/** A guest that has spawned a body, and says what it likes of it from then on. */
async function spawnedBy(
  kind: 'record' | 'motion',
  state: readonly number[] = [],
): Promise<{
  readonly stage: Stage;
  readonly attacker: StageAttacker;
  readonly body: BodyId;
  readonly existence: number;
}> {
  const stage = await stageOf({ latencyMs: 30 });
  const attacker = new StageAttacker(stage, HOSTILE);
  const body = firstIdOf(stage.level, stage.guest(HOSTILE).slot);
  const existence = existing(0, 0);
  const spawn = attacker.claim(body, { existence, kind, state });
  attacker.attacks(() => [attacker.packet([spawn])]);
  return { stage, attacker, body, existence };
}

describe('[S2.5] a spawned body of which no pose is known', () => {
  test.each<readonly ['record' | 'motion', readonly number[]]>([
    ['record', []],
    ['motion', FAR],
  ])('is drawn nowhere until its pose comes, and then at once where it is (%s)', async (kind, state) => {
    const { stage, attacker, body, existence } = await spawnedBy(kind, state);
    for (let tick = 0; tick < 60; tick++) {
      stage.tick();
      expect(drawn(stage, body, 0)).toBe(0);
    }
    expect(stage.host.peer.diagnostics.bodies.exists(body)).toBe(true);
    attacker.attacks(() => [
      attacker.packet([attacker.claim(body, { lead: 0, existence, kind: 'motion', state: STATE })]),
    ]);
    let both = 0;
    for (let tick = 0; tick < 60; tick++) {
      stage.tick();
      if (drawn(stage, body, 0.3) === 2) both++;
    }
    expect(both).toBeGreaterThan(30);
  });

  test('touches nothing, and is nobody’s to act upon', async () => {
    const { stage, body } = await spawnedBy('record');
    stage.letPass(0.5);
    const { bodies } = stage.host.peer.state;
    expect(bodies.simulation.isAsleep(body)).toBe(true);
    expect(stage.host.peer.act({ kind: 'take', body })).toBe('no body');
  });

  test('is despawned when its player leaves, and all agree', async () => {
    const { stage, body } = await spawnedBy('record');
    stage.letPass(0.5);
    stage.guest(HOSTILE).leaves();
    stage.letPass(0.5);
    for (const { peer } of stage.present) expect(peer.diagnostics.bodies.exists(body)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A11.7] is despawned after three seconds', async () => {
    const { stage, body } = await spawnedBy('record');
    stage.letPass(3.5);
    expect(stage.host.peer.diagnostics.bodies.exists(body)).toBe(false);
    stage.guest(HOSTILE).leaves();
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

test('[S2.5] a body that is spawned into a hand is first drawn there by a third player', async () => {
  const stage = await stageOf();
  const [, guest, third] = [0, 1, 2].map((slot) => stage.guest(slot));
  const ball = spawned(guest, ballAt(stage, ...PLACE));
  guest.grabs(ball);
  // The third player hears of it when it is in the hand.
  third.downlink.loss = 1;
  stage.letPass(0.3);
  third.downlink.loss = 0;
  let ticks = 0;
  for (let tick = 0; tick < 60; tick++) {
    stage.tick();
    const [here] = drawnBy(guest, ball);
    for (const place of drawnBy(third, ball)) {
      ticks++;
      expect(Math.hypot(...place.map((n, i) => n - here[i]))).toBeLessThan(0.3);
    }
  }
  expect(ticks).toBeGreaterThan(60);
});
