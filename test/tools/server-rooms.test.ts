import { expect, test } from 'vitest';
import { benchServerRooms, describeServerRooms, roomsThatFit } from '../../src/tools/bench/server-rooms.ts';

test('rooms fit into a tick as long as their ticks, one after the other, do', () => {
  expect(roomsThatFit([4], 16)).toBe(4);
  expect(roomsThatFit([4], 15.9)).toBe(3);
  expect(roomsThatFit([20], 16)).toBe(0);
});

test('a rare long tick counts once it is no longer rare in all rooms together', () => {
  const rare = [...Array<number>(399).fill(1), 12];
  // Four rooms have a long tick in 1 of 100 ticks; five in more.
  expect(roomsThatFit(rare, 10)).toBeGreaterThanOrEqual(3);
  expect(roomsThatFit(rare, 10)).toBeLessThanOrEqual(4);
  expect(roomsThatFit(rare, 40)).toBeGreaterThan(15);
});

test('a room is measured, and its row has the columns of the table', async () => {
  const rows = await benchServerRooms(['tower'], [1], [1]);
  expect(rows[0].median).toBeGreaterThan(0);
  expect(rows[0].p99).toBeGreaterThan(rows[0].median);
  expect(rows[0].down).toBeGreaterThan(rows[0].up / 10);
  expect(describeServerRooms(rows).split('\n')[2]).toMatch(/^\| tower \| 1( \| [\d.]+){5} \|$/);
});
