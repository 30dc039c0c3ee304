import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './support/browser.ts';
import type { AllowedSkips, Tally, VitestReport } from './support/report.ts';
import { closingLine, tally, total } from './support/report.ts';

/**
 * `npm test`: types, lint, format, then every test, the browser's last; `--long` adds what takes minutes.
 * Ends with the line `N passed, N failed, N skipped`, in which each gate counts as one, and with code 1 if
 * anything failed or nothing ran. With CI=true a skip counts as a failure unless allowed-skips.json has it.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'handover-test-'));
const long = process.argv.includes('--long');
const inCi = !['', '0', 'false'].includes(process.env.CI ?? '');
const running = new Set<ChildProcess>();

/** The gates: a name, the script of the tool, and its arguments. */
const GATES = [
  ['types', 'typescript/bin/tsc', '-p', '.'],
  ['types of the core, without a DOM', 'typescript/bin/tsc', '-p', 'src/core'],
  ['lint', 'eslint/bin/eslint.js', '.', '--max-warnings', '0'],
  ['format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
] as const;

/** Minutes after which a gate or a project of tests is taken to hang, and is stopped. */
const GATE_LIMIT = 3;
const TEST_LIMIT = 10;
const LONG_LIMIT = 240;

type Outcome = { readonly code: number; readonly output: string };

async function main(): Promise<Tally> {
  const isBrowser = findOrFetchBrowser();
  // What waits more than it works goes beside what works; pages keep real time, so they wait for both.
  const [unit, beside] = await Promise.all([runProject('node', TEST_LIMIT), runBesideUnitTests(isBrowser)]);
  const browser = isBrowser ? await runPages() : one('browser: see above');
  const longer = long ? [await runProject('long', LONG_LIMIT)] : [];
  return total([beside, unit, browser, ...longer]);
}

async function runPages(): Promise<Tally> {
  return total([await runProject('pages', TEST_LIMIT), await runProject('rooms', TEST_LIMIT)]);
}

async function runBesideUnitTests(isBrowser: boolean): Promise<Tally> {
  const gates = await runGates();
  return isBrowser ? total([gates, await runProject('webrtc', TEST_LIMIT)]) : gates;
}

async function runGates(): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const [name, script, ...args] of GATES) {
    const started = performance.now();
    const { code, output } = await run([script, ...args], GATE_LIMIT, 'collect');
    const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    console.log(code === 0 ? `✓ ${name} (${took})` : `✗ ${name} (${took})\n${output}`);
    tallies.push(code === 0 ? one() : one(`${name}: see above`));
  }
  return total(tallies);
}

/** A gate's tally: passed, or failed for a reason. */
function one(failure?: string): Tally {
  return failure === undefined
    ? { passed: 1, failed: [], skipped: [] }
    : { passed: 0, failed: [failure], skipped: [] };
}

function findOrFetchBrowser(): boolean {
  try {
    ensureBrowser(console.log);
    return true;
  } catch (error) {
    console.log(`✗ browser\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function runProject(project: string, limit: number): Promise<Tally> {
  const file = join(reports, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await run(['vitest/vitest.mjs', 'run', '--project', project, ...reporters], limit, 'show');
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined;
  return tally(project, report, code, inCi ? allowedSkips() : undefined);
}

function allowedSkips(): AllowedSkips {
  return JSON.parse(readFileSync(join(root, 'test/allowed-skips.json'), 'utf8')) as AllowedSkips;
}

/** Runs a tool of node_modules in a process of its own; its words are shown as they come, or collected. */
function run(script: readonly string[], limit: number, words: 'show' | 'collect'): Promise<Outcome> {
  const [tool, ...args] = script;
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    env: process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' },
    // A group of its own, so that what it started can be stopped with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', words === 'show' ? 'inherit' : 'pipe', words === 'show' ? 'inherit' : 'pipe'],
  });
  running.add(child);
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const sentence = `${tool} did not end within ${limit} minutes, and was stopped.\n`;
      if (words === 'show') console.log(sentence);
      else output += sentence;
      stop(child);
    }, limit * 60_000);
    const end = (code: number, reason = ''): void => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: output + reason });
    };
    child.on('error', (error) => {
      end(1, error.message);
    });
    child.on('exit', (code) => {
      // What it left behind, a browser for one, ends with it; so do the pipes that it holds open.
      stop(child);
      const code_ = code ?? 1;
      if (words === 'show') end(code_);
      else
        child.on('close', () => {
          end(code_);
        });
    });
  });
}

/** Ends a tool and all that it has started. */
function stop(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

process.on('exit', () => {
  rmSync(reports, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    running.forEach(stop);
    process.exit(1);
  });
}

const started = performance.now();
const result = await main();
if (result.skipped.length > 0)
  console.log(`\nSkipped:\n${result.skipped.map((line) => `  ${line}`).join('\n')}`);
if (result.failed.length > 0)
  console.log(`\nFailed:\n${result.failed.map((line) => `  ${line}`).join('\n')}`);
console.log(`\nIt took ${((performance.now() - started) / 1000).toFixed(0)} s.`);
console.log(closingLine(result));
process.exitCode = result.failed.length > 0 ? 1 : 0;
