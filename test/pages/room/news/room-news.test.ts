import { expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Peer } from '../../../../src/core/peer/peer.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { playground } from '../../../../src/levels/playground.ts';
import type { RoomCode } from '../../../../src/core/room/code.ts';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { RoomNews } from '../../../../src/pages/room/news/room-news.ts';
import { NEW_VERSION, REACHABLE, UNREACHABLE } from '../../../../src/pages/room/sentences.ts';
import { ROSTER } from '../../../core/room/samples.ts';

const session = (state: 'open' | 'unreachable') => ({
  roster: ROSTER,
  code: 'KQXMT' as RoomCode,
  status: { kind: 'here' as 'here' | 'lost' },
  station: { state },
});

test('[A9] who has given or got a cube reads whom it went to, or came from', () => {
  const said: string[] = [];
  const news = new RoomNews(
    { ...session('open'), roster: null },
    { say: (sentence) => void said.push(sentence), lost: () => undefined },
  );
  expect(news.gave(1 as Slot)).toBe('You gave Red a cube.');
  expect(news.received(0 as Slot)).toBe('Blue gave you a cube.');
  expect(said).toEqual(['You gave Red a cube.', 'Blue gave you a cube.']);
  const peer = { diagnostics: { tick: 7, lost: { tick: 7, to: 1 } } } as unknown as Peer;
  news.cubes(peer, createLevel({ id: 'tower', seed: 1 }));
  expect(said.at(-1)).toBe('Red has this cube now.');
  // There are planks and balls, too.
  news.cubes(peer, playground());
  expect(said.at(-1)).toBe('Red has this thing now.');
  expect(news.gave(1 as Slot)).toBe('You gave Red something.');
  expect(news.received(0 as Slot)).toBe('Blue gave you something.');
});

test('a wave is told four times at once, and then every 10 s, and its sound follows', () => {
  const said: string[] = [];
  const news = new RoomNews(session('open'), {
    say: (sentence) => void said.push(sentence),
    lost: () => undefined,
  });
  const [hugo, other] = ROSTER.players;
  let told = 0;
  for (let tick = 0; tick < 60 * TICK_RATE; tick++) {
    news.players(hugo.slot);
    if (tick % 60 === 0 && news.waved(other.slot, hugo.slot)) told++;
  }
  expect(told).toBe(9);
  expect(said).toHaveLength(9);
  expect(news.waved(hugo.slot, hugo.slot)).toBe(true);
  expect(said.at(-1)).toBe('You wave.');
});

test('[F5.1] a gap of the server that lasts is told, and its end; not that it is away from the start', () => {
  const said: string[] = [];
  const state = { ...session('unreachable') };
  const news = new RoomNews(state, { say: (sentence) => void said.push(sentence), lost: () => undefined });
  const pass = (seconds: number, now: 'open' | 'unreachable'): void => {
    state.station = { state: now };
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) news.players(ROSTER.players[0].slot);
  };
  pass(10, 'unreachable');
  pass(1, 'open');
  pass(2, 'unreachable');
  pass(1, 'open');
  expect(said).toEqual([]);
  pass(60, 'unreachable');
  expect(said).toEqual([UNREACHABLE]);
  pass(1, 'open');
  expect(said).toEqual([UNREACHABLE, REACHABLE]);
  state.status = { kind: 'lost' };
  pass(60, 'unreachable');
  expect(said, 'the room itself is lost').toEqual([UNREACHABLE, REACHABLE]);
});

test('[N9.11] a new version of the site is told, but not to a player that has lost the room', async () => {
  const said: string[] = [];
  const state = { ...session('open') };
  const sinks = { say: (sentence: string) => void said.push(sentence), lost: () => undefined };
  const news = new RoomNews(state, sinks, () =>
    Promise.resolve({ key: null, protocol: PROTOCOL_VERSION + 1 }),
  );
  const guest = ROSTER.players.find(({ slot }) => slot !== ROSTER.host)?.slot ?? ROSTER.host;
  const pass = async (now: 'open' | 'unreachable', kind: 'here' | 'lost'): Promise<void> => {
    state.station = { state: now };
    state.status = { kind };
    for (let tick = 0; tick < 5; tick++) {
      news.players(guest);
      await Promise.resolve();
    }
  };
  await pass('open', 'here');
  await pass('unreachable', 'lost');
  await pass('open', 'lost');
  expect(said).toEqual([]);
  await pass('open', 'here');
  expect(said).toEqual([NEW_VERSION.guest]);
});
