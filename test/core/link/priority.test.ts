import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { PriorityAccumulator } from '../../../src/core/link/priority.ts';

/** How often each body was sent, and the most ticks from one time to the next. */
type Play = { readonly sent: number[]; readonly waits: number[] };

function ranked(priorities: PriorityAccumulator): number[] {
  const bodies: number[] = [];
  priorities.rank();
  for (let body = priorities.next(); body >= 0; body = priorities.next()) bodies.push(body);
  return bodies;
}

/** Raises every body by its own amount, and sends as many as fit, in each tick. */
function play(gains: readonly number[], fit: number, ticks: number): Play {
  const priorities = new PriorityAccumulator(gains.length);
  const sent = gains.map(() => 0);
  const waits = gains.map(() => 0);
  const since = gains.map(() => 0);
  for (let tick = 0; tick < ticks; tick++) {
    gains.forEach((gain, body) => {
      priorities.raise(body, gain);
      waits[body] = Math.max(waits[body], ++since[body]);
    });
    for (const body of ranked(priorities).slice(0, fit)) {
      sent[body]++;
      since[body] = 0;
      priorities.sent(body);
    }
  }
  return { sent, waits };
}

describe('[W5] PriorityAccumulator', () => {
  test('ranks the greatest first, the lower body first among equals, and omits bodies without priority', () => {
    const priorities = new PriorityAccumulator(6);
    for (const [body, by] of [
      [4, 2],
      [1, 5],
      [3, 2],
      [5, 9],
    ]) {
      priorities.raise(body, by);
    }
    expect(ranked(priorities)).toEqual([5, 1, 3, 4]);
  });

  test('ranks any number of bodies, one after the other', () => {
    const random = new Random(1);
    for (let count = 0; count < 60; count++) {
      const priorities = new PriorityAccumulator(count);
      const gains = Array.from({ length: count }, () => random.below(8));
      gains.forEach((gain, body) => priorities.raise(body, gain));
      const bodies = [...gains.keys()].filter((body) => gains[body] > 0);
      expect(ranked(priorities)).toEqual(bodies.sort((a, b) => gains[b] - gains[a] || a - b));
    }
  });

  test('[W5.2] a body that is not sent keeps its priority and gains more; one that is sent starts at 0', () => {
    const priorities = new PriorityAccumulator(2);
    priorities.raise(0, 3);
    priorities.raise(1, 2);
    priorities.sent(0);
    priorities.raise(0, 3);
    priorities.raise(1, 2);
    expect(ranked(priorities)).toEqual([1, 0]);
    priorities.sent(1);
    expect(ranked(priorities)).toEqual([0]);
  });

  test('bodies of equal priority take turns', () => {
    const gains = Array.from({ length: 10 }, () => 1);
    expect(Math.max(...play(gains, 3, 100).waits)).toBe(4);
    expect(Math.max(...play(gains, 1, 100).waits)).toBe(10);
  });

  test('[W5.2] no body starves beside one that gains a million times as much', () => {
    const { sent, waits } = play([1_000_000, 10, 1, 1, 1, 1], 2, 600);
    expect(sent[0]).toBe(600);
    expect(Math.max(...waits)).toBeLessThan(20);
    expect(sent[1]).toBeGreaterThan(2 * sent[2]);
  });

  test('a clear leaves none', () => {
    const priorities = new PriorityAccumulator(2);
    priorities.raise(1, 1);
    priorities.clear();
    expect(ranked(priorities)).toEqual([]);
  });
});
