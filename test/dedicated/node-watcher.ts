import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { RoomCode } from '../../src/core/room/code.ts';
import type { WatchEnd } from '../../src/transport/socket/watch-socket.ts';
import { WatchSocket } from '../../src/transport/socket/watch-socket.ts';
import { watchAddress } from '../../src/transport/socket/line-address.ts';
import { runTicks, TickClock } from '../../src/session/tick-clock.ts';
import { Watching } from '../../src/session/watching/watching.ts';
import { GAME } from './node-player.ts';

/** One that watches a room of a server, in this process. It ends with the test. */
export class NodeWatcher {
  readonly watching = new Watching(GAME);
  /** Why its connection has ended; null while it has not. */
  end: WatchEnd | null = null;
  /** Ends it; a second call does nothing. */
  readonly stop: () => void;

  constructor(site: { readonly url: string }, code: RoomCode) {
    const socket = new WatchSocket(
      new WebSocket(watchAddress(new URL(`${site.url}rooms/`), code)),
      (message) => this.watching.receive(message),
      (why) => (this.end = why),
    );
    const stopTicks = runTicks(new TickClock(performance.now()), (dueMs) => this.watching.tick(dueMs));
    this.stop = () => {
      stopTicks();
      socket.close();
      this.watching.dispose();
    };
    onTestFinished(this.stop);
  }

  get hasWorld(): boolean {
    return this.watching.world?.peer.hasWorld === true;
  }
}
