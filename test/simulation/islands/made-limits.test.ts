import { expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { KEPT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { pose, vector } from '../../../src/core/base/math.ts';
import { followJoints } from '../../../src/core/peer/joints/follow-joints.ts';
import { wordsOf } from '../../../src/core/peer/joints/made-joints.ts';
import type { EntryId } from '../../../src/core/shared/layout.ts';
import type { Making } from '../../../src/core/world/joints/joint.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { setStage } from '../../support/stage.ts';

const MAKING: Making = { perPlayer: 16, slots: 2, kinds: [{ kind: 'rope', length: 1.5, collides: true }] };
const ROPE = 0;

/** A row of cubes, 0.6 m from one to the next, that players may tie with ropes. */
function setRow(count: number): Promise<Stage> {
  const cubes = Array.from({ length: count }, (_, i): [number, number, number] => [i * 0.6, 0.25, 0]);
  return setStage({ guests: 1, cubes, chain: { making: MAKING } });
}

/** Ties a cube of the row to the next one. */
function tie({ peer }: Player, cube: number): ReturnType<Player['peer']['joints']['make']> {
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
