import { describe, expect, it } from 'vitest';
import { PriorityAccumulator } from '../../../src/core/link/priority.ts';

describe('[W5] the priority accumulator', () => {
  it('ranks by priority, and the lower index first among equals', () => {
    const priorities = new PriorityAccumulator(4);
    priorities.raise(2, 5);
    priorities.raise(0, 1);
    priorities.raise(3, 5);
    expect([...priorities.ranked()]).toEqual([2, 3, 0]);
  });

  it('what is not sent keeps its priority and gains more, so that nobody starves', () => {
    const priorities = new PriorityAccumulator(50);
    const lastSent = new Array<number>(50).fill(0);
    let longest = 0;
    for (let tick = 1; tick <= 2000; tick++) {
      for (let body = 0; body < 50; body++) priorities.raise(body, body < 5 ? 10 : 1);
      for (const body of priorities.ranked().slice(0, 4)) {
        longest = Math.max(longest, tick - lastSent[body]);
        lastSent[body] = tick;
        priorities.sent(body);
      }
    }
    expect(longest).toBeLessThan(60);
    expect(Math.min(...lastSent)).toBeGreaterThan(1940);
  });
});
