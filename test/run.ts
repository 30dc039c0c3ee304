import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './support/run/browser.ts';
import type { AllowedSkips, Tally, VitestReport } from './support/run/report.ts';
import { closingLine, failedFiles, replaced, tally, total } from './support/run/report.ts';
import type { Shared } from './support/run/shared.ts';
import { SHARED_VARIABLE, startShared } from './support/run/shared.ts';

/**
 * `npm test`: types, lint, format, the fast tests in Node, and one story of a room and one of a headset in a browser.
 * `npm run test:slow`, with the word `slow`: the slow tests in Node. `npm run test:e2e`, with the word `e2e`: all
 * stories in a browser. `npm run test:long`, with the word `long`: all of these, and the tests that take minutes. Each
 * ends with the line `N passed, N failed, N skipped`, in which each gate counts as one, and with code 1 if anything
 * failed or nothing ran. With CI=true a skip counts as a failure unless allowed-skips.json has it.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'handover-test-'));
const inCi = !['', '0', 'false'].includes(process.env.CI ?? '');
const running = new Set<ChildProcess>();

/** The gates: a name, the script of the tool, and its arguments. */
const GATES = [
  ['types', 'typescript/bin/tsc', '-p', '.'],
  ['types of the core, without a DOM', 'typescript/bin/tsc', '-p', 'src/core'],
  ['lint', 'oxlint/bin/oxlint', '--type-aware', '--report-unused-disable-directives', '--deny-warnings'],
  ['format', 'oxfmt/bin/oxfmt', '--check'],
] as const;

/** The two stories of `npm test`: by keys alone from the lobby to a hand-over; one in a headset takes and loses cubes. */
const TWO_STORIES = [
  ...['--project', 'pages', 'test/e2e/room/keyboard.test.ts'],
  ...['--project', 'exact', 'test/e2e/headset/feel.test.ts'],
];
const ALL_STORIES = ['webrtc', 'pages', 'rooms', 'exact'].flatMap((name) => ['--project', name]);

/** Minutes after which a gate or a run of vitest is taken to hang, and is stopped. */
const GATE_LIMIT = 10;
const TEST_LIMIT = 20;
const E2E_LIMIT = 40;
const LONG_LIMIT = 240;
/** Files that run once more if they fail. A fault of ours fails many; chance fails few. */
const MOST_AGAIN = 4;

type Outcome = { readonly code: number; readonly output: string };
type Stories = Awaited<ReturnType<typeof startShared>>;

async function main(what: string): Promise<Tally> {
  if (what === 'e2e') return withStories((stories) => runStories('all stories', ALL_STORIES, stories));
  if (what === 'slow') return runNode('slow');
  if (what === 'long') {
    return withStories(async (stories) => {
      const fast = await runNodeAndGates();
      const slow = await runNode('slow');
      const all = await runStories('all stories', ALL_STORIES, stories);
      return total([fast, slow, all, await runStories('long', ['--project', 'long'], stories, LONG_LIMIT)]);
    });
  }
  if (what !== '') return one(`there is no run “${what}”: leave it out, or say slow, e2e or long`);
  const browser = findOrFetchBrowser();
  if (browser !== null) return total([await runNodeAndGates(), missingBrowser(browser)]);
  const stories = openStories();
  const fast = await runNodeAndGates();
  return total([fast, await withOpen(stories, (s) => runStories('two stories', TWO_STORIES, s))]);
}

/** The gates wait for nothing, and node tests for little: together they fill two cores. */
async function runNodeAndGates(): Promise<Tally> {
  return total(await Promise.all([runNode('node'), runGates()]));
}

async function runNode(project: 'node' | 'slow'): Promise<Tally> {
  const { code, report } = await runVitest(project, ['--project', project], TEST_LIMIT);
  return count(project, report, code);
}

async function withStories(use: (stories: Stories) => Promise<Tally>): Promise<Tally> {
  const missing = findOrFetchBrowser();
  return missing === null ? withOpen(openStories(), use) : one(`all stories in a browser: ${missing}`);
}

/** The built pages and the browser, or a sentence about what failed; it never rejects, so it may wait for its use. */
function openStories(): Promise<Stories | string> {
  const started = performance.now();
  return startShared().then(
    (stories) => {
      console.log(`✓ pages, server and browser for the stories (${secondsSince(started)})`);
      return stories;
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Waits until the stories are open, and closes them after their use. */
async function withOpen(
  opening: Promise<Stories | string>,
  use: (stories: Stories) => Promise<Tally>,
): Promise<Tally> {
  const stories = await opening;
  if (typeof stories === 'string') return one(`stories in a browser: ${stories}`);
  try {
    return await use(stories);
  } finally {
    stories.close();
  }
}

/**
 * Runs stories, and those files once more in which something failed: pages in real time share a machine with whatever
 * else it does, and that fails a story now and then, while a fault of ours fails it twice. What failed once is named.
 */
async function runStories(
  name: string,
  words: readonly string[],
  { shared }: Stories,
  limit = E2E_LIMIT,
): Promise<Tally> {
  const { code, report } = await runVitest(name, words, limit, shared);
  const first = count(name, report, code);
  const files = failedFiles(report);
  if (report === undefined || files.length === 0 || files.length > MOST_AGAIN) return first;
  console.log(`\nOnce more:\n${first.failed.map((line) => `  ${line}`).join('\n')}\n`);
  const again = await runVitest(`${name}, again`, [...words, ...files], limit, shared);
  const both = replaced(report, again.report);
  const second = count(name, both, again.code);
  return { ...second, unsteady: first.failed.filter((line) => !second.failed.includes(line)) };
}

async function runGates(): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const [name, script, ...args] of GATES) {
    const started = performance.now();
    const { code, output } = await run([script, ...args], GATE_LIMIT, 'collect');
    const took = secondsSince(started);
    console.log(code === 0 ? `✓ ${name} (${took})` : `✗ ${name} (${took})\n${output}`);
    tallies.push(code === 0 ? one() : one(`${name}: see above`));
  }
  return total(tallies);
}

/** A gate's tally: passed, or failed for a reason. */
function one(failure?: string): Tally {
  return failure === undefined
    ? { passed: 1, failed: [], skipped: [], unsteady: [] }
    : { passed: 0, failed: [failure], skipped: [], unsteady: [] };
}

/** Null if there is a browser; otherwise one sentence that says what is missing. */
function findOrFetchBrowser(): string | null {
  try {
    ensureBrowser(console.log);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The two stories of `npm test` are left out where there is no browser; but not in CI, nor if one was named. */
function missingBrowser(reason: string): Tally {
  const line = `one story of a room and one of a headset in a browser: ${reason}`;
  if (inCi || (process.env.CHROME_PATH ?? '') !== '') return one(line);
  return { passed: 0, failed: [], skipped: [line], unsteady: [] };
}

/** Runs vitest with its words. The report is undefined if it left none. */
async function runVitest(
  name: string,
  words: readonly string[],
  limit: number,
  shared?: Shared,
): Promise<{ readonly code: number; readonly report: VitestReport | undefined }> {
  const file = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const environment = shared === undefined ? {} : { [SHARED_VARIABLE]: JSON.stringify(shared) };
  const { code } = await run(
    ['vitest/vitest.mjs', 'run', ...words, ...reporters],
    limit,
    'show',
    environment,
  );
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined;
  return { code, report };
}

/** The tally of a run of vitest. In CI, a skip needs its reason. */
function count(name: string, report: VitestReport | undefined, code: number): Tally {
  return tally(name, report, code, inCi ? allowedSkips() : undefined);
}

function allowedSkips(): AllowedSkips {
  return JSON.parse(readFileSync(join(root, 'test/allowed-skips.json'), 'utf8')) as AllowedSkips;
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** Runs a tool of node_modules in a process of its own; its words are shown as they come, or collected. */
function run(
  script: readonly string[],
  limit: number,
  words: 'show' | 'collect',
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [tool, ...args] = script;
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    env: { ...process.env, ...environment, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
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
      // Its children, a browser for one, end with it; so do the pipes that they hold open.
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
const result = await main(process.argv.slice(2).join(' '));
if (result.skipped.length > 0)
  console.log(`\nSkipped:\n${result.skipped.map((line) => `  ${line}`).join('\n')}`);
if (result.unsteady.length > 0)
  console.log(
    `\nFailed once, and passed when run again:\n${result.unsteady.map((line) => `  ${line}`).join('\n')}`,
  );
if (result.failed.length > 0)
  console.log(`\nFailed:\n${result.failed.map((line) => `  ${line}`).join('\n')}`);
console.log(`\nIt took ${secondsSince(started)}.`);
console.log(closingLine(result));
process.exitCode = result.failed.length > 0 ? 1 : 0;
