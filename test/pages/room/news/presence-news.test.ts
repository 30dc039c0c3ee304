import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Presence, Roster, RosterPlayer } from '../../../../src/core/room/messages.ts';
import { NewsBudget } from '../../../../src/pages/room/news/news-budget.ts';
import { presenceNews, RosterWatcher } from '../../../../src/pages/room/news/presence-news.ts';
import { HostDesk } from '../../../core/room/host/host-desk.ts';
import { ROSTER, slot } from '../../../core/room/samples.ts';

test.each<[Presence | null, Presence | null, string | null]>([
  [null, 'here', 'Ada is here.'],
  ['away', 'here', 'Ada is here.'],
  ['away', 'lost', 'Ada is here.'],
  ['here', 'lost', 'Ada lost the connection.'],
  ['lost', 'here', 'Ada is back.'],
  ['here', 'away', 'Ada is away. The place is kept for up to 30 s.'],
  ['lost', 'away', 'Ada is away. The place is kept for up to 30 s.'],
  ['here', null, 'Ada is gone.'],
  ['lost', null, 'Ada is gone.'],
  ['away', null, null],
  [null, 'away', null],
  ['here', 'here', null],
  ['away', 'away', null],
])('of a player that was %s and is %s, the news is: %s', (before, now, sentence) => {
  expect(presenceNews(before, now, 'Ada')).toBe(sentence);
});

/** Returns the sentences that a player in a slot reads between two rosters. */
function sentencesOf(before: readonly RosterPlayer[], now: readonly RosterPlayer[], self: Slot): string[] {
  const watcher = new RosterWatcher(new NewsBudget());
  const rosterWith = (players: readonly RosterPlayer[]): Roster => ({ ...ROSTER, host: slot(0), players });
  watcher.next(rosterWith(before), self);
  return [...(watcher.next(rosterWith(now), self)?.sentences ?? [])];
}

describe('a player that is in the news all the time', () => {
  const [hugo, bo] = ROSTER.players.map((player, i) => ({
    ...player,
    presence: 'here' as const,
    name: ['Hugo', 'Bo'][i],
  }));

  /** Returns the sentences that Hugo reads in some seconds, in which Bo changes with each tick. */
  function readIn(seconds: number, bos: (tick: number) => RosterPlayer | null): string[] {
    const budget = new NewsBudget();
    const watcher = new RosterWatcher(budget);
    const read: string[] = [];
    let last: readonly RosterPlayer[] = [];
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) {
      const now = bos(tick);
      const players = now === null ? [hugo] : [hugo, now];
      if (JSON.stringify(players) !== JSON.stringify(last)) last = players;
      budget.tick();
      read.push(...(watcher.next({ ...ROSTER, players: last }, hugo.slot)?.sentences ?? []));
    }
    return read;
  }

  test('[P8] is told of by its name four times at once, and then every 10 s', () => {
    // [F1.7] As often as a host sends new names.
    const read = readIn(60, (tick) => ({ ...bo, name: `Bo${Math.floor(tick / 6)}` }));
    expect(read.length).toBeGreaterThan(4);
    expect(read.length).toBeLessThanOrEqual(10);
  });

  test('is told of by its last name, later, if its news came too soon', () => {
    const names = ['Bo', 'B1', 'B2', 'B3', 'B4', 'Eva', 'Ada'];
    const read = readIn(30, (tick) => ({ ...bo, name: names[Math.min(6, Math.floor(tick / 30))] }));
    expect(read).toEqual([
      'Bo is called B1 now.',
      'B1 is called B2 now.',
      'B2 is called B3 now.',
      'B3 is called B4 now.',
      'B4 is called Ada now.',
    ]);
  });

  test('is told of four times at once if its connection comes and goes', () => {
    const read = readIn(60, (tick) => ({ ...bo, presence: tick % 90 < 45 ? 'here' : 'lost' }));
    expect(read.length).toBeLessThanOrEqual(10);
    expect(read.slice(0, 2)).toEqual(['Bo lost the connection.', 'Bo is back.']);
  });

  test('is told of no more often if it leaves and comes back, with one key', () => {
    const read = readIn(60, (tick) => (tick % 120 < 60 ? bo : null));
    // Each time that it is told of as here, it may be told of as gone.
    expect(read.length).toBeLessThanOrEqual(20);
    expect(read[0]).toBe('Bo is gone.');
  });

  test('tells its name and that it is back, one after the other', () => {
    const read = readIn(3, (tick) => {
      if (tick < 10) return bo;
      return tick < 20 ? { ...bo, presence: 'lost' } : { ...bo, name: 'Bob' };
    });
    expect(read).toEqual(['Bo lost the connection.', 'Bo is called Bob now.', 'Bob is back.']);
  });
});

describe('the news of a host’s room, in which a guest plays and another one', () => {
  /** The news after something has happened, and a second. */
  function newsOf(happens: (desk: HostDesk) => void, self = slot(0)): string[] {
    const desk = new HostDesk({});
    desk.admit(1, { name: 'Bo' });
    desk.admit(2, { name: 'Cy' });
    desk.run(1000);
    const before = desk.room.roster.players;
    happens(desk);
    desk.run(1000);
    return sentencesOf(before, desk.room.roster.players, self);
  }

  test('tells a goodbye from a line that broke', () => {
    expect(newsOf((desk) => desk.send(1, { kind: 'bye', returns: false }))).toEqual(['Bo is gone.']);
    expect(newsOf((desk) => desk.room.lineClosed(1 as LineId))).toEqual([
      'Bo is away. The place is kept for up to 30 s.',
    ]);
  });

  test('has a page that loads again as away, and a removed player as gone', () => {
    expect(newsOf((desk) => desk.send(1, { kind: 'bye', returns: true }))).toEqual([
      'Bo is away. The place is kept for up to 30 s.',
    ]);
    expect(newsOf((desk) => desk.room.remove(slot(1)))).toEqual(['Bo is gone.']);
  });

  test('tells another name', () => {
    const [hugo, nobody] = ROSTER.players;
    const bo = { ...nobody, name: 'Bo' };
    expect(sentencesOf([hugo, nobody], [hugo, bo], hugo.slot)).toEqual(['Green is called Bo now.']);
    expect(sentencesOf([hugo, bo], [hugo, nobody], hugo.slot)).toEqual(['Bo is called Green now.']);
  });

  test('names a newcomer, and nobody of whom nothing is to be said', () => {
    expect(newsOf((desk) => desk.admit(3, { name: 'Di' }))).toEqual(['Di is here.']);
    expect(newsOf((desk) => desk.room.remove(slot(1)), slot(1))).toEqual([]);
  });
});

describe('[F4] the news of another host', () => {
  const [ada, bo] = ROSTER.players.map((player, i) => ({ ...player, slot: slot(i), name: ['Ada', 'Bo'][i] }));

  /** The sentences that a player reads once Bo is host after Ada. @param presence Ada's, as Bo has it. */
  function readBy(self: Slot, presence: Presence): string[] {
    const watcher = new RosterWatcher(new NewsBudget());
    const before: Roster = { ...ROSTER, host: ada.slot, players: [ada, { ...bo, presence: 'here' }] };
    watcher.next(before, self);
    const players: RosterPlayer[] = [
      { ...ada, presence },
      { ...bo, presence: 'here' },
    ];
    return [...(watcher.next({ ...ROSTER, host: bo.slot, players }, self)?.sentences ?? [])];
  }

  test('[F4.6] tells a host that gave the room away from one that is away', () => {
    expect(readBy(bo.slot, 'here')).toEqual(['Ada made you the host.']);
    expect(readBy(slot(2), 'here')).toEqual(['Bo is the host now.']);
    expect(readBy(bo.slot, 'away')).toEqual(['Ada is away. You are the host now.']);
    expect(readBy(slot(2), 'away')).toEqual(['Ada is away. Bo is the host now.']);
  });

  test('tells the host before only who has the room now', () => {
    expect(readBy(ada.slot, 'here')).toEqual(['Bo is the host now.']);
  });
});
