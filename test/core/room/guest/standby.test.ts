import { beforeEach, describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Roster, RosterPlayer, Standing } from '../../../../src/core/room/messages.ts';
import type { SharedRoster } from '../../../../src/core/room/guest/standby.ts';
import { StandbyLines } from '../../../../src/core/room/guest/standby.ts';
import { keyOf } from '../../../support/keys.ts';
import { ROSTER, SIGNATURE, slot } from '../samples.ts';

/** Milliseconds of a tick. */
const STEP = 50;
const HEARS: Standing = { kind: 'standing', host: slot(0), term: 7, hears: true, vote: null, ballot: null };
const MISSES: Standing = { ...HEARS, hears: false };

/** A message in short. */
function wordsOf(message: Standing | SharedRoster): string {
  if (message.kind === 'roster') return `roster ${message.roster.epoch}`;
  return `${message.host} ${message.hears}`;
}

/** A host in slot 0, and these guests. */
function rosterOf(...guests: readonly (readonly [number, RosterPlayer['presence']])[]): Roster {
  const players = ([[0, 'here'], ...guests] as const).map(([number, presence]) => {
    return {
      ...ROSTER.players[0],
      slot: slot(number),
      id: `page ${number}`,
      key: keyOf(`page ${number}`),
      presence,
    };
  });
  return { ...ROSTER, host: slot(0), players };
}

describe('[F4] the standby lines of a guest', () => {
  let standby: StandbyLines;
  let dialled: string[];
  let sent: string[];
  let now: number;

  beforeEach(() => {
    [dialled, sent, now] = [[], [], 0];
    standby = new StandbyLines({
      dial: (page) => dialled.push(page),
      close: () => undefined,
      send: (line, message) => sent.push(`${now}: ${line} ${wordsOf(message)}`),
    });
  });

  /** This guest is in slot 3. */
  function run(ms: number, roster: Roster, standing = HEARS): void {
    for (const end = now + ms; now < end; now += STEP) standby.tick(STEP, roster, slot(3), standing);
  }

  test('[F4.13] go to an away player in a higher slot after 6 s: it may be a host, who calls no guests', () => {
    const roster = rosterOf([3, 'here'], [5, 'away'], [6, 'here']);
    run(5900, roster);
    expect(dialled).toEqual([]);
    run(200, roster);
    expect(dialled).toEqual(['page 5']);
  });

  test('[F4.26] go at once to the player for whom the host has stepped down, whatever its slot is', () => {
    const roster = rosterOf([1, 'here'], [3, 'here'], [5, 'away']);
    run(100, roster);
    dialled.length = 0;
    standby.expect(slot(5));
    run(100, roster);
    expect(dialled).toEqual(['page 5']);
  });

  test('[F4.3] [F4.13] go to guests in lower slots, also to one that is away, and are dialled again', () => {
    const roster = rosterOf([1, 'here'], [2, 'away'], [3, 'here'], [4, 'here']);
    run(7000, roster);
    expect(dialled).toEqual(['page 1', 'page 2']);
    standby.put(slot(1), 5 as LineId, { page: 'page 1', key: keyOf('page 1') });
    run(6000, roster);
    expect(dialled).toEqual(['page 1', 'page 2', 'page 2']);
  });

  test('[F4.3] carry once a second which slot the guest takes for the host, and whether it hears that host', () => {
    const roster = rosterOf([1, 'here'], [3, 'here']);
    standby.put(slot(1), 5 as LineId, { page: 'page 1', key: keyOf('page 1') });
    run(2200, roster);
    expect(sent).toEqual(['0: 5 0 true', '1000: 5 0 true', '2000: 5 0 true']);
    sent.length = 0;
    run(100, roster, MISSES);
    expect(sent).toEqual(['2200: 5 0 false']);
  });

  test('[P4.2] pass the newest signed roster on to a guest that votes by an older one, once for each of its standings', () => {
    const roster = { ...rosterOf([1, 'here'], [3, 'here']), epoch: 9 };
    const votesBy = (epoch: number): Standing => ({
      ...MISSES,
      vote: slot(1),
      ballot: { epoch, candidate: keyOf('page 1'), signature: SIGNATURE },
    });
    standby.put(slot(1), 5 as LineId, { page: 'page 1', key: keyOf('page 1') });
    standby.receive(5 as LineId, votesBy(9));
    standby.shareRoster(roster);
    expect(sent).toEqual([]);
    standby.receive(5 as LineId, votesBy(8));
    standby.shareRoster(roster);
    run(STEP, roster);
    standby.shareRoster(roster);
    expect(sent.filter((words) => words.includes('roster'))).toEqual(['0: 5 roster 9']);
  });

  test('[F4.4] know a standing for 2.5 s', () => {
    const roster = rosterOf([1, 'here'], [3, 'here']);
    standby.put(slot(1), 5 as LineId, { page: 'page 1', key: keyOf('page 1') });
    standby.receive(5 as LineId, MISSES);
    run(2500, roster);
    expect(standby.voters()).toEqual([{ slot: 1, standing: MISSES, ageMs: 2500 }]);
    run(STEP, roster);
    expect(standby.voters()).toEqual([]);
  });
});
