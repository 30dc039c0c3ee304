import { expect, test } from 'vitest';
import type { DedicatedRoom } from '../../src/dedicated/dedicated-room.ts';
import { ToldPlayers } from '../../src/dedicated/told-players.ts';

type Told = { code: string; pages: readonly string[] };

test('[N8.6] the players of a large room who are not away are told when they change, and none at its end', () => {
  const told: Told[] = [];
  const players = new ToldPlayers((code, pages) => told.push({ code, pages }));
  const room = { code: 'KQXMT', largePlayers: null as readonly unknown[] | null };
  const look = (...ids: readonly string[]): void => {
    room.largePlayers = ids.map((id) => ({ id, presence: id.startsWith('away') ? 'away' : 'here' }));
    players.tick(room as unknown as DedicatedRoom);
  };
  players.tick(room as unknown as DedicatedRoom);
  look('a');
  look('a');
  look('a', 'b');
  look('a', 'away b');
  room.largePlayers = null;
  players.tick(room as unknown as DedicatedRoom);
  look('c');
  players.end(room as unknown as DedicatedRoom);
  players.end(room as unknown as DedicatedRoom);
  expect(told.map(({ pages }) => pages)).toEqual([['a'], ['a', 'b'], ['a'], [], ['c'], []]);
  expect(new Set(told.map(({ code }) => code))).toEqual(new Set(['KQXMT']));
});
