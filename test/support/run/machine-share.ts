import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Milliseconds for which the cores are asked for. */
const SPAN_MS = 500;
const SPIN = `const end = performance.now() + ${SPAN_MS}; while (performance.now() < end);`;

/**
 * How much of this machine a test may have, 0 to 1: what it gets of all cores when it asks for them. To be measured
 * before the test begins, so that only what others do counts.
 */
export async function machineShare(): Promise<number> {
  const cores = availableParallelism();
  const began = performance.now();
  const used = process.cpuUsage();
  await Promise.all(
    Array.from({ length: cores }, () => {
      const worker = new Worker(SPIN, { eval: true });
      return new Promise((resolve) => void worker.once('exit', resolve));
    }),
  );
  const { user, system } = process.cpuUsage(used);
  const share = (user + system) / 1000 / ((performance.now() - began) * cores);
  return Math.min(1, Math.max(0.05, share));
}
