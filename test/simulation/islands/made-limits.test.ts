import { expect, test, vi } from 'vitest';
import type { BodyId, Existence, Slot } from '../../../src/core/base/ids.ts';
import { KEPT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { pose, vector } from '../../../src/core/base/math.ts';
import { followJoints } from '../../../src/core/peer/joints/follow-joints.ts';
import { wordsOf } from '../../../src/core/peer/joints/made-joints.ts';
import type { EntryId } from '../../../src/core/shared/layout.ts';
import { dropUntenable } from '../../../src/core/peer/joints/untying.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { isAllowed } from '../../../src/core/world/authority.ts';
import { gone } from '../../../src/core/world/existence.ts';
import type { Making } from '../../../src/core/world/joints/joint.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { sceneOf, setStage } from '../../support/stage.ts';

const MAKING: Making = { perPlayer: 16, slots: 2, kinds: [{ kind: 'rope', length: 1.5, collides: true }] };
const ROPE = 0;
const HOST = 0 as Slot;

/** A row of cubes, 0.6 m from one to the next, that players may tie with ropes. */
function setRow(count: number): Promise<Stage> {
  const cubes = Array.from({ length: count }, (_, i): [number, number, number] => [i * 0.6, 0.25, 0]);
  return setStage({ guests: 1, cubes, chain: { making: MAKING } });
}

/** Ties a cube of the row to the next one. */
function tie({ peer }: Pick<Player, 'peer'>, cube: number): ReturnType<Player['peer']['joints']['make']> {
  const at = vector(cube * 0.6, 0.25, 0);
  const to = vector((cube + 1) * 0.6, 0.25, 0);
  return peer.joints.make({ kind: ROPE, a: cube as BodyId, b: (cube + 1) as BodyId, at, to });
}

test('[J5.3] [A12.3] who keeps one of two bodies that it ties keeps none any more, also if their claims were equal', async () => {
  const stage = await setRow(2);
  const guest = stage.guest(1);
  const [first, second] = [0, 1] as BodyId[];
  guest.peer.act({ kind: 'keep', body: second, on: true });
  guest.peer.act({ kind: 'keep', body: first, on: true });
  stage.letPass(0.3);
  const holds = (): number[] =>
    [stage.host, guest].flatMap(({ peer }) =>
      [first, second].map((body) => peer.state.bodies.records.hold[body]),
    );
  expect(holds()).toEqual([KEPT, KEPT, KEPT, KEPT]);
  expect(tie(guest, first)).toBe(MAKING.perPlayer);
  stage.letPass(0.5);
  expect(holds()).toEqual([NOT_HELD, NOT_HELD, NOT_HELD, NOT_HELD]);
  stage.letAllRest();
  expect(stage).toAgree();
});

test('[J5.5] a joint that is heard of before another one goes is there once the island has room', async () => {
  const { host } = await setRow(17);
  for (let cube = 0; cube < 15; cube++) expect(tie(host, cube)).toBe(cube);
  expect(tie(host, 15)).toBe('too many');
  const { state, joints } = host.peer;
  const { shared, bodies } = state;
  if (shared === null) throw new Error('the level has joints');
  const frame = pose();
  const words = wordsOf(bodies.level, ROPE, [
    { body: 15, frame },
    { body: 16, frame },
  ]);
  shared.store.write(15 as EntryId, words, 0);
  followJoints(state, null);
  expect(joints.has(15)).toBe(false);
  shared.store.write(0 as EntryId, new Int32Array(words.length), 0);
  expect(followJoints(state, null)?.map(({ joint }) => joint)).toEqual([0, 15]);
  expect(joints.has(15)).toBe(true);
  expect(bodies.records.islands.parts[16]).toHaveLength(16);
});

test('[J2.7] a body that is tied to one that guests may not take is not theirs to take in a saved world either', () => {
  const row = sceneOf([[0, 0.25, 0]]);
  const guarded = { ...row.templates[0], guests: { take: false, hold: false, keep: false } };
  const templates = [...row.templates, guarded];
  const spawning = { perPlayer: 1, slots: 1, perSecond: 1, templates: [guarded] };
  const level: Level = { ...row, templates, spawning, making: MAKING };
  const host = new Peer({ slot: HOST, host: HOST, level, simulation: floatingSimulation(level) });
  const [first] = [0] as BodyId[];
  const mayTake = (): boolean => isAllowed(host.state.bodies.records, first, 'take', false);
  const at = { ...pose(), position: vector(0.6, 0.25, 0) };
  expect(host.spawn({ template: guarded, pose: at, linear: vector(), angular: vector() })).toBe(1);
  expect(mayTake()).toBe(true);
  expect(tie({ peer: host }, first)).toBe(0);
  expect(mayTake()).toBe(false);
  const saved = host.saveWorld(referTo({ id: level.id, seed: 1 }, level), 0);
  host.reset();
  expect(mayTake()).toBe(true);
  host.reset(saved);
  expect(host.joints.has(0)).toBe(true);
  expect(mayTake()).toBe(false);
});

test('[J5.4] joints of bodies that are not there go together: the islands are found once', async () => {
  const { host } = await setRow(4);
  const { state } = host.peer;
  const { islands } = state.bodies.records;
  for (let cube = 0; cube < 3; cube++) expect(tie(host, cube)).toBe(cube);
  for (const body of [0, 1, 2, 3] as BodyId[]) {
    const { existence } = state.bodies.records;
    existence[body] = gone(existence[body] as Existence, 'despawned');
    state.bodies.become(body, null);
  }
  const find = vi.spyOn(islands, 'find');
  dropUntenable(state);
  expect(find).toHaveBeenCalledTimes(1);
  expect([...islands.isGone.subarray(0, 3)]).toEqual([1, 1, 1]);
});
