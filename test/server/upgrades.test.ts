import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { UpgradeParts } from '../../src/server/app.ts';
import { routeUpgrade } from '../../src/server/app.ts';
import type { Broker } from '../../src/server/broker/broker.ts';
import { Visitors } from '../../src/server/visitors/visitors.ts';

/** An upgrade at a site with several processes. @returns why it was refused, and whether a process was looked for. */
function upgrade(url: string, mayLookFor: boolean, origin?: string): [string | null, boolean] {
  let isAsked = false;
  const parts: UpgradeParts = {
    broker: { mayLookFor: () => mayLookFor } as unknown as Broker,
    pages: { handler: () => undefined, upgrade: () => false, close: () => Promise.resolve() },
    lines: null,
    watchers: null,
    voices: null,
    visitors: new Visitors([]),
    cluster: {
      isRoomHere: () => {
        isAsked = true;
        return Promise.resolve(false);
      },
    },
  };
  const request = new IncomingMessage(new Socket());
  request.url = url;
  if (origin !== undefined) Object.assign(request.headers, { origin, host: 'play.example.org' });
  return [routeUpgrade(parts, request, new PassThrough(), Buffer.alloc(0)), isAsked];
}

test.each(['/rooms/KQXMT/line?id=a&token=b', '/rooms/KQXMT/watch', '/rooms/KQXMT/voice?id=a&token=b'])(
  '[N9.13] whoever asks for %s learns nothing of the room once it has looked for too many',
  (url) => {
    expect(upgrade(url, true)).toEqual([null, true]);
    expect(upgrade(url, false)).toEqual(['doors', false]);
  },
);

test('[N9.13] a page of another site uses up nothing of what its visitor may look for', () => {
  const url = '/rooms/KQXMT/watch';
  expect(upgrade(url, true, 'https://play.example.org')).toEqual([null, true]);
  expect(upgrade(url, false, 'https://evil.example')).toEqual(['path', false]);
});

test('a path that is nobody’s is refused', () => {
  expect(upgrade('/nothing', true)).toEqual(['path', false]);
});
