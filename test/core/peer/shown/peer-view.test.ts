import { expect, test } from 'vitest';
import { toSlot } from '../../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { peerView } from '../../../../src/core/peer/shown/peer-view.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';

const template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } } as const;
const start = { position: vector(0, 1, 0), rotation: quaternion() };
/** One body, and three ids for each of two players. */
const level = {
  ...flatLevel('balls', [{ template, start }]),
  spawning: { perPlayer: 3, slots: 2, perSecond: 1, templates: [template] },
};

test('a view of a level has a place for what players may spawn', () => {
  expect(peerView(level).exists).toHaveLength(7);
  expect(peerView(3).exists).toHaveLength(3);
});

test('a view that is too short for its peer says so', () => {
  const slot = toSlot(0);
  const peer = new Peer({ slot, host: slot, level, simulation: floatingSimulation(level) });
  expect(() => peer.view(1, null, peerView(1))).toThrow('make it by peerView(level)');
  peer.view(1, null, peerView(level));
});
