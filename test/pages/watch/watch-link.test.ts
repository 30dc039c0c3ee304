import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { WatchLink } from '../../../src/pages/watch/watch-link.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { StreamPart } from '../../../src/session/watching/room-stream.ts';
import { RoomStream } from '../../../src/session/watching/room-stream.ts';
import { writeWatchers } from '../../../src/session/watching/watch-messages.ts';
import { World } from '../../../src/session/world.ts';
import { createLoopback } from '../../../src/transport/loopback.ts';
import { FULL, LOCKED, NO_SUCH_ROOM } from '../../../src/transport/socket/close-codes.ts';
import type { ReadSocket } from '../../../src/transport/socket/watch-socket.ts';
import { GAME } from '../../dedicated/node-player.ts';

const HOST = 31 as Slot;
const TICK_MS = 1000 / 60;
/** The code of a connection that broke. */
const BROKEN = 1006;

beforeAll(() => loadPhysics());

/** The functions that a socket calls. */
type Listeners = {
  message: (event: { readonly data: unknown }) => void;
  close: (event: { readonly code: number }) => void;
};

/** A server that the test plays, and the way to it. */
function site() {
  const { transports } = createLoopback({ seed: 1, slots: 32 });
  const place = { slot: HOST, host: HOST, name: '' };
  const world = new World(GAME, { id: 'wall', seed: 1 }, place, transports[HOST], { avatar: false });
  /** The open socket's functions; null while there is none. */
  let open: Listeners | null = null;
  /** Those of a socket that opens with the next tick: a timer would open it after more ticks on a faster machine. */
  let opening: Listeners | null = null;
  let dials = 0;
  let stream: RoomStream | null = null;
  let serves = true;
  let now = 0;
  const send = (part: StreamPart): void => open?.message({ data: dataOf(part) });
  const dial = (): ReadSocket => {
    dials++;
    const listeners: Record<string, (event: never) => void> = {};
    stream = null;
    opening = listeners as unknown as Listeners;
    return {
      binaryType: '',
      close: () => void (open = opening = null),
      addEventListener: (type: string, listener: (event: never) => void) => void (listeners[type] = listener),
    };
  };
  const link = new WatchLink(GAME, new URL('https://example.org/rooms/'), 'KQXMT' as RoomCode, dial);
  onTestFinished(() => {
    link.close();
    world.dispose();
  });
  return {
    link,
    dials: () => dials,
    /** From now on the server brings the room, or nothing. */
    serve: (on: boolean): void => void (serves = on),
    say: (text: string): void => open?.message({ data: text }),
    end: (code: number): void => {
      const ended = open;
      open = null;
      ended?.close({ code });
    },
    /** @param onConnect is called while a connection is open that brings nothing. */
    async pass(seconds: number, onConnect: () => void = () => undefined): Promise<void> {
      for (let tick = 0; tick < seconds * 60; tick++) {
        if (opening !== null) [open, opening] = [opening, null];
        world.tick((now += TICK_MS), playerInput());
        if (open !== null && serves) {
          stream ??= new RoomStream(send);
          stream.tick(now, world, false);
        } else if (open !== null) onConnect();
        link.tick(now);
        await new Promise((resolve) => void setImmediate(resolve));
        if (link.failure !== null) return;
      }
    },
  };
}

function dataOf(part: StreamPart): string | ArrayBuffer {
  return part.kind === 'begin' ? part.text : part.bytes.buffer;
}

describe('the way to a room that is watched', () => {
  test('[N5.5] connects anew when the connection breaks, and says so meanwhile', async () => {
    const room = site();
    await room.pass(1);
    expect([room.link.isLost, room.link.failure, room.dials()]).toEqual([false, null, 1]);
    expect(room.link.watching.world?.peer.hasWorld).toBe(true);
    room.end(BROKEN);
    await room.pass(0.1);
    expect([room.link.isLost, room.dials()]).toEqual([true, 1]);
    await room.pass(2);
    expect([room.link.isLost, room.link.failure, room.dials()]).toEqual([false, null, 2]);
  });

  test('[N5.5] connects anew, ever more slowly, when nothing comes; and gives up after a minute', async () => {
    const room = site();
    await room.pass(1);
    room.serve(false);
    // The number of watchers is no picture.
    await room.pass(70, () => room.say(writeWatchers(1)));
    expect(room.link.failure).toBe('no server');
    expect(room.dials()).toBeGreaterThan(3);
    expect(room.dials()).toBeLessThan(12);
  });

  test.each([
    [NO_SUCH_ROOM, 'no room'],
    [FULL, 'full'],
    [LOCKED, 'locked'],
  ])('[N5.6] who comes reads why it sees nothing: %i', async (code, failure) => {
    const room = site();
    room.serve(false);
    await room.pass(2, () => room.end(code));
    expect([room.link.failure, room.dials()]).toEqual([failure, 1]);
  });

  test.each([NO_SUCH_ROOM, FULL])(
    'who has watched tries for a minute whether the server has the room again: %i',
    async (code) => {
      const room = site();
      await room.pass(1);
      room.serve(false);
      room.end(BROKEN);
      await room.pass(20, () => room.end(code));
      expect([room.link.failure, room.link.isLost]).toEqual([null, true]);
      room.serve(true);
      await room.pass(10);
      expect([room.link.failure, room.link.isLost]).toEqual([null, false]);
      room.serve(false);
      room.end(BROKEN);
      await room.pass(70, () => room.end(code));
      expect(room.link.failure).toBe(code === NO_SUCH_ROOM ? 'no room' : 'no server');
    },
  );

  test('a site without a server is known as one after a quarter of a minute', async () => {
    const room = site();
    room.serve(false);
    await room.pass(14, () => room.end(BROKEN));
    expect(room.link.failure).toBeNull();
    await room.pass(4, () => room.end(BROKEN));
    expect(room.link.failure).toBe('no server');
  });
});
