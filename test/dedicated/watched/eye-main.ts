import { WebSocket } from 'ws';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { runTicks, TickClock } from '../../../src/session/tick-clock.ts';
import { Watching } from '../../../src/session/watching/watching.ts';
import { watchAddress } from '../../../src/transport/socket/line-address.ts';
import { WatchSocket } from '../../../src/transport/socket/watch-socket.ts';
import { SHARED_MS } from '../feel/clock-hand.ts';
import type { Sight } from '../feel/watch.ts';
import { Watch } from '../feel/watch.ts';
import { GAME } from '../node-player.ts';

/** The program of one watcher that decodes and simulates all that comes, as a page does. */

export type EyeOrder = {
  readonly url: string;
  readonly code: RoomCode;
  /** From and to these times of the shared clock it is watched. */
  readonly fromMs: number;
  readonly untilMs: number;
};

export type EyeAnswer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'seen';
      readonly sight: Sight;
      /** Milliseconds from the call until the whole world was there. */
      readonly firstMs: number;
    };

function look({ url, code, fromMs, untilMs }: EyeOrder): void {
  const calledMs = performance.now();
  let firstMs = NaN;
  const watching = new Watching(GAME);
  const address = watchAddress(new URL(`${url}rooms/`), code);
  const socket = new WebSocket(address, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  new WatchSocket(
    socket,
    (message) => watching.receive(message),
    (why) => {
      throw new Error(`The connection has ended: ${why}.`);
    },
  );
  let watch: Watch | null = null;
  runTicks(new TickClock(performance.now()), (dueMs) => {
    watching.tick(dueMs);
    const { world } = watching;
    if (world?.peer.hasWorld !== true) return;
    if (Number.isNaN(firstMs)) firstMs = performance.now() - calledMs;
    watch ??= new Watch(world, fromMs, untilMs);
    if (watch.look(performance.now() + SHARED_MS, dueMs + SHARED_MS, true)) return;
    tell({ kind: 'seen', sight: watch.sight, firstMs });
    watch.look = () => true;
  });
}

function tell(answer: EyeAnswer): void {
  process.send?.(answer);
}

process.on('message', (order: EyeOrder) => look(order));
process.on('disconnect', () => process.exit(0));
await loadPhysics();
tell({ kind: 'ready' });
