import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/server/settings/settings.ts';
import { USAGE } from '../../src/server/settings/variables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the server as its own process. */
function run(words: readonly string[], environment: Environment = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts', ...words], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  /** Waits until the output matches, and returns the match. */
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said.out);
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said.err}`);
      await wait(50);
    }
  };
  return { child, said, ended, until };
}

describe('the command line', () => {
  test('helps', async () => {
    const { said, ended } = run(['serve', '--help']);
    expect(await ended).toBe(0);
    expect(said).toEqual({ out: `${USAGE}\n`, err: '' });
  });

  test('fails with one sentence if a setting is wrong', async () => {
    const { said, ended } = run(['start'], { PORT: 'x' });
    expect(await ended).toBe(1);
    expect(said).toEqual({ out: '', err: 'PORT is a port from 0 to 65535, or off, not "x".\n' });
  });

  test('start serves until it is told to end', async () => {
    const environment = { HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0', STUN_PORT: '0' };
    const { child, ended, until } = run(['start'], environment);
    const [, url] = await until(/On this machine {2}(http:\S+)\n[^]*STUN answers/);
    expect((await fetch(`${url}healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    const code = await ended;
    // Windows has no signals and ends the process at once.
    if (process.platform !== 'win32') expect(code).toBe(0);
  });
});
