import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * The parts that all browser stories of a run share: two browsers, one server with the built pages and a broker.
 */
export type Shared = {
  /** The address at which Playwright connects to the browser. It may be a headless shell, without a microphone. */
  readonly browser: string;
  /** The same of a whole browser, with a microphone. */
  readonly wholeBrowser: string;
  /** The folder of the built pages, which no other run uses; and the address where they are served, with a slash. */
  readonly folder: string;
  readonly pages: string;
  /** For tests that run in the browser themselves. */
  readonly ports: BrokerPorts;
};

/** Ports of this machine: of the broker beside the pages, of one that tests stop and start, and of none. */
export type BrokerPorts = { readonly steady: number; readonly shaky: number; readonly dead: number };

/** The environment variable that hands `Shared`, as JSON, to the vitest that test/run.ts starts. */
export const SHARED_VARIABLE = 'STORIES_SHARED';

/** The parts that test/run.ts has started for this vitest; undefined if vitest was started by itself. */
export function givenShared(): Shared | undefined {
  const text = process.env[SHARED_VARIABLE];
  return text === undefined ? undefined : (JSON.parse(text) as Shared);
}

/**
 * Builds the pages and starts browser, server and brokers in a process of their own: the timers of PeerJS never
 * end. They end with `close`, and with this process.
 * @throws Error if the build fails, or if there is no browser.
 */
export async function startShared(): Promise<{ readonly shared: Shared; close(): void }> {
  const script = fileURLToPath(new URL('./shared-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error('The pages could not be built and served, or the browser did not start.'));
    });
  });
  return { shared: JSON.parse(line) as Shared, close: () => void child.stdin.end() };
}
