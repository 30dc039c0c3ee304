import { describe, expect, it } from 'vitest';
import { LAB_MODELS } from '../../src/lab/models.ts';
import { BEST_SWITCHES } from '../../src/lab/switches.ts';
import { parseLabArguments } from '../../src/tools/lab-arguments.ts';
import { UsageError } from '../../src/tools/words.ts';

const parse = (words: string): ReturnType<typeof parseLabArguments> => parseLabArguments(words.split(' '));

describe('the command line of the lab', () => {
  it('sweeps a range in even steps, and nothing without one', () => {
    const swept = parse('--models all --scene pile --latency 0..250 --json');
    expect(swept?.models).toEqual(LAB_MODELS);
    expect([swept?.axis, swept?.values, swept?.json]).toEqual(['latency', [0, 50, 100, 150, 200, 250], true]);
    expect(parse('--loss 0..10')?.values).toEqual([0, 2, 4, 6, 8, 10]);
    expect(parse('--rate 2..60')?.values).toContain(15);
    expect(parse('--latency 80')?.values).toEqual([80]);
  });

  it('leaves each model its own rate of snapshots unless one is given', () => {
    expect(parse('--scene push')?.conditions.rate).toBeNull();
    expect(parse('--rate 20')?.conditions.rate).toBe(20);
  });

  it('plays each model at its best with two players, unless it is told otherwise', () => {
    expect(parse('--scene push')?.conditions).toMatchObject({ players: 2, switches: BEST_SWITCHES });
    const words = '--players 3 --neighbours interpolated --easing off --gap stand --window 100';
    expect(parse(words)?.conditions).toMatchObject({
      players: 3,
      switches: { neighbours: 'interpolated', easing: false, gap: 'stand', window: 100 },
    });
  });

  it.each([
    ['--scene push', [1]],
    ['--seed 7', [7]],
    ['--seeds 7', [7]],
    ['--seeds 1..5', [1, 2, 3, 4, 5]],
    ['--seeds 3..3', [3]],
    ['--seeds 7,1,4', [7, 1, 4]],
  ])('%s plays the seeds %j', (words, seeds) => {
    expect(parse(words)?.seeds).toEqual(seeds);
  });

  it.each([
    ['--models telepathy', 'no model "telepathy"'],
    ['--scene sea', 'no scene "sea"'],
    ['--latency 9..1', 'the wrong way round'],
    ['--latency 0..9 --loss 0..9', 'Only one'],
    ['--rate 7', 'not "7"'],
    ['--seconds x', '--seconds is a number'],
    ['--speed 9', '--speed'],
    ['--players 4', '--players is one of 2, 3, not "4"'],
    ['--window 5', '--window is one of 0, 50,'],
    ['--easing maybe', '--easing is one of on, off'],
    ['--seed 1..5', '--seed is a number from 0 to 4294967295, not "1..5"'],
    ['--seed 1.5', '--seed is a whole number, not "1.5"'],
    ['--seed 1 --seeds 1..5', 'either --seed or --seeds, not both'],
    ['--seeds 1..x', '--seeds is a number from 0 to 4294967295, not "x"'],
    ['--seeds 1,,2', '--seeds is a number from 0 to 4294967295, not ""'],
    ['--seeds 1,2.5', '--seeds is a whole number, not "2.5"'],
    ['--seeds 1..2..3', 'a range like 1..5 or a list like 1,4,7, not "1..2..3"'],
    ['--seeds 5..1', '--seeds 5..1 has its ends the wrong way round'],
    ['--seeds 4,1,4', '--seeds has 4 more than once'],
    ['--seeds 1..4000000000', '--seeds takes up to 100 seeds, not 4000000000'],
  ])('refuses %s in one sentence', (words, why) => {
    expect(() => parse(words)).toThrow(UsageError);
    expect(() => parse(words)).toThrow(why);
  });
});
