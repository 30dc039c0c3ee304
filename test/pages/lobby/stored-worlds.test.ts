import { expect, test } from 'vitest';
import type { SavedWorld } from '../../../src/core/wire/files/saved-world.ts';
import type { LevelReference } from '../../../src/core/world/level-reference.ts';
import { newestOf } from '../../../src/pages/lobby/stored-worlds.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

function worldOf(level: LevelReference, savedAt: number): SavedWorld {
  const world: Partial<SavedWorld> = { level, savedAt };
  return world as SavedWorld;
}

const [TOWER, WALL] = [chooseLevel({ id: 'tower', seed: 1 }), chooseLevel({ id: 'wall', seed: 2 })] as const;

test('a room goes on with the newest world of its scene, whoever’s is newer', () => {
  const [own, newer, wall] = [worldOf(TOWER, 1), worldOf(TOWER, 2), worldOf(WALL, 3)];
  expect(newestOf([own, wall], TOWER)).toBe(own);
  expect(newestOf([own, newer], TOWER)).toBe(newer);
  expect(newestOf([newer, own], TOWER)).toBe(newer);
  expect(newestOf([own, wall], { ...WALL, seed: 3 })).toBeNull();
  expect(newestOf([], TOWER)).toBeNull();
});
