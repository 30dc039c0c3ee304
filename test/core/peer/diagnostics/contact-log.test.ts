import { expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { ContactLog } from '../../../../src/core/peer/diagnostics/contact-log.ts';

function read(log: ContactLog, since: number): number[] {
  const speeds: number[] = [];
  log.each(since, ({ speed }) => speeds.push(speed));
  return speeds;
}

test('contacts are read once each, oldest first, from where the reader stopped', () => {
  const log = new ContactLog();
  for (let i = 0; i < 5; i++) log.add(0 as BodyId, 1 as BodyId, i);
  expect(read(log, 0)).toEqual([0, 1, 2, 3, 4]);
  expect(read(log, 3)).toEqual([3, 4]);
  expect(read(log, log.total)).toEqual([]);
});

test('only the newest contacts are kept', () => {
  const log = new ContactLog();
  for (let i = 0; i < 1000; i++) log.add(0 as BodyId, 1 as BodyId, i);
  const speeds = read(log, 0);
  expect(speeds.at(-1)).toBe(999);
  expect(speeds.length).toBeLessThan(1000);
  expect(speeds[0]).toBe(1000 - speeds.length);
});
