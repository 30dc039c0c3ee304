import { expect, test } from 'vitest';
import { describeLastWorld } from '../../../src/pages/lobby/last-world.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

const NOW = 1_700_000_000;

test.each([
  [0, 'just now'],
  [-3600, 'just now'],
  [59.9, 'just now'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [3600, '1 hour ago'],
  [47 * 3600, '1 day ago'],
  [400 * 86_400, '400 days ago'],
])('a world saved %f s ago says so', (seconds, said) => {
  const kept = { level: chooseLevel({ id: 'tower', seed: 1 }), savedAt: NOW - seconds } as const;
  expect(describeLastWorld(kept, NOW)).toBe(`in a new room: Tower, ${said}`);
});
