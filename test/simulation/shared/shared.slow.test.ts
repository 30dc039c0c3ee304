import { describe, expect, test } from 'vitest';
import { ALL_TICKS, playShared } from './play-shared.ts';

/** Rooms that are played: some two seconds of a core. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const PATIENCE = 60_000;

describe('[I10] [I11] shared state and events, under 20 % of loss', () => {
  test.each(SEEDS)('in the room of seed %i', { timeout: PATIENCE }, (seed) => {
    const { violations, given } = playShared(seed);
    expect(violations.slice(0, 8)).toEqual([]);
    expect(given).toBeGreaterThan(100);
  });

  test.each(SEEDS)('[F4.35] and where hosts give the room away: seed %i', { timeout: PATIENCE }, (seed) => {
    expect(playShared(seed, undefined, true).violations.slice(0, 8)).toEqual([]);
  });

  test('the rooms have joiners and changes of host', { timeout: PATIENCE }, () => {
    const reports = SEEDS.map((seed) => playShared(seed));
    expect(reports.reduce((sum, { joins }) => sum + joins, 0)).toBeGreaterThan(4);
    expect(reports.reduce((sum, { changesOfHost }) => sum + changesOfHost, 0)).toBeGreaterThan(3);
  });
});

describe('seeds that failed once', () => {
  test.each([
    [47, '[V3.5] a joiner got no values, because each packet was full of old events'],
    [118, '[V3.5] the same, after two resets'],
    [163, '[V3.5] the same, and events of others waited, too'],
  ])('in the room of seed %i: %s', { timeout: PATIENCE }, (seed) => {
    expect(playShared(seed).violations.slice(0, 8)).toEqual([]);
  });
});

describe('the referee notices', () => {
  test('[I10] another value on one peer', { timeout: PATIENCE }, () => {
    const { violations } = playShared(1, (room, tick) => {
      const { shared } = room.peers[1].state;
      if (tick === ALL_TICKS - 1 && shared !== null) shared.store.words[0] = (shared.store.words[0] + 1) % 99;
    });
    expect(violations.map(({ mark }) => mark)).toContain('I10');
  });

  test.each([
    ['twice', (stamp: number) => stamp - 16],
    ['never', (stamp: number) => stamp + 400],
  ])('[I11] an event that is given out %s', { timeout: PATIENCE }, (_, wrong) => {
    const { violations } = playShared(2, (room, tick) => {
      const events = room.peers[1].state.shared?.eventsOf(room.host);
      if (tick % 50 === 0 && events !== null && events !== undefined) events.newest = wrong(events.newest);
    });
    expect(violations.map(({ mark }) => mark)).toContain('I11');
  });
});
