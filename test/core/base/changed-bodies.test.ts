import { expect, test } from 'vitest';
import { BodySet } from '../../../src/core/base/body-set.ts';
import { ChangedBodies } from '../../../src/core/base/changed-bodies.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';

test.each([1, 3, 4, 5, 31, 64, 203])(
  'of %i bodies those that have changed are found, and few others',
  (count) => {
    const random = new Random(count);
    const arrays = [new Int8Array(count), new Uint8Array(count), new Uint16Array(count)];
    arrays[0].fill(-1);
    const changed = new ChangedBodies(arrays);
    for (let round = 0; round < 300; round++) {
      const expected = new Set<number>();
      for (let i = random.below(3); i > 0; i--) {
        const body = round % 10 === 0 ? count - 1 : random.below(count);
        arrays[random.below(arrays.length)][body]++;
        expected.add(body);
      }
      const found = new BodySet(count);
      changed.addTo(found);
      for (const body of expected) expect(found.has(body), `round ${round}, body ${body}`).toBe(true);
      for (let body = found.next(NO_BODY); body !== NO_BODY; body = found.next(body)) {
        expect(body).toBeLessThan(count);
        expect([...expected].some((other) => other >> 2 === body >> 2)).toBe(true);
      }
      const again = new BodySet(count);
      changed.addTo(again);
      expect(again.next(NO_BODY)).toBe(NO_BODY);
    }
  },
);
