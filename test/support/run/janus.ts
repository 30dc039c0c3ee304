import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** The recipe for operators, which is what runs here. */
const RECIPE = fileURLToPath(new URL('../../../src/server/recipes/janus', import.meta.url));
/** The secret of the API that the recipe has. */
export const JANUS_SECRET = 'CHANGE-ME';

/** True if Janus is on this machine. */
export function hasJanus(): boolean {
  return spawnSync('janus', ['--version'], { timeout: 10_000 }).error === undefined;
}

/** A Janus of this machine. */
export type JanusServer = { readonly url: string; readonly port: number; close(): Promise<void> };

/** Starts Janus by the recipe for operators, at another port. @param port any free one if left out. */
export async function startJanus(port?: number): Promise<JanusServer> {
  const at = port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'handover-janus-'));
  cpSync(RECIPE, folder, { recursive: true });
  const file = join(folder, 'janus.transport.websockets.jcfg');
  writeFileSync(file, readFileSync(file, 'utf8').replace('ws_port = 8188', `ws_port = ${at}`));
  const server = spawn('janus', ['-F', folder], { stdio: 'ignore' });
  await listens(at);
  return {
    url: `ws://127.0.0.1:${at}/`,
    port: at,
    close: async () => {
      const isOver = server.exitCode !== null || server.signalCode !== null;
      const ended = isOver ? null : new Promise((resolve) => void server.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isThere) return;
    await wait(100);
  }
  throw new Error('Janus did not start within 10 s');
}
