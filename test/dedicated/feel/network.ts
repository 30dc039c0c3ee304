import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A network of this tool's own, in which the kernel loses packets. Nothing else on the machine notices it. */

/** Set in the run that is inside. */
const INSIDE = 'FEEL_NETWORK';

/** The port of the site, in a network in which all ports are free. */
export const SITE_PORT = 8080;

/** The sentence for a machine that can't do it. */
const NEEDED =
  'npm run feel loses packets in a network namespace of its own: it needs Linux, root, and the programs unshare, ip and nft.';

/** True if this process is in such a network. */
export function isInside(): boolean {
  return process.env[INSIDE] === 'yes';
}

/** The niceness of all processes of this tool: other work on the machine is not to be felt. */
const NICENESS = -15;
/** Linux shares the cores between sessions first, and by niceness only within each; this is a session's own niceness. */
const SESSION_NICENESS = '/proc/self/autogroup';

/**
 * Runs this program again, in a network and a session of its own, and waits for its end.
 * @param more variables for the environment of all its processes.
 * @returns its exit code.
 */
export async function runInside(
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const probe = spawnSync('unshare', ['--net', 'sh', '-c', 'ip link set lo up && nft list ruleset'], {
    stdio: 'ignore',
  });
  if (probe.status !== 0) {
    console.error(NEEDED);
    return 1;
  }
  const again = ['--net', process.execPath, '--import', 'tsx', process.argv[1], ...words];
  const env = { ...process.env, [INSIDE]: 'yes', ...more };
  const child = spawn('unshare', again, { stdio: 'inherit', env, detached: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Has this process, and those that it begins, go before others on this machine. */
export function goFirst(): void {
  setPriority(NICENESS);
  if (existsSync(SESSION_NICENESS)) writeFileSync(SESSION_NICENESS, String(NICENESS));
}

/** @returns the name of TCP's congestion control in this network. */
export function congestionControl(): string {
  return readFileSync('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').trim();
}

/** Packets that the kernel has lost, of all that could be lost. */
export type Losses = { readonly lost: number; readonly all: number };

/**
 * From now on the kernel loses packets between players and server, in both directions: those of UDP, and those of TCP to
 * and from the site. How the server's own processes speak to each other is left alone.
 * @param percent of these packets, to a tenth.
 * @param blocksUdp no UDP gets through at all.
 */
export function lose(percent: number, blocksUdp: boolean): void {
  const perThousand = Math.round(percent * 10);
  must('ip', ['link', 'set', 'lo', 'up'], '');
  must(
    'nft',
    ['-f', '-'],
    `table inet feel
delete table inet feel
table inet feel {
  counter sent { }
  counter dropped { }
  chain lossy {
    counter name sent
    ${perThousand === 0 ? '' : `numgen random mod 1000 < ${perThousand} counter name dropped drop`}
  }
  chain input {
    type filter hook input priority 0; policy accept;
    ${blocksUdp ? 'meta l4proto udp drop' : 'meta l4proto udp jump lossy'}
    tcp dport ${SITE_PORT} jump lossy
    tcp sport ${SITE_PORT} jump lossy
  }
}
`,
  );
}

/** @returns the losses since `lose`. */
export function losses(): Losses {
  const packets = (counter: string): number => {
    const text = must('nft', ['list', 'counter', 'inet', 'feel', counter], '');
    return Number(/packets (\d+)/.exec(text)?.[1]);
  };
  return { lost: packets('dropped'), all: packets('sent') };
}

/** Runs a program. @returns its output. @throws Error with what it says if it fails. */
function must(program: string, words: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout;
}
