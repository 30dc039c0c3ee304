import { expect, test } from 'vitest';
import { BodySet } from '../../../src/core/base/body-set.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';

/** @returns the members in the order in which the set goes through them. */
function membersOf(set: BodySet): number[] {
  const members: number[] = [];
  for (let body = set.next(NO_BODY); body !== NO_BODY; body = set.next(body)) members.push(body);
  return members;
}

function membersOfEither(a: BodySet, b: BodySet): number[] {
  const members: number[] = [];
  for (let body = a.nextOfEither(b, NO_BODY); body !== NO_BODY; body = a.nextOfEither(b, body))
    members.push(body);
  return members;
}

test.each([1, 31, 32, 33, 64, 200])(
  'a set of %i bodies has what was added and not deleted, in order',
  (count) => {
    const random = new Random(count);
    const set = new BodySet(count);
    const other = new BodySet(count);
    const expected = new Set<number>();
    expect(membersOf(set)).toEqual([]);
    for (let i = 0; i < 1000; i++) {
      const body = i === 500 ? count - 1 : random.below(count);
      if (random.chance(0.5)) {
        set.add(body);
        expected.add(body);
      } else {
        set.delete(body);
        expected.delete(body);
      }
      expect(membersOf(set)).toEqual([...expected].sort((a, b) => a - b));
    }
    other.add(count - 1);
    other.add(0);
    const both = [...new Set([...expected, 0, count - 1])].sort((a, b) => a - b);
    expect(membersOfEither(set, other)).toEqual(both);
    expect(membersOfEither(other, set)).toEqual(both);
    expect(both.filter((body) => set.has(body))).toEqual(membersOf(set));
    for (let first = 0; first < count; first += 16) {
      const inBlock = membersOf(set).some((body) => body >= first && body < first + 16);
      expect(set.hasAnyOf16(first)).toBe(inBlock);
    }
    expected.add(0);
    set.addAll(other);
    expect(membersOf(set)).toEqual([...expected.add(count - 1)].sort((a, b) => a - b));
    set.fill();
    expect(membersOf(set)).toEqual(Array.from({ length: count }, (_, body) => body));
    set.clear();
    expect(membersOf(set)).toEqual([]);
  },
);

test('members may be deleted on the way', () => {
  const set = new BodySet(100);
  for (const body of [0, 31, 32, 63, 99]) set.add(body);
  const seen: number[] = [];
  for (let body = set.next(NO_BODY); body !== NO_BODY; body = set.next(body)) {
    seen.push(body);
    set.delete(body);
  }
  expect(seen).toEqual([0, 31, 32, 63, 99]);
  expect(membersOf(set)).toEqual([]);
});
