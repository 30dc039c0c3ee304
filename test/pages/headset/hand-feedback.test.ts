import { describe, expect, test } from 'vitest';
import { HandFeedback } from '../../../src/pages/headset/hand-feedback.ts';
import type { Pulse } from '../../../src/pages/headset/pulses.ts';
import { impactPulse, PULSES } from '../../../src/pages/headset/pulses.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { setVector } from '../../../src/core/base/math.ts';
import type { Place, Player, Stage } from '../../support/stage.ts';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [A, B] = CUBES;

/** The pulses of a player's two hands, and the texts near them, tick by tick. */
type Felt = { readonly pulses: [Pulse[], Pulse[]]; readonly words: string[]; feedback: HandFeedback };

/**
 * Updates the hands' feedback in every tick of a stage from now on. Both hands are far from all cubes at
 * first.
 */
function watchTicks(stage: Stage, player: Player): Felt {
  if (!player.peer.diagnostics.hands.some(({ held }) => held !== NO_BODY)) put(player, AWAY, RIGHT);
  put(player, AWAY, LEFT);
  const pulses: [Pulse[], Pulse[]] = [[], []];
  const words: string[] = [];
  const feedback = new HandFeedback(
    { pulse: (side, strength, ms) => void pulses[side].push({ strength, ms }) },
    { showText: (_, text) => void words.push(text) },
  );
  const felt: Felt = { pulses, words, feedback };
  const tick = stage.tick.bind(stage);
  stage.tick = () => {
    tick();
    const { peer } = player;
    if (peer.diagnostics.lost.tick === peer.diagnostics.tick)
      felt.feedback.lose(peer, `${peer.diagnostics.lost.to} has it`);
    felt.feedback.tick(peer);
  };
  stage.tick();
  return felt;
}

/** Far from all cubes, and so high that the hand points at none. */
const AWAY: Place = [9, 3, 9];

function put(player: Player, [x, y, z]: Place, side: 0 | 1 = RIGHT): void {
  setVector(player.input.hands[side].pose.position, x, y, z);
}

describe('a hand gets a pulse', () => {
  test('[G1.1] once when it touches a cube, and none for a cube that it only points at', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), latencyMs: 0 });
    const { pulses } = watchTicks(stage, stage.host);
    put(stage.host, [0, 0.25, 2]);
    stage.letPass(0.5);
    expect(stage.host.peer.diagnostics.hands[RIGHT].selected).toBe(A);
    expect(pulses).toEqual([[], []]);
    stage.host.moves([0, 0, -1.8], 1);
    stage.letPass(0.5);
    expect(pulses).toEqual([[], [PULSES.touch]]);
    stage.host.moves([0, 0, 1.8], 1);
    stage.host.moves([0, 0, -1.8], 1);
    expect(pulses).toEqual([[], [PULSES.touch, PULSES.touch]]);
  });

  test('[G2.1] when it takes a cube, and a weaker one when it lets go', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), latencyMs: 0 });
    const { pulses } = watchTicks(stage, stage.host);
    put(stage.host, [0, 0.25, 0]);
    stage.letPass(0.2);
    stage.host.grabs(A);
    stage.letPass(0.2);
    expect(pulses[RIGHT]).toEqual([PULSES.touch, PULSES.grab]);
    stage.host.releases();
    stage.letPass(0.1);
    expect(pulses).toEqual([[], [PULSES.touch, PULSES.grab, PULSES.release]]);
  });

  test('[A6.3] in both hands when a cube passes from one to the other', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1), latencyMs: 0 });
    stage.host.grabs(A);
    stage.letPass(0.2);
    const { pulses } = watchTicks(stage, stage.host);
    stage.host.grabs(A, LEFT);
    stage.letPass(0.1);
    expect(pulses).toEqual([[PULSES.grab], [PULSES.release]]);
  });

  test('when its cube hits something, stronger at higher speed, and none from other cubes', async () => {
    const strengths: number[] = [];
    for (const speed of [0.3, 1, 3]) {
      const stage = await setStage({ guests: 1, cubes: apart(2), latencyMs: 0 });
      stage.host.grabs(A);
      stage.letPass(0.3);
      const { pulses } = watchTicks(stage, stage.host);
      stage.host.moves([speed, 0, 0], 1.6 / speed);
      const [first] = pulses[RIGHT];
      expect(first.strength).toBeCloseTo(impactPulse(speed)!.strength, 2);
      expect(pulses[LEFT]).toEqual([]);
      strengths.push(Math.max(...pulses[RIGHT].map(({ strength }) => strength)));
    }
    expect(strengths).toEqual([...strengths].sort((a, b) => a - b));
    expect(strengths[2]).toBeGreaterThan(strengths[0] + 0.3);

    const stage = await setStage({ guests: 1, cubes: [...apart(2), [0, 3, 0]], latencyMs: 0 });
    const { pulses } = watchTicks(stage, stage.host);
    stage.host.grabs(B);
    stage.letPass(2);
    expect(pulses[RIGHT]).toEqual([PULSES.grab]);
  });

  test('at most once in 50 ms, unless the next impact is stronger', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(2), latencyMs: 0 });
    stage.host.grabs(A);
    stage.letPass(0.3);
    const { pulses } = watchTicks(stage, stage.host);
    const knocks = [1, 1, 2, 1, 2, 1].map((speed) => {
      stage.host.peer.contacts.add(A, B, speed);
      stage.tick();
      return impactPulse(speed);
    });
    expect(pulses[RIGHT]).toEqual([knocks[0], knocks[2], knocks[5]]);
  });
});

describe('[G4] a cube that the host gives to another player', () => {
  test('[G4.1] gives the strongest pulse and a text, and the release does not cut the pulse off', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const guest = stage.guest(1);
    const { pulses, words } = watchTicks(stage, guest);
    stage.host.grabs(A);
    guest.grabs(A);
    stage.letPass(1);
    expect(stage.host.holds(A)).toBe(true);
    expect(pulses[RIGHT]).toEqual([PULSES.grab, PULSES.lost]);
    expect(words).toEqual(['0 has it']);
  });

  test('gives the pulse to the hand that closed on it, whatever the other hand does', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const guest = stage.guest(1);
    const { pulses, words } = watchTicks(stage, guest);
    stage.host.grabs(A);
    stage.letPass(1);
    guest.input.hands[RIGHT].grip = 1;
    put(guest, [0, 0.25, 5], LEFT);
    stage.letPass(0.1);
    // A finger squeezes gradually.
    for (const grip of [0.3, 0.55, 0.7, 0.9]) {
      guest.input.hands[LEFT].grip = grip;
      stage.tick();
    }
    stage.letPass(0.5);
    expect(pulses).toEqual([[PULSES.lost], []]);
    expect(words).toEqual(['0 has it']);
  });
});

describe('[A9] a cube that passes between players', () => {
  test.each([
    ['the host', 0, 1],
    ['a guest', 1, 0],
    ['a guest to a guest', 1, 2],
  ])(
    '[A9.5] by %s is felt by both: the reach, the letting go, and that it has arrived',
    async (_, from, to) => {
      const stage = await setStage({ guests: 2, cubes: apart(1) });
      const [giver, taker] = [stage.guest(from), stage.guest(to)];
      const [gave, took] = [watchTicks(stage, giver), watchTicks(stage, taker)];
      giver.grabs(A);
      stage.letPass(0.5);
      expect([gave.pulses[RIGHT], took.pulses[RIGHT]]).toEqual([[PULSES.grab], []]);
      taker.grabs(A);
      stage.letPass(0.5);
      expect(gave.pulses[RIGHT].slice(1)).toEqual([PULSES.reach]);
      expect(took.pulses[RIGHT]).toEqual([PULSES.reach]);
      giver.releases();
      stage.letPass(0.1);
      put(giver, AWAY);
      stage.letPass(1);
      expect(taker.holds(A)).toBe(true);
      expect(took.pulses[RIGHT].slice(1)).toEqual([PULSES.received]);
      expect(gave.pulses[RIGHT].slice(2)).toEqual([PULSES.release, PULSES.given]);
      expect([gave.words, took.words, gave.pulses[LEFT], took.pulses[LEFT]]).toEqual([[], [], [], []]);
    },
  );
});

test('a new world gives no pulses for past events', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(2), latencyMs: 0 });
  const { pulses, feedback } = watchTicks(stage, stage.guest(1));
  const other = stage.guest(2);
  put(other, AWAY, LEFT);
  other.grabs(B);
  stage.guest(1).grabs(A);
  stage.letPass(0.3);
  expect(pulses).toEqual([[], [PULSES.grab]]);
  other.peer.contacts.add(A, B, 5);
  feedback.tick(other.peer);
  feedback.tick(stage.guest(1).peer);
  expect(pulses).toEqual([[], [PULSES.grab]]);
});
