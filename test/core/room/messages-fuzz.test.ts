import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { readGuestMessage, readHostMessage, writeMessage } from '../../../src/core/room/messages.ts';
import { ODD_MESSAGES } from './odd-messages.ts';
import { faultsOf } from './simulated/soundness.ts';

/** Cases from each seed: about a hundredth of a second. */
const CASES = 4000;

describe('[F1] of any texts, those that are read are sound, and are read the same when written again', () => {
  test.each(ODD_MESSAGES.flatMap(([what, make]) => [1, 2, 3].map((seed) => [what, seed, make] as const)))(
    '%s, seed %d',
    (_, seed, make) => {
      const random = new Random(seed);
      let count = 0;
      for (let i = 0; i < CASES; i++) {
        const text = make(random);
        for (const read of [readGuestMessage, readHostMessage]) {
          const message = read(text);
          if (message === null) continue;
          count++;
          expect(faultsOf(message), text).toEqual([]);
          expect(read(writeMessage(message)), text).toEqual(message);
        }
      }
      expect(count).toBeGreaterThan(50);
    },
  );
});
