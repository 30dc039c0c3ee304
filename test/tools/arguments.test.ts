import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSimArguments, UsageError } from '../../src/tools/arguments.ts';

describe('the arguments of sim', () => {
  it('has defaults for all', () => {
    expect(parseSimArguments([])).toMatchObject({
      players: 2,
      scene: 'pile',
      bots: 'chaos',
      seconds: 20,
      seed: 1,
    });
  });

  it('reads what is given', () => {
    const words = '--players 4 --scene grid --count 8 --latency 125 --loss 10 --rate 30 --json'.split(' ');
    expect(parseSimArguments(words)).toMatchObject({
      players: 4,
      scene: 'grid',
      count: 8,
      rate: 30,
      json: true,
    });
  });

  it.each([
    ['--players 9', 'players'],
    ['--players 2.5', 'whole number'],
    ['--scene moon', 'moon'],
    ['--bots nobody', 'nobody'],
    ['--latency -1', 'latency'],
    ['--loss much', 'much'],
    ['--rate 25', '25'],
    ['--seed', 'seed'],
    ['--colour blue', 'colour'],
    ['stray', 'stray'],
    ['--channel pigeon', 'pigeon'],
  ])('refuses %s in one sentence', (words, named) => {
    const parse = (): unknown => parseSimArguments(words.split(' '));
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(named);
    try {
      parse();
    } catch (error) {
      expect(String(error)).not.toContain('\n');
    }
  });

  it('ends with exit code 2, and says why on standard error alone', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'src/tools/sim.ts', '--players', '99'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(run.status).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr.trim()).toBe('--players is a number from 2 to 8, not "99".');
  });
});
