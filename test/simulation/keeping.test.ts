import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { vector } from '../../src/core/base/math.ts';
import type { Stage } from '../support/stage.ts';
import { apart, CUBES, setStage } from '../support/stage.ts';

const [first, second] = CUBES;

function keeps(stage: Stage, slot: number, body: BodyId, on = true): string | null {
  return stage.guest(slot).peer.act({ kind: 'keep', body, on });
}

/** The slot that keeps the cube, by everybody's record; null for none. */
function keepers(stage: Stage, cube: BodyId): (number | null)[] {
  return stage.present.map((player) => {
    const { kept, authority } = player.says(cube);
    return kept ? authority : null;
  });
}

describe('[A12] a kept cube', () => {
  test.each([0, 1])('[A12.1] [A12.3] of slot %i rests under it for long, and all know', async (slot) => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    expect(keeps(stage, slot, first)).toBeNull();
    stage.tick();
    expect(stage.guest(slot).says(first)).toMatchObject({
      authority: slot,
      kept: true,
      holder: null,
      ownershipSequence: 1,
      authoritySequence: 0,
      confirmed: slot === 0,
    });
    stage.letPass(3);
    expect(keepers(stage, first)).toEqual([slot, slot, slot]);
    expect(stage.present.every((player) => player.says(first).resting)).toBe(true);
    keeps(stage, slot, first, false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.2] is pushed by its player, and seen to move by the host and by others', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    keeps(stage, 1, first);
    stage.letPass(0.3);
    stage.guest(1).peer.act({ kind: 'impulse', body: first, push: vector(0, 6, 0), at: null });
    stage.letPass(0.5);
    for (const player of stage.present) expect(player.says(first).position[1]).toBeGreaterThan(0.6);
    stage.letPass(3);
    expect(keepers(stage, first)).toEqual([1, 1, 1]);
    keeps(stage, 1, first, false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.4] is taken by no hand of another, and by nobody who acts without a hand', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    keeps(stage, 1, first);
    stage.letPass(0.5);
    stage.guest(2).grabs(first);
    expect(keeps(stage, 2, first)).toBe('taken');
    stage.letPass(0.5);
    expect(stage.guest(2).holds(first)).toBe(false);
    expect(stage.guest(2).counted('deny')).toBeGreaterThan(0);
    expect(stage.guest(2).counted('reach')).toBe(0);
    expect(keepers(stage, first)).toEqual([1, 1, 1]);
    // Its own player may grab it.
    stage.guest(2).releases();
    stage.guest(1).grabs(first);
    stage.letPass(0.5);
    expect(keepers(stage, first)).toEqual([null, null, null]);
    expect(stage.host.says(first).holder).toEqual({ slot: 1, hand: 'right' });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.4] two claim to keep it at once: the host hears one first, and both hear of it', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    stage.guest(2).uplink.latencyMs = 90;
    for (const slot of [1, 2]) keeps(stage, slot, first);
    stage.letPass(1);
    expect(keepers(stage, first)).toEqual([1, 1, 1]);
    expect(stage.guest(2).counted('lose')).toBe(1);
    keeps(stage, 1, first, false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.5] is not kept if its player takes that back in the same tick', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(2) });
    expect([keeps(stage, 1, first), keeps(stage, 1, first, false)]).toEqual([null, null]);
    stage.letPass(1);
    expect(keepers(stage, first)).toEqual([null, null]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.5] returns after its player has said that it keeps it no more', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(2) });
    expect(keeps(stage, 1, second, false)).toBe('not kept');
    keeps(stage, 1, first);
    stage.letPass(0.5);
    keeps(stage, 1, first, false);
    stage.tick();
    expect(stage.guest(1).says(first)).toMatchObject({ authority: 1, kept: false, authoritySequence: 2 });
    stage.letPass(3);
    expect(stage.host.says(first).authority).toBeNull();
    expect(stage).toAgree();
  });

  test('[A12.5] falls free when its player leaves', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    keeps(stage, 1, first);
    stage.letPass(0.5);
    stage.guest(1).leaves();
    stage.letPass(0.5);
    expect(stage.guest(2).says(first)).toMatchObject({ authority: null, kept: false });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A12.6] whose player says that it keeps it no more while the host moves past another claim, returns', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    keeps(stage, 1, first);
    const { records } = stage.host.peer.state.bodies;
    stage.waitFor(() => records.authority[first] === 1 && stage.guest(1).says(first).confirmed);
    // Here the host moves its sequence past a claim; then it misses that the keeping ends.
    records.ownershipSequence[first] += 2;
    stage.guest(1).uplink.loss = 1;
    keeps(stage, 1, first, false);
    stage.letPass(0.3);
    stage.guest(1).uplink.loss = 0;
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
