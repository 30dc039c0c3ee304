import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { Watcher } from '../../../src/server/rooms/watcher.ts';

/** A socket that only counts: so many bytes wait for it. */
class CountedSocket extends EventEmitter {
  bufferedAmount = 0;
  ends = 0;
  readonly sent: unknown[] = [];
  send(data: unknown): void {
    this.sent.push(data);
  }
  terminate(): void {
    this.ends++;
  }
}

/** A watcher that has had a keyframe, and reads nothing from now on. */
function stuck(): { readonly socket: CountedSocket; readonly watcher: Watcher; readonly nowMs: number } {
  const socket = new CountedSocket();
  const watcher = new Watcher(socket as unknown as WebSocket, new PassThrough(), 'a network', 0);
  watcher.letIn();
  watcher.send('a world', Buffer.from('a keyframe'), true);
  socket.bufferedAmount = 70_000;
  watcher.send('a world', Buffer.from('a bundle'), false);
  expect(socket.sent).toHaveLength(2);
  return { socket, watcher, nowMs: performance.now() };
}

test('[N5.8] the connection of a watcher for which much waits is ended after 30 s', () => {
  const { socket, watcher, nowMs } = stuck();
  watcher.judge(nowMs + 29_000);
  expect(socket.ends).toBe(0);
  watcher.judge(nowMs + 31_000);
  expect(socket.ends).toBe(1);
});

test('[N5.8] but not if half of it has gone meanwhile', () => {
  const { socket, watcher, nowMs } = stuck();
  socket.bufferedAmount = 30_000;
  watcher.judge(nowMs + 29_000);
  watcher.judge(nowMs + 31_000);
  expect(socket.ends).toBe(0);
  expect(watcher.waitsForKeyframe).toBe(true);
});
