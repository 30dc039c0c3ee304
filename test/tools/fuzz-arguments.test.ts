import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/tools/words.ts';
import { parseFuzzArguments } from '../fuzz/arguments.ts';

describe('the command line of fuzz', () => {
  test('reads when it ends, and what it begins with', () => {
    expect(parseFuzzArguments(['--minutes', '1.5', '--seed', '7', '--workers', '3'])).toEqual({
      minutes: 1.5,
      packets: null,
      seed: 7,
      workers: 3,
      corpus: false,
    });
    expect(parseFuzzArguments(['--packets', '1000'])).toMatchObject({
      minutes: null,
      packets: 1000,
      seed: 1,
    });
    expect(parseFuzzArguments(['--corpus'])).toMatchObject({ minutes: null, packets: null, corpus: true });
    expect(parseFuzzArguments(['--help'])).toBeNull();
  });

  test.each([
    [''],
    ['--minutes'],
    ['--minutes 0'],
    ['--minutes soon'],
    ['--packets 1.5'],
    ['--packets 9 --seed x'],
    ['--packets 9 --workers 0'],
    ['--packages 9'],
    ['9'],
  ])('says in one sentence what is wrong with "%s"', (words) => {
    const parse = (): unknown => parseFuzzArguments(words.split(' ').filter((word) => word !== ''));
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(/^[^\n]+\.$/);
  });
});
