import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Presence } from '../../../../src/core/room/messages.ts';
import { presenceNews, RosterWatcher, rosterNews } from '../../../../src/pages/room/news/presence-news.ts';
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

function sentencesOf(...[before, now, except]: Parameters<typeof rosterNews>): string[] {
  return rosterNews(before, now, except).map(({ sentence }) => sentence);
}

test('[P8] of a player that changes its name all the time, three names in a minute are told', () => {
  const watcher = new RosterWatcher();
  const [hugo, other] = ROSTER.players;
  const self = hugo.slot;
  const said: string[] = [];
  for (let tick = 0; tick < 60 * TICK_RATE; tick++) {
    // [P8] As often as a host sends new names.
    const players = [hugo, { ...other, presence: 'here' as const, name: `Bo${Math.floor(tick / 6)}` }];
    said.push(...(watcher.next({ ...ROSTER, players }, self)?.sentences ?? []));
  }
  expect(said).toHaveLength(3);
  // A goodbye is told as ever.
  expect(watcher.next({ ...ROSTER, players: [hugo] }, self)?.sentences).toEqual(['Bo599 is gone.']);
});

describe('the news of a host’s room, in which a guest plays and another one', () => {
  /** The news after something has happened, and a second. */
  function newsOf(happens: (desk: HostDesk) => void, except: readonly Slot[] = [slot(0)]): string[] {
    const desk = new HostDesk({});
    desk.admit(1, { name: 'Bo' });
    desk.admit(2, { name: 'Cy' });
    desk.run(1000);
    const before = desk.room.roster.players;
    happens(desk);
    desk.run(1000);
    return sentencesOf(before, desk.room.roster.players, except);
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
    expect(sentencesOf([hugo, nobody], [hugo, bo], [])).toEqual(['Green is called Bo now.']);
    expect(sentencesOf([hugo, bo], [hugo, nobody], [])).toEqual(['Bo is called Green now.']);
  });

  test('names a newcomer, and nobody of whom nothing is to be said', () => {
    expect(newsOf((desk) => desk.admit(3, { name: 'Di' }))).toEqual(['Di is here.']);
    expect(newsOf((desk) => desk.room.remove(slot(1)), [slot(1)])).toEqual([]);
  });
});
