import { beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { outcomeOf, playPackets, readCorpus } from './corpus.ts';
import { describeCoverage } from './coverage.ts';
import { outcomeOfMessage } from './hand-made/messages.ts';
import { outcomeOfLone } from './hand-made/packets.ts';
import { keptFinds, readFind } from './keep.ts';
import { playMessages } from './messages.ts';
import { playRound, replayGiven } from './round.ts';
import { forSeeds } from '../support/seeds.ts';

/**
 * The share of the corpus's packets whose outcome has to be as it was: a change of how rooms play changes what some
 * of them are decoded against, and a change of the wire nearly all.
 */
const LEAST_SAME = 0.6;

beforeAll(loadPhysics);

describe('[F1] the fuzzer', () => {
  test.each([2, 3])('[W6] a round breaks nothing, and is not idle: seed %d', (seed) => {
    const { packets, accepted, found } = playRound({ room: seed, attack: 100 + seed });
    expect(found).toBeNull();
    expect(packets).toBeGreaterThan(500);
    expect(accepted / packets).toBeGreaterThan(0.1);
  });

  test.each([100_001, 100_003, 100_005])(
    '[S2] [S3] a round with spawning breaks nothing: seed %d',
    (seed) => {
      const { packets, accepted, spawned, despawned, found } = playRound({ room: seed, attack: 100 + seed });
      expect(found).toBeNull();
      expect(accepted / packets).toBeGreaterThan(0.05);
      expect(
        [spawned, despawned].every((count) => count > 0),
        `${spawned}, ${despawned}`,
      ).toBe(true);
    },
  );

  test.each([100_002, 100_008])('[V5.2] a round with shared state breaks nothing: seed %d', (seed) => {
    const { packets, accepted, found } = playRound({ room: seed, attack: 100 + seed });
    expect(found).toBeNull();
    expect(accepted / packets).toBeGreaterThan(0.1);
  });

  test.each([100_005, 100_010])('[J4.3] a round with joints that go breaks nothing: seed %d', (seed) => {
    const round = playRound({ room: seed, attack: 100 + seed });
    expect(round.found).toBeNull();
    expect(round.accepted / round.packets).toBeGreaterThan(0.05);
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

describe('[F1] [W6] the corpus', () => {
  const { packets, files } = readCorpus();
  const rooms = [...new Set(packets.map(({ room }) => room))];
  /** The faults of each room. */
  const faults = new Map<number, readonly string[]>();
  /** For each packet, whether it was treated as when the corpus was made. */
  const isSame: boolean[] = [];

  beforeAll(() => {
    for (const room of rooms) {
      const ofRoom = packets.filter((sample) => sample.room === room);
      const found = playPackets(ofRoom, (sample, { outcome }) => isSame.push(outcome === sample.outcome));
      faults.set(room, found);
    }
  });

  test('has packets and files of all kinds', () => {
    expect(packets.length).toBeGreaterThan(100);
    expect(files.length).toBeGreaterThan(50);
    const outcomes = new Set([...packets, ...files].map(({ outcome }) => outcome));
    for (const outcome of ['accepted', 'duplicate', 'too long', 'unknown baseline', 'read', 'other kind'])
      expect(outcomes).toContain(outcome);
  });

  test.each(rooms)('breaks nothing in the room of seed %d', (seed) => {
    expect(faults.get(seed)).toEqual([]);
  });

  test('still reaches what it was kept for; else npm run fuzz -- --corpus makes it anew', () => {
    expect(isSame.filter((same) => same).length / packets.length).toBeGreaterThan(LEAST_SAME);
  });
});

describe('[F1] [W6] the corpus of what is read by itself', () => {
  const { lone, files, messages } = readCorpus();

  test('of files is read, or refused with its reason', () => {
    expect(files.map(outcomeOf)).toEqual(files.map(({ outcome }) => outcome));
  });

  test('of messages is read as it was sent, read with defaults, or refused', () => {
    expect(messages.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(100);
    for (const sample of messages) expect(outcomeOfMessage(sample), sample.text).toBe(sample.outcome);
  });

  test('of packets of which one number is beyond its range is refused', () => {
    expect(lone.filter(({ outcome }) => outcome === 'read').length).toBeGreaterThan(10);
    expect(lone.filter(({ outcome }) => outcome !== 'read').length).toBeGreaterThan(500);
    for (const [i, sample] of lone.entries()) {
      expect(outcomeOfLone(sample), `line ${i + 2} of lone.hex`).toBe(sample.outcome);
    }
  });
});

describe('[F1] what the fuzzer has found once', () => {
  test('is read as it was kept', () => {
    const find = readFind('# room 3 attack 4\n# [I5] body 1 is out\n2 0 00ff\n');
    expect(find.seed).toEqual({ room: 3, attack: 4 });
    expect(find.faults).toEqual(['[I5] body 1 is out']);
    expect(find.given).toEqual([{ from: 2, to: 0, bytes: Uint8Array.from([0, 255]) }]);
  });

  test('is given once more to the room that it broke', () => {
    const given = [{ from: 2 as Slot, to: 0 as Slot, bytes: Uint8Array.from([0, 255]) }];
    expect(replayGiven(3, given)).toEqual([]);
  });

  test.each(keptFinds())('breaks nothing any more: %s', (_, { seed, given }) => {
    expect(playRound(seed).found).toBeNull();
    expect(replayGiven(seed.room, given)).toEqual([]);
  });
});
