import { describe, expect, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { tokenOf } from '../../../src/session/host-door.ts';
import { House } from '../../../src/server/broker/house.ts';
import { doorId } from '../../../src/transport/station.ts';
import type { BrokerClient } from './broker-client.ts';
import { connectBroker, startBroker } from './broker-client.ts';

const CODE = 'ACDEF' as RoomCode;
const DOOR = doorId(CODE);
const SECRET = '0b5c6d0e-1f4f-4a52-8f3c-0d4d8f6f3a11';

/** A broker whose server keeps one room. */
async function keeping(secret: string | null = SECRET) {
  const house = new House();
  house.doors.reserve([{ code: CODE, secret, founder: null, key: null }]);
  const { url, refusals } = await startBroker({ house });
  const ask = (token: string, headers = {}): Promise<BrokerClient> =>
    connectBroker(url, DOOR, token, headers);
  const answerTo = async (token: string, headers = {}): Promise<string> =>
    (await (await ask(token, headers)).next()).type;
  return { house, refusals, ask, answerTo };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

describe('[N6.3] the door of a room that the broker’s own server keeps', () => {
  test('is given to no stranger, but to the room and to who knows its secret', async () => {
    const { house, refusals, ask, answerTo } = await keeping();
    for (const token of ['a token', `${SECRET.slice(1)}-1`, SECRET, `${SECRET}-1-2`])
      expect(await answerTo(token), token).toBe('ID-TAKEN');
    expect(refusals.get('reserved')).toBe(4);
    const player = await ask(tokenOf(SECRET, 7));
    expect((await player.next()).type).toBe('OPEN');
    player.socket.close();
    await player.closed;
    expect(await answerTo('a token of the room', house.headers)).toBe('OPEN');
  });

  test('is given to nobody but the room while its secret is not known', async () => {
    const { house, answerTo } = await keeping(null);
    expect(await answerTo('-1')).toBe('ID-TAKEN');
    expect(await answerTo(tokenOf('null', 1))).toBe('ID-TAKEN');
    expect(await answerTo('of the room', house.headers)).toBe('OPEN');
  });

  test('stays with the room, also against who knows the room’s own token', async () => {
    const { house, ask, answerTo } = await keeping();
    const token = tokenOf(SECRET, 3);
    const room = await ask(token, house.headers);
    expect((await room.next()).type).toBe('OPEN');
    for (const other of [token, tokenOf(SECRET, 4)]) expect(await answerTo(other)).toBe('ID-TAKEN');
    expect(room.socket.readyState).toBe(room.socket.OPEN);
    // Its own next connection replaces the one before.
    expect(await answerTo(token, house.headers)).toBe('OPEN');
  });

  test('is taken by the room from who has had it for a while, and not in the first moment', async () => {
    const { house, refusals, ask, answerTo } = await keeping();
    const player = await ask(tokenOf(SECRET, 7));
    expect((await player.next()).type).toBe('OPEN');
    expect(await answerTo('of the room', house.headers)).toBe('ID-TAKEN');
    await pause(2100);
    const room = await ask('of the room', house.headers);
    expect((await room.next()).type).toBe('OPEN');
    await player.closed;
    expect(await answerTo(tokenOf(SECRET, 7))).toBe('ID-TAKEN');
    expect(refusals.get('reserved')).toBe(3);
    room.socket.close();
    await room.closed;
    expect(await answerTo(tokenOf(SECRET, 7)), 'whoever has lost it waits a moment').toBe('ID-TAKEN');
  });

  test('somebody who asks for it again and again does not begin anew', async () => {
    const { house, ask, answerTo } = await keeping();
    for (let i = 0; i < 3; i++) {
      const player = await ask(tokenOf(SECRET, 7));
      expect((await player.next()).type).toBe('OPEN');
      await pause(750);
      if (i < 2) player.socket.close();
      if (i < 2) await player.closed;
    }
    expect(await answerTo('of the room', house.headers)).toBe('OPEN');
  });

  test('is anybody’s when the room is kept no more; other doors always are', async () => {
    const { house, refusals, answerTo } = await keeping();
    house.doors.reserve([{ code: 'ACDEG' as RoomCode, secret: SECRET, founder: null, key: null }]);
    expect(await answerTo('a token')).toBe('OPEN');
    expect(refusals.get('reserved')).toBeUndefined();
  });
});
