import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSimArguments, SIM_USAGE } from '../../src/tools/arguments.ts';
import { UsageError } from '../../src/tools/words.ts';

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
    ['--players 33', 'players'],
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
    ['--players two', 'players'],
    ['--count 0', 'count'],
    ['--count 4097', 'count'],
    ['--seconds 0', 'seconds'],
    ['--seed 1.5', 'seed'],
    ['--seed -3', 'seed'],
    ['--jitter 1001', 'jitter'],
    ['--loss 91', 'loss'],
    ['--duplicate NaN', 'duplicate'],
    ['--rate 61', 'rate'],
    ['--latency Infinity', 'latency'],
    ['--json=yes', 'json'],
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

  it('takes an empty value for no number', () => {
    expect(() => parseSimArguments(['--loss', ' '])).toThrow(UsageError);
  });

  it('asked for help, gives none of them', () => {
    expect(parseSimArguments(['--help'])).toBeNull();
  });

  it('names every option in its help, and every rate that it takes', () => {
    for (const name of Object.keys(parseSimArguments([]) ?? {})) expect(SIM_USAGE).toContain(`--${name} `);
    for (let rate = 10; rate <= 60; rate++) {
      const named = new RegExp(`packets a second:.*\\b${rate}\\b`).test(SIM_USAGE);
      const parse = (): unknown => parseSimArguments(['--rate', `${rate}`]);
      if (named) expect(parse).not.toThrow();
      else expect(parse, `${rate} packets a second`).toThrow(UsageError);
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
    expect(run.stderr.trim()).toBe('--players is a number from 2 to 32, not "99".');
  });
});
