import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { roomsPid } from '../costs.ts';

/** The process with the rooms has a core for itself, as on a server whose players have machines of their own. */

const CORES = availableParallelism();

/** Leaves the first core to the rooms: this process, and all that it begins, take the others. Nothing on a single core. */
export function leaveFirstCore(): void {
  if (CORES > 1) pin(String(process.pid), `1-${CORES - 1}`);
}

/** Puts the process with the rooms, which has begun, onto the first core. */
export function takeFirstCore(): void {
  if (CORES > 1) pin(roomsPid(), '0');
}

/** @throws Error with what `taskset` says if it fails. */
function pin(pid: string, cores: string): void {
  const { status, stderr, error } = spawnSync('taskset', ['-a', '-p', '-c', cores, pid], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`taskset failed: ${error?.message ?? stderr}`);
}
