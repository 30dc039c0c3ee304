import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Server } from '../../src/server/server.ts';

/** The costs of a site so far. */
export type Costs = {
  readonly atMs: number;
  /** Seconds of a core. */
  readonly server: number;
  readonly rooms: number;
  /** Megabytes in memory, and open files and sockets, of the process of the rooms. */
  readonly roomsMb: number;
  readonly roomsFiles: number;
  readonly figures: Readonly<Record<string, number>>;
};

/** Reads the metrics of a server that runs in this process, and the time of its processes. */
export async function readCosts({ metricsPort }: Server): Promise<Costs> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = [...text.matchAll(/^(handover_rooms\w*) (\S+)$/gm)];
  const { user, system } = process.cpuUsage();
  const rooms = roomsPid();
  return {
    atMs: performance.now(),
    server: (user + system) / 1e6,
    rooms: coreSecondsOf(rooms),
    roomsMb: megabytesOf(rooms),
    roomsFiles: readdirSync(`/proc/${rooms}/fd`).length,
    figures: Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)])),
  };
}

/** @returns the UDP ports of the process of the rooms. */
export function udpPortsOfRooms(): number[] {
  const pid = roomsPid();
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => inodeOf(`/proc/${pid}/fd/${name}`)),
  );
  return readFileSync(`/proc/${pid}/net/udp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local, , , , , , , , inode]) =>
      sockets.has(inode) ? [parseInt(local.split(':')[1], 16)] : [],
    );
}

/** The number of the socket behind an open file; none if it is no socket, or was closed meanwhile. */
function inodeOf(file: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(file)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}

/** Clock ticks of the kernel in a second, as Linux counts the time of processes. */
const KERNEL_TICKS = 100;

/** The process with the rooms of a server that runs in this process. @throws Error if it has not begun. */
export function roomsPid(): string {
  return pidOf('rooms-main.ts');
}

/** The process of a program that is a child of this process. @throws Error if there is none. */
function pidOf(program: string): string {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (fields === null || Number(fields[1]) !== process.pid) continue;
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) return pid;
  }
  throw new Error(`There is no process of ${program}.`);
}

/** Seconds of a core that a process has taken. */
function coreSecondsOf(pid: string): number {
  const fields = statOf(pid) ?? [];
  return (Number(fields[11]) + Number(fields[12])) / KERNEL_TICKS;
}

function megabytesOf(pid: string): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

/** The fields of a process after its name, from its state on; null if it has ended meanwhile. */
function statOf(pid: string): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}
