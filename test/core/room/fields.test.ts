import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH, parseFields } from '../../../src/core/room/fields.ts';

describe('JSON that anybody may have written', () => {
  test('is read if it is an object', () => {
    expect(parseFields('{"kind":"bye","players":[1]}')).toEqual({ kind: 'bye', players: [1] });
  });

  test.each(['', '{', 'null', '7', '"text"', '[]', '[{}]', '{"a":1}{'])('is refused if it is %j', (text) => {
    expect(parseFields(text)).toBeNull();
  });

  test.each([undefined, 20, MAX_MESSAGE_LENGTH + 20])('is refused if it is longer than %j', (most) => {
    const longest = '{}'.padEnd(most ?? MAX_MESSAGE_LENGTH);
    expect(parseFields(longest, most)).toEqual({});
    expect(parseFields(`${longest} `, most)).toBeNull();
  });
});
