import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { ContactGraph } from '../../../src/core/world/contacts.ts';

const [a, b, c, d] = [0, 1, 2, 3] as BodyId[];

/** The pairs that began to touch in the last step, each with its lower body first. */
function started(graph: ContactGraph): string[] {
  const pairs: string[] = [];
  for (let i = 0; i < graph.startedCount; i += 2) {
    pairs.push([graph.started[i], graph.started[i + 1]].sort((x, y) => x - y).join('-'));
  }
  return pairs.sort();
}

describe('ContactGraph', () => {
  test('starts with nothing touching', () => {
    const graph = new ContactGraph(4);
    expect(graph.neighbours).toEqual([[], [], [], []]);
    expect(graph.startedCount).toBe(0);
    expect(graph.touching(a, b)).toBe(false);
  });

  test('touching goes both ways', () => {
    const graph = new ContactGraph(4);
    graph.add(a, b);
    graph.add(c, a);
    expect([graph.touching(a, b), graph.touching(b, a), graph.touching(b, c)]).toEqual([true, true, false]);
    expect([...graph.neighbours[a]].sort()).toEqual([b, c]);
    expect(graph.neighbours[b]).toEqual([a]);
  });

  test('a pair that touches already is not added again, and did not start', () => {
    const graph = new ContactGraph(4);
    graph.add(a, b);
    graph.add(b, a);
    expect(graph.neighbours[a]).toEqual([b]);
    expect(started(graph)).toEqual(['0-1']);
    graph.beginStep();
    graph.add(a, b);
    expect(started(graph)).toEqual([]);
  });

  test('a removed pair touches no more, and may start again', () => {
    const graph = new ContactGraph(4);
    graph.add(a, b);
    graph.add(a, c);
    graph.add(a, d);
    graph.beginStep();
    graph.remove(b, a);
    expect(graph.touching(a, b)).toBe(false);
    expect(graph.neighbours[b]).toEqual([]);
    expect([...graph.neighbours[a]].sort()).toEqual([c, d]);
    graph.add(a, b);
    expect(started(graph)).toEqual(['0-1']);
  });

  test('removing a pair that does not touch changes nothing', () => {
    const graph = new ContactGraph(4);
    graph.add(a, b);
    graph.remove(a, c);
    graph.remove(c, d);
    expect(graph.neighbours).toEqual([[b], [a], [], []]);
  });

  test('agrees with a plain set of pairs over any run of changes', () => {
    const random = new Random(9);
    const count = 12;
    const graph = new ContactGraph(count);
    const pairs = new Set<string>();
    for (let step = 0; step < 200; step++) {
      graph.beginStep();
      const before = new Set(pairs);
      for (let change = 0; change < 10; change++) {
        const x = random.below(count);
        const y = (x + 1 + random.below(count - 1)) % count;
        const key = [Math.min(x, y), Math.max(x, y)].join('-');
        const isNew = !before.has(key);
        if (random.chance(0.5)) {
          graph.add(x as BodyId, y as BodyId);
          pairs.add(key);
        } else if (!isNew) {
          graph.remove(x as BodyId, y as BodyId);
          pairs.delete(key);
          before.delete(key);
        }
      }
      const listed = graph.neighbours.flatMap((list, x) => list.filter((y) => x < y).map((y) => `${x}-${y}`));
      expect(listed.sort()).toEqual([...pairs].sort());
      const all = graph.neighbours.reduce((sum, list) => sum + list.length, 0);
      expect(all).toBe(2 * pairs.size);
    }
  });
});
