import { beforeAll, describe, expect, test } from 'vitest';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { describeCoverage } from './coverage.ts';
import { keptFinds, readFind } from './keep.ts';
import { playMessages } from './messages.ts';
import { playRound, replayGiven } from './round.ts';
import { forSeeds } from '../support/seeds.ts';

beforeAll(loadPhysics);

describe('[F1] the fuzzer', () => {
  test.each([2, 3])('[W6] a round breaks nothing, and is not idle: seed %d', (seed) => {
    const { packets, accepted, found } = playRound({ room: seed, attack: 100 + seed });
    expect(found).toBeNull();
    expect(packets).toBeGreaterThan(500);
    expect(accepted / packets).toBeGreaterThan(0.1);
  });

  test('is the same round again for the same seeds', () => {
    const seed = { room: 7, attack: 8 };
    expect(playRound(seed)).toEqual(playRound(seed));
  });

  test('messages break nothing', () => {
    forSeeds(0, 9, (seed) => expect(playMessages(seed).faults).toEqual([]));
  });

  test('counts what was reached and what was not', () => {
    const place = (key: string, isFunction: boolean, reached: boolean) => ({
      key,
      isFunction,
      reached,
      name: 'a.ts f',
    });
    const places = [place('a', true, true), place('b', false, true), place('c', false, false)];
    expect(describeCoverage(places)).toEqual({
      share: 'functions 1 of 1 (100.0 %), branches 1 of 2 (50.0 %)',
      missing: ['a.ts f (1)'],
    });
  });
});

describe('[F1] what the fuzzer has found once', () => {
  test('is read as it was kept', () => {
    const find = readFind('# room 3 attack 4\n# [I5] body 1 is out\n2 0 00ff\n');
    expect(find.seed).toEqual({ room: 3, attack: 4 });
    expect(find.faults).toEqual(['[I5] body 1 is out']);
    expect(find.given).toEqual([{ from: 2, to: 0, bytes: Uint8Array.from([0, 255]) }]);
  });

  test('breaks nothing any more', () => {
    for (const [name, { seed, given }] of keptFinds()) {
      expect(playRound(seed).found, name).toBeNull();
      expect(replayGiven(seed.room, given), name).toEqual([]);
    }
  });
});
