import { describe, expect, test } from 'vitest';
import { KEPT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import type { GuestRights } from '../../../src/core/world/level.ts';
import { take } from '../../../src/core/world/authority.ts';
import type { Stage } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

const [first, second] = CUBES;
const ALL: GuestRights = { take: true, hold: true, keep: true };

/** Two cubes, one on the other, of which guests may do something less. */
function stageWith(rights: Partial<GuestRights>): Promise<Stage> {
  const cubes = [
    [0, 0.25, 0],
    [0, 0.75, 0],
  ] as const;
  return setStage({ guests: 1, cubes, rights: { ...ALL, ...rights } });
}

describe('[A15.1] [A15.2] a body that guests may not hold', () => {
  test('is in no hand of a guest, and may be in the host’s', async () => {
    const stage = await stageWith({ hold: false });
    const guest = stage.guest(1);
    guest.grabs(second);
    stage.letPass(0.3);
    expect([guest.holds(second), guest.peer.player.hands[1].selected]).toEqual([false, -1]);
    guest.releases();
    stage.host.grabs(second);
    stage.letPass(0.3);
    expect(stage.host.holds(second)).toBe(true);
  });

  test('is not given to a guest that reaches for it', async () => {
    const stage = await stageWith({ hold: false });
    stage.host.grabs(second);
    stage.letPass(0.3);
    stage.guest(1).grabs(second);
    stage.letPass(0.3);
    stage.host.releases();
    stage.letPass(0.3);
    expect(stage.guest(1).holds(second)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('may be pushed by an action', async () => {
    const stage = await stageWith({ hold: false });
    const push = { kind: 'velocity', body: second, linear: vector(1, 0, 0), angular: vector() } as const;
    expect(stage.guest(1).peer.act(push)).toBeNull();
  });
});

describe('[A15.1] [A15.2] a body that guests may not take', () => {
  test('is not pushed by an action, nor taken with what it lies on', async () => {
    const stage = await stageWith({ take: false });
    const guest = stage.guest(1);
    const push = { kind: 'velocity', body: second, linear: vector(1, 0, 0), angular: vector() } as const;
    expect(guest.peer.act(push)).toBe('not allowed');
    expect(stage.host.peer.act(push)).toBeNull();
    stage.letAllRest();
    guest.grabs(first);
    stage.letPass(0.1);
    expect(guest.holds(first)).toBe(true);
    expect(guest.says(second).authority).not.toBe(1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A15.4] is the guest’s after its throw, until it rests', async () => {
    const stage = await stageWith({ take: false });
    const guest = stage.guest(1);
    guest.grabs(second);
    stage.letPass(0.3);
    guest.throws([2, 1, 0]);
    stage.letPass(0.2);
    expect([stage.host.says(second).authority, guest.says(second).authority]).toEqual([1, 1]);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

test('[A15.4] what a guest kept and keeps no more is its own, also if the host has not heard that it was kept', async () => {
  const stage = await stageWith({ take: false, hold: false });
  const guest = stage.guest(1);
  const keep = (on: boolean): unknown => guest.peer.act({ kind: 'keep', body: second, on });
  guest.uplink.loss = 1;
  expect(keep(true)).toBeNull();
  stage.letPass(0.1);
  expect(keep(false)).toBeNull();
  stage.letPass(0.1);
  guest.uplink.loss = 0;
  stage.letPass(0.4);
  expect(stage.host.says(second)).toMatchObject({ authority: 1, ownershipSequence: 1, authoritySequence: 2 });
  expect(keep(true)).toBeNull();
  stage.letPass(0.4);
  expect(stage.host.peer.state.bodies.records.hold[second]).toBe(KEPT);
  expect(keep(false)).toBeNull();
  stage.letAllRest();
  expect(stage).toAgree();
});

test('[A15.1] a body that guests may not keep is kept by the host alone', async () => {
  const stage = await stageWith({ keep: false });
  expect(stage.guest(1).peer.act({ kind: 'keep', body: first, on: true })).toBe('not allowed');
  expect(stage.host.peer.act({ kind: 'keep', body: first, on: true })).toBeNull();
});

describe('[A15.3] a page that breaks its template’s rules', () => {
  test.each(['take', 'hold', 'keep'] as const)('gets nothing: %s', async (right) => {
    const stage = await stageWith({ [right]: false });
    const guest = stage.guest(1);
    const { bodies } = guest.peer.state;
    bodies.records.forbidden.fill(0);
    if (right === 'take') {
      take(bodies.records, second, guest.slot, false);
      bodies.startSimulating(second);
    } else if (right === 'hold') guest.grabs(second);
    else guest.peer.act({ kind: 'keep', body: second, on: true });
    stage.letPass(0.4);
    expect(stage.host.says(second).authority).not.toBe(1);
    expect(stage.host.peer.state.bodies.records.hold[second]).toBe(NOT_HELD);
    expect(stage.host.refused('H2')).toBeGreaterThan(0);
    guest.releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
