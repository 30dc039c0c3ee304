import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Court } from '../../harness/chaos/mix.ts';
import type { ChaosTask } from './arguments.ts';
import type { ChaosReport } from '../../harness/chaos/run-chaos.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

/**
 * Plays the rooms of the seeds from `first` to `last` in several processes, and calls `done` as each ends.
 * @throws Error if a process ends by itself; that is a fault of its seed.
 */
export function runMany(
  first: number,
  last: number,
  workers: number,
  done: (report: ChaosReport) => void,
  court: Court | null = null,
): Promise<void> {
  let next = first;
  const running = new Set<ChildProcess>();
  return new Promise((resolve, reject) => {
    const start = (): void => {
      const worker = fork(WORKER, { execArgv: ['--import', 'tsx'] });
      running.add(worker);
      let seed = next++;
      const play = (): void => void worker.send({ seed, court } satisfies ChaosTask);
      play();
      worker.on('message', (report: ChaosReport) => {
        done(report);
        if (next > last) worker.disconnect();
        else {
          seed = next++;
          play();
        }
      });
      worker.on('exit', (code) => {
        running.delete(worker);
        if (code !== 0) {
          for (const other of running) other.kill();
          reject(new Error(`The process that played seed ${seed} ended with code ${code}.`));
        } else if (running.size === 0) resolve();
      });
    };
    for (let i = Math.min(workers, last - first + 1); i > 0; i--) start();
  });
}
