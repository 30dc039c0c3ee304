import { describe, expect, test } from 'vitest';
import { parseChaosArguments } from '../../src/tools/chaos/arguments.ts';
import { UsageError } from '../../src/tools/words.ts';

describe('the command line of sim --chaos', () => {
  test('reads a range of seeds, one seed, and how many play', () => {
    expect(parseChaosArguments(['--chaos', '--seeds', '5..12', '--workers', '3'])).toEqual({
      first: 5,
      last: 12,
      workers: 3,
      json: false,
      court: null,
    });
    expect(parseChaosArguments(['--chaos', '--seeds', '7', '--json'])).toMatchObject({
      first: 7,
      last: 7,
      json: true,
    });
    expect(parseChaosArguments(['--chaos', '--rate', '90'])?.court).toEqual({ rate: 90 });
    expect(parseChaosArguments(['--chaos', '--scene', 'playground'])?.court).toEqual({
      scene: { id: 'playground', seed: 1 },
    });
    expect(parseChaosArguments(['--chaos', '--players', '5'])?.court).toEqual({ players: 5 });
    expect(parseChaosArguments(['--chaos', '--help'])).toBeNull();
  });

  test.each([
    ['--seeds 9..3'],
    ['--seeds 1-5'],
    ['--seeds'],
    ['--workers 0'],
    ['--workers many'],
    ['--sedes 1'],
    ['--scene nowhere'],
    ['--scene pile --players 9'],
  ])('says in one sentence what is wrong with %s', (words) => {
    const parse = (): unknown => parseChaosArguments(['--chaos', ...words.split(' ')]);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(/^[^\n]+\.$/);
  });
});
