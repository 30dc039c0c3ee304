import { describe, expect, test } from 'vitest';
import type { BodyAction } from '../../../src/core/peer/actions/body-action.ts';
import { pose, vector } from '../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import type { Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage, tower } from '../../support/stage.ts';

const [first, second] = CUBES;

function impulse(body: typeof first, x: number, y: number): BodyAction {
  return { kind: 'impulse', body, push: vector(x, y, 0), at: null };
}

/** Metres a second: a cube's velocity along x, y and z at a player. */
function velocityAt(stage: Stage, slot: number, cube: typeof first): number[] {
  const at = cube * STRIDE + MOTION.linear;
  return [...stage.guest(slot).peer.state.bodies.motion.subarray(at, at + 3)];
}

describe('[A13] acting without a hand', () => {
  test.each([0, 1])('[A13.1] slot %i takes a body at will, and it returns after a second', async (slot) => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    const { peer } = stage.guest(slot);
    expect(peer.act({ kind: 'take', body: first })).toBeNull();
    expect(stage.guest(slot).says(first).authority).toBeNull();
    stage.tick();
    expect(stage.guest(slot).says(first)).toMatchObject({
      authority: slot,
      authoritySequence: 1,
      confirmed: slot === 0,
      resting: true,
    });
    stage.letPass(0.5);
    expect(stage.present.map((player) => player.says(first).authority)).toEqual([slot, slot, slot]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.2] [A13.3] an impulse takes a free body, and moves it in the next tick as the engine would', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    expect(stage.guest(1).peer.act(impulse(first, 0, 6))).toBeNull();
    expect(velocityAt(stage, 1, first)[1]).toBeCloseTo(0, 2);
    stage.tick();
    expect(velocityAt(stage, 1, first)[1]).toBeCloseTo(6 - 9.8 / 60, 1);
    expect(stage.guest(1).says(first).authority).toBe(1);
    stage.letPass(0.4);
    expect(stage.guest(2).says(first).position[1]).toBeGreaterThan(0.5);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.2] is refused on what another player has or holds, and on what this one holds', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    stage.guest(1).grabs(first);
    stage.letPass(0.5);
    expect(stage.guest(1).peer.act(impulse(first, 0, 1))).toBe('in hand');
    expect(stage.guest(2).peer.act(impulse(first, 0, 1))).toBe('taken');
    stage.guest(1).throws([3, 0, 0]);
    stage.letPass(0.3);
    expect(stage.guest(1).peer.act(impulse(first, 0, 1))).toBeNull();
    expect(stage.guest(2).peer.act({ kind: 'take', body: first })).toBe('taken');
    // The log tells of a refusal in the tick: here another player has the body by then.
    const { peer } = stage.guest(2);
    expect(peer.act({ kind: 'take', body: second })).toBeNull();
    peer.state.bodies.records.authority[second] = 0;
    stage.tick();
    expect(peer.diagnostics.events.ofBody(second, 1)[0]).toMatchObject({ kind: 'deny', rule: 'A13' });
    peer.state.bodies.records.authority[second] = -1;
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.6] the host acts on what another player has, but not on what one holds or keeps', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    const { host } = stage;
    const place = { ...pose(), position: vector(0, 0.25, 3) };
    const putBack = (): unknown => host.peer.act({ kind: 'teleport', body: first, pose: place });
    stage.guest(1).grabs(first);
    stage.letPass(0.5);
    expect(putBack()).toBe('taken');
    stage.guest(1).throws([8, 2, 0]);
    stage.letPass(0.3);
    expect(host.says(first).authority).toBe(1);
    expect(putBack()).toBeNull();
    stage.letPass(0.5);
    for (const player of stage.present) {
      expect(player.says(first).position[2]).toBeCloseTo(3, 1);
      expect(player.says(first).authority).not.toBe(1);
    }
    expect(stage.guest(1).peer.act({ kind: 'keep', body: second, on: true })).toBeNull();
    stage.letPass(0.5);
    expect(host.peer.act(impulse(second, 0, 1))).toBe('taken');
    stage.guest(1).peer.act({ kind: 'keep', body: second, on: false });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.5] a guest’s teleport is at most 1.9 m, and says so at once; the host’s goes anywhere', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const to = (z: number): BodyAction => ({
      kind: 'teleport',
      body: first,
      pose: { ...pose(), position: vector(0, 0.25, z) },
    });
    expect(stage.guest(1).peer.act(to(1.95))).toBe('bounds');
    expect(stage.host.peer.act(to(1.95))).toBeNull();
    stage.letAllRest();
    expect(stage.guest(1).peer.act(to(0.1))).toBeNull();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.3] a force acts for one tick; velocities and a place are had at once', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const { peer } = stage.guest(1);
    peer.act({ kind: 'force', body: first, push: vector(0, 360, 0), at: null });
    stage.tick();
    expect(velocityAt(stage, 1, first)[1]).toBeCloseTo(6 - 9.8 / 60, 1);
    stage.letAllRest();
    peer.act({ kind: 'velocity', body: first, linear: vector(0, 5, 1), angular: vector(0, 2, 0) });
    stage.tick();
    expect(velocityAt(stage, 1, first)[2]).toBeCloseTo(1, 1);
    stage.letAllRest();
    const rotation = { x: 0, y: 0, z: 0, w: 1 };
    peer.act({ kind: 'teleport', body: first, pose: { position: vector(0, 1.5, 1), rotation } });
    stage.tick();
    const { position } = stage.guest(1).says(first);
    expect(position[1]).toBeCloseTo(1.5, 1);
    expect(position[2]).toBeCloseTo(1, 1);
    stage.letPass(0.2);
    expect(stage.host.refused('H9')).toBe(0);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.4] a cube that is knocked out from under a tower lets it fall', async () => {
    const stage = await setStage({ guests: 1, cubes: tower(3) });
    stage.letPass(1);
    stage.guest(1).peer.act(impulse(first, 8, 0));
    stage.waitFor(() => stage.guest(1).says(CUBES[2]).position[1] < 1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.5] numbers out of bounds are refused, and nothing happens', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const { peer } = stage.guest(1);
    const rotation = { x: 0, y: 0, z: 0, w: 1 };
    const body = first;
    const refused: BodyAction[] = [
      impulse(first, Number.NaN, 0),
      impulse(first, Infinity, 0),
      { kind: 'velocity', body, linear: vector(41, 0, 0), angular: vector() },
      { kind: 'teleport', body, pose: { position: vector(0, 100, 0), rotation } },
      { kind: 'teleport', body, pose: { position: vector(0, 1, 0), rotation: { ...rotation, w: 2 } } },
      { kind: 'force', body, push: vector(), at: vector(Number.NaN, 0, 0) },
    ];
    for (const action of refused) expect(peer.act(action), JSON.stringify(action)).toBe('bounds');
    for (const id of [-1, 1, 0.5])
      expect(peer.act({ kind: 'take', body: id as typeof body })).toBe('no body');
    for (let i = 0; i < 8; i++) expect(peer.act(impulse(first, 0, 0))).toBeNull();
    expect(peer.act(impulse(first, 0, 0))).toBe('too many');
    stage.tick();
    expect(stage.guest(1).says(first).position[0]).toBeCloseTo(0, 2);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A13.5] a push that would make a body too fast is refused at once, and takes nothing', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const guest = stage.guest(1);
    const { authority } = guest.says(first);
    expect(guest.peer.act(impulse(first, 50, 0))).toBe('bounds');
    expect(guest.peer.act({ kind: 'force', body: first, push: vector(2900, 0, 0), at: null })).toBe('bounds');
    stage.tick();
    expect(guest.says(first).authority).toBe(authority);
    expect(guest.counted('deny')).toBe(0);
    // Each of these alone is slow enough; together they are not, which only the tick knows.
    for (let i = 0; i < 2; i++) expect(guest.peer.act(impulse(first, 30, 0))).toBeNull();
    stage.tick();
    expect(guest.counted('deny')).toBe(1);
    expect(guest.peer.state.bodies.motion[MOTION.linear]).toBeGreaterThan(20);
  });

  test('[A13.5] a push at a point is refused if it would turn the cube too fast', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    const guest = stage.guest(1);
    const turning = (away: number): BodyAction => {
      const [x, y, z] = guest.says(first).position;
      return { kind: 'impulse', body: first, push: vector(0, 0, -0.5), at: vector(x + away, y, z) };
    };
    guest.peer.act(turning(20));
    guest.peer.act(turning(20));
    stage.tick();
    expect(guest.counted('deny')).toBe(2);
    guest.peer.act(turning(2));
    guest.peer.act(turning(2));
    stage.tick();
    expect(guest.counted('deny'), 'two pushes of one tick count together').toBe(3);
    const { motion } = guest.peer.state.bodies;
    expect(motion[MOTION.angular + 1]).toBeGreaterThan(20);
    expect(motion[MOTION.angular + 1]).toBeLessThan(40);
  });

  test('[A13.2] a peer without hands acts, and shows an avatar without hands', async () => {
    const stage = await setStage({ guests: 1, cubes: apart(1) });
    for (const hand of stage.guest(1).input.hands) hand.tracked = false;
    stage.letPass(0.5);
    stage.guest(1).peer.act(impulse(first, 0, 3));
    stage.letPass(0.3);
    expect(stage.host.says(first).authority).toBe(1);
    expect(stage.host.sees(1).hands.some((hand) => hand.tracked)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});
