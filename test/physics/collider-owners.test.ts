import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { ColliderOwners } from '../../src/physics/contacts/collider-owners.ts';
import { forSeeds } from '../support/seeds.ts';

/** Owners with so many colliders each, whose handles count from `first` on. */
function ownersOf(counts: readonly number[], first = 0): ColliderOwners {
  const owners = new ColliderOwners();
  let handle = first;
  counts.forEach((count, owner) => {
    for (let i = 0; i < count; i++) owners.add(handle++, owner);
  });
  return owners;
}

describe('the owners of colliders', () => {
  test('touch from the first touch of their colliders to the last', () => {
    const owners = ownersOf([2, 1]);
    expect(owners.note(0, 2, true)).toBe(true);
    expect(owners.note(2, 1, true)).toBe(false);
    expect(owners.note(2, 0, false)).toBe(false);
    expect(owners.note(1, 2, false)).toBe(true);
  });

  test('touch as a list of all pairs says, whatever comes and goes', () => {
    forSeeds(1, 20, (seed) => {
      const random = new Random(seed);
      const owners = ownersOf([3, 2, 1, 4]);
      const ownerOf = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3];
      const pairs = new Set<string>();
      const touches = (a: number, b: number): boolean =>
        [...pairs].some((pair) => {
          const [i, k] = pair.split(' ').map((handle) => ownerOf[Number(handle)]);
          return i === Math.min(a, b) && k === Math.max(a, b);
        });
      for (let event = 0; event < 300; event++) {
        const [i, k] = [random.below(10), random.below(10)];
        const [a, b] = [ownerOf[i], ownerOf[k]];
        if (a === b) continue;
        const before = touches(a, b);
        const pair = `${Math.min(i, k)} ${Math.max(i, k)}`;
        const started = !pairs.has(pair);
        if (started) pairs.add(pair);
        else pairs.delete(pair);
        expect(owners.note(i, k, started), `seed ${seed}, event ${event}`).toBe(touches(a, b) !== before);
      }
    });
  });

  test('are told apart after more than a million colliders have come and gone', () => {
    const owners = ownersOf([2, 2, 2]);
    let handle = 6;
    for (let i = 2; i <= 2 ** 19; i++) {
      owners.remove(2);
      owners.add(handle++, 2);
      owners.add(handle++, 2);
    }
    expect(owners.of(2 ** 20 + 2)).toBe(2);
    expect(owners.note(0, 2 ** 20 + 2, true)).toBe(true);
    expect(owners.note(1, 2, true)).toBe(true);
    expect(owners.note(1, 2, false)).toBe(true);
    expect(owners.note(0, 2 ** 20 + 2, false)).toBe(true);
  });

  test('touch nothing after they were removed, and begin anew', () => {
    const owners = ownersOf([2, 2]);
    expect(owners.note(0, 2, true)).toBe(true);
    owners.remove(1);
    expect([owners.has(2), owners.has(3), owners.has(0)]).toEqual([false, false, true]);
    owners.add(2, 1);
    owners.add(3, 1);
    expect(owners.note(0, 2, true)).toBe(true);
    expect(owners.note(0, 2, false)).toBe(true);
  });
});
