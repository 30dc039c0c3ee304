import { expect, test } from 'vitest';
import {
  expectDecodedAlike,
  expectDecodedAlikeAt,
  expectLiesRefused,
  expectRandomBytesReadAlike,
  expectShiftsDecodedAlike,
  RATES,
} from './packet-checks.ts';

test('[W1.1] [W1.2] a thousand packets are decoded alike by the project and by STANDARD.md, and encode to the same bytes', () => {
  expectDecodedAlike(0, 999);
});

test('[W6.1] a reader refuses any number beyond its range', () => {
  expect(expectLiesRefused(0, 99)).toBeGreaterThan(1000);
});

test('[W6.1] a reader refuses random bytes, as STANDARD.md does; or reads them as the packet that encodes to them', () => {
  expectRandomBytesReadAlike(9, 2000);
});

test.each(RATES)(
  '[W1.1] [B2.2] at %i ticks a second the project and STANDARD.md decode any packet alike',
  (rate) => {
    expectDecodedAlikeAt(rate, 0, 149);
  },
);

test('[K2.1] the shifts of a level with driven bodies are decoded alike by the project and by STANDARD.md, and encode to the same bytes', () => {
  expectShiftsDecodedAlike(0, 149);
});
