import { expect, test } from 'vitest';
import { MAX_NAME_BYTES } from '../../../src/core/base/constants.ts';
import { decodeName, encodeName } from '../../../src/core/base/text.ts';

const kept = (name: string): string => decodeName(encodeName(name));

test.each(['Ada', 'Zoë', 'Łukasz', 'ไทย', '이름', '😀', '❤️'])('the name %s is kept', (name) => {
  expect(kept(name)).toBe(name);
});

test.each([
  ['control characters', 'A\u0007d\na', 'Ada'],
  ['marks that turn the direction of text', '\u202eAda', 'Ada'],
  ['letters that are drawn as nothing', '\u3164\u115f\uffa0\u2800', ''],
  ['spaces around it', '  Ada ', 'Ada'],
  ['mark for pictures where it marks none', '\u200b\ufe0f \ufe0f', ''],
  ['second mark for pictures', '\ufe0f❤\ufe0f\ufe0f', '❤\ufe0f'],
])('a name has no %s', (_, name, expected) => {
  expect(kept(name)).toBe(expected);
  expect(decodeName(new TextEncoder().encode(name))).toBe(expected);
});

test('a name is cut after the last character that fits', () => {
  expect(kept('é'.repeat(40))).toBe('é'.repeat(MAX_NAME_BYTES / 2));
});
