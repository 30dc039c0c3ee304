import { expect, test } from 'vitest';
import { BodiesUnlike } from '../../../src/core/base/bodies-unlike.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { forSeeds } from '../../support/seeds.ts';

function all(bodies: BodiesUnlike): number[] {
  const found: number[] = [];
  for (let body = bodies.next(NO_BODY); body !== NO_BODY; body = bodies.next(body)) found.push(body);
  return found;
}

test.each([
  ['0 of bytes', new Uint8Array(1003), 0],
  ['1 of bytes', new Uint8Array(1003).fill(1), 1],
  ['-1 of signed bytes', new Int8Array(1003).fill(-1), -1],
] as const)('finds the same as a loop over all: bodies unlike %s', (_, bytes, common) => {
  const bodies = new BodiesUnlike(bytes, common);
  expect(all(bodies)).toEqual([]);
  forSeeds(1, 200, (seed) => {
    const random = new Random(seed);
    bytes.fill(common);
    for (let i = random.below(200); i > 0; i--)
      bytes[random.below(bytes.length)] = common + 1 + random.below(3);
    expect(all(bodies)).toEqual([...bytes.keys()].filter((body) => bytes[body] !== common));
  });
});

test('works for any number of bodies', () => {
  for (let count = 0; count < 12; count++) {
    const bytes = new Uint8Array(count).fill(7);
    expect(all(new BodiesUnlike(bytes, 0))).toEqual([...bytes.keys()]);
    expect(all(new BodiesUnlike(bytes, 7))).toEqual([]);
  }
});

test('goes on from the present bytes if they change on the way', () => {
  const bytes = Uint8Array.from([1, 0, 0, 0, 0, 0, 1, 0, 1]);
  const bodies = new BodiesUnlike(bytes, 0);
  expect(bodies.next(NO_BODY)).toBe(0);
  bytes.set([0, 0, 1, 0, 0, 0, 0]);
  expect([bodies.next(0), bodies.next(2), bodies.next(8)]).toEqual([2, 8, NO_BODY]);
});
