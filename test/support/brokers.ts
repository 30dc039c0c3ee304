import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

/** Ports of this machine: of a broker that runs, of one that tests stop and start, and of none. */
export type Brokers = { readonly steady: number; readonly shaky: number; readonly dead: number };

declare module 'vitest' {
  interface ProvidedContext {
    brokers: Brokers;
  }
}

/** Starts the brokers for tests that run in a browser; they are told the ports. Returns what ends them. */
export default async function setup(project: TestProject): Promise<() => void> {
  const script = fileURLToPath(new URL('./broker-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The brokers did not start: code ${code}.`)));
  });
  project.provide('brokers', JSON.parse(line) as Brokers);
  return () => void child.kill();
}
