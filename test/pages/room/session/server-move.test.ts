import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEDICATED_SLOT, TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { readRoomCode } from '../../../../src/core/room/code.ts';
import type { RoomOrder } from '../../../../src/dedicated/dedicated-room.ts';
import type { NoRoom } from '../../../../src/dedicated/rooms-process.ts';
import { NO_FIGURES } from '../../../../src/dedicated/house-figures.ts';
import { MOVE_SENTENCES } from '../../../../src/pages/room/sentences.ts';
import { ServerMove } from '../../../../src/pages/room/session/server-move.ts';
import { ServerReturn } from '../../../../src/pages/room/session/server-return.ts';
import type { GameSession } from '../../../../src/pages/room/session/session.ts';
import { LivingRooms } from '../../../../src/server/rooms/living-rooms.ts';
import { watchOf } from '../../../server/rooms/rooms-server.ts';
import { serverRooms } from '../../../../src/server/rooms/server-rooms.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { slot } from '../../../core/room/samples.ts';

/** A machine with other work answers late. */
const PATIENT = { timeout: 20_000 };

const CODE = readRoomCode('ACDEF')!;
const [ADA, SERVER] = [keyOf('Ada'), keyOf('the server')];
const NEW = newLineage(ADA, 'a salt');
const LEVEL = { id: 'pile', seed: 1 };

/** The site of a page, over HTTP: its rooms answer as told, and it keeps no room until `living` does. */
async function site(answer: 'opens' | NoRoom = 'opens', mostOfNetwork = 9) {
  const orders: RoomOrder[] = [];
  const living = new LivingRooms(mostOfNetwork, 'a secret');
  const maker = {
    open: (order: RoomOrder) => {
      orders.push(order);
      return Promise.resolve(answer === 'opens' ? { ...order.moves!, key: SERVER } : answer);
    },
    figures: NO_FIGURES,
    knowsKept: () => Promise.resolve(true),
    stop: () => Promise.resolve(),
  };
  const app = express().use('/rooms', serverRooms(maker, watchOf(living)));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  vi.stubGlobal('document', { baseURI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  return { orders, living };
}

/** A session that is host, and notes whom it invites. */
function hostSession(lineage: Lineage = NEW) {
  const invited: (PublicKey | null)[] = [];
  const hosting = { invite: (key: PublicKey | null) => void invited.push(key) };
  const world = { choice: LEVEL };
  // The move reads nothing else of it.
  const session = { code: CODE, room: roomIdOf(lineage), world, hosting, lineage } as unknown as GameSession;
  return { session, invited };
}

beforeEach(() => void vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:1/' }));
afterEach(() => void vi.unstubAllGlobals());

describe('[N3.4] [N3.6] a host that moves its room to the server', () => {
  test('asks the site with its level, code and room, and invites the key that the site names', async () => {
    const { orders } = await site();
    const { session, invited } = hostSession();
    const move = new ServerMove(session, true, () => undefined);
    expect(move.state).toBe('possible');
    move.begin();
    move.begin();
    expect(move.state).toBe('underway');
    await expect.poll(() => invited, PATIENT).toEqual([SERVER]);
    expect(orders).toEqual([
      { level: LEVEL, moves: { code: CODE, room: roomIdOf(NEW) }, founder: expect.any(String) as string },
    ]);
    move.tick();
    expect(move.state).toBe('underway');
    Object.assign(session, { hosting: null });
    move.tick();
    expect(move.state).toBe('impossible');
  });

  test.each([
    ['full', 9, 'The server can’t take this room now. It goes on in your browser.'],
    ['failed', 9, 'The server can’t take this room now. It goes on in your browser.'],
    ['opens', 0, 'The server takes no more rooms from your network now. This one goes on in your browser.'],
  ] as const)('is told why not: %s, %i rooms of a network', async (answer, most, sentence) => {
    await site(answer, most);
    const { session, invited } = hostSession();
    const said: string[] = [];
    const move = new ServerMove(session, true, (words) => said.push(words));
    move.begin();
    await expect.poll(() => said, PATIENT).toEqual([sentence]);
    expect(move.state).toBe('possible');
    // An invitation of another stays.
    expect(invited).toEqual([]);
  });

  test.each([
    [true, MOVE_SENTENCES['no broker']],
    [false, MOVE_SENTENCES.offline],
  ])('is told why the server was not reached, with a network: %s', async (onLine, sentence) => {
    vi.stubGlobal('navigator', { onLine });
    onTestFinished(() => void vi.unstubAllGlobals());
    const said: string[] = [];
    new ServerMove(hostSession().session, true, (words) => said.push(words)).begin();
    await expect.poll(() => said, PATIENT).toEqual([sentence]);
  });

  test('plays on after two minutes in which the server did not come, and invites nobody any more', async () => {
    await site();
    const { session, invited } = hostSession();
    const said: string[] = [];
    const move = new ServerMove(session, true, (words) => said.push(words));
    move.begin();
    await expect.poll(() => invited, PATIENT).toEqual([SERVER]);
    for (let tick = 0; tick < 125 * TICK_RATE; tick++) move.tick();
    expect(said).toEqual([]);
    move.tick();
    expect(said).toEqual(['The server didn’t join the room. It goes on in your browser.']);
    expect(invited).toEqual([SERVER, null]);
    expect(move.state).toBe('possible');
  });

  test('is not offered it by a site without server rooms, in practice, and as a guest', () => {
    const { session } = hostSession();
    expect(new ServerMove(session, false, () => undefined).state).toBe('impossible');
    for (const lack of [{ code: null }, { hosting: null }])
      expect(new ServerMove({ ...session, ...lack }, true, () => undefined).state).toBe('impossible');
  });
});

describe('[N3.6] a page that became host while the server was away', () => {
  const term = nextTerm(0, slot(DEDICATED_SLOT));
  const signature = signatureOf(ADA, 'a text');
  const moved = extended(NEW, { kind: 'handover', term, key: SERVER, signature });

  test('asks every three seconds until the site names the key, and invites it once', async () => {
    const { living } = await site();
    const { session, invited } = hostSession(moved);
    const returning = new ServerReturn(session, true);
    onTestFinished(() => returning.dispose());
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    for (let tick = 0; tick < 7 * TICK_RATE; tick++) returning.tick();
    expect(fetched).toHaveBeenCalledTimes(3);
    await Promise.all(fetched.mock.results.map(({ value }) => value as Promise<Response>));
    expect(invited).toEqual([]);
    living.keep([{ code: CODE, secret: 'secret', founder: null, key: SERVER }]);
    for (let tick = 0; tick <= 2 * TICK_RATE; tick++) returning.tick();
    await expect.poll(() => invited, PATIENT).toEqual([SERVER]);
    for (let tick = 0; tick < 60 * TICK_RATE; tick++) returning.tick();
    expect(fetched).toHaveBeenCalledTimes(4);
  });

  test('asks twenty times in the first minute, and then every half minute as long as it is host', async () => {
    await site();
    const returning = new ServerReturn(hostSession(moved).session, true);
    onTestFinished(() => returning.dispose());
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    onTestFinished(() => fetched.mockRestore());
    for (let tick = 0; tick < 60 * TICK_RATE; tick++) returning.tick();
    expect(fetched).toHaveBeenCalledTimes(20);
    for (let tick = 0; tick < 120 * TICK_RATE; tick++) returning.tick();
    expect(fetched).toHaveBeenCalledTimes(24);
  });

  test('[P2.5] a server of another version is not invited', async () => {
    const { session, invited } = hostSession(moved);
    const returning = new ServerReturn(session, true);
    onTestFinished(() => returning.dispose());
    const answer = (protocol: number): Response => Response.json({ key: SERVER, protocol });
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(answer(PROTOCOL_VERSION + 1));
    onTestFinished(() => fetched.mockRestore());
    returning.tick();
    await fetched.mock.results[0].value;
    await new Promise((resolve) => void setTimeout(resolve, 20));
    expect(invited).toEqual([]);
    fetched.mockResolvedValueOnce(answer(PROTOCOL_VERSION));
    for (let tick = 0; tick < 4 * TICK_RATE; tick++) returning.tick();
    await expect.poll(() => invited, PATIENT).toEqual([SERVER]);
  });

  test('asks nothing in a room that never was on a server, or that a server has founded', () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    const founded = extended(newLineage(SERVER, 'a salt'), {
      kind: 'handover',
      term,
      key: SERVER,
      signature,
    });
    for (const lineage of [NEW, founded]) {
      const returning = new ServerReturn(hostSession(lineage).session, true);
      for (let tick = 0; tick < 7 * TICK_RATE; tick++) returning.tick();
    }
    expect(fetched).not.toHaveBeenCalled();
  });
});
