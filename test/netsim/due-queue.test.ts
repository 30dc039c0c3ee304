import { expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { DueQueue } from '../../src/netsim/due-queue.ts';

test('hands out the earliest item first, and items of the same time in their order', () => {
  const random = new Random(1);
  const queue = new DueQueue<number>();
  const waiting: { due: number; item: number }[] = [];
  for (let item = 0; item < 3000; item++) {
    const due = random.below(50);
    queue.push(due, item);
    waiting.push({ due, item });
    waiting.sort((a, b) => a.due - b.due || a.item - b.item);
    while (random.chance(item < 1500 ? 0.3 : 0.55)) {
      const first = waiting.shift();
      if (first === undefined) break;
      expect(queue.nextDue).toBe(first.due);
      expect(queue.pop()).toBe(first.item);
    }
    expect(queue.count).toBe(waiting.length);
  }
});

test('has nothing due when it is empty', () => {
  const queue = new DueQueue<string>();
  expect(queue.nextDue).toBe(Infinity);
  queue.push(3, 'a');
  queue.pop();
  expect(queue.nextDue).toBe(Infinity);
  expect(queue.count).toBe(0);
});
