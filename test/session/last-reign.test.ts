import { expect, test } from 'vitest';
import { LastReign } from '../../src/session/last-reign.ts';

test('[F4.36] a page that has given its room away is host for two seconds at most, each time', () => {
  const reign = new LastReign();
  const over = (isFormerHost: boolean, ms: number): boolean => reign.isOver(isFormerHost, ms);
  expect([over(false, 0), over(true, 5000), over(true, 6900), over(true, 7000)]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect([over(false, 7100), over(true, 20_000), over(true, 22_000)]).toEqual([false, false, true]);
});
