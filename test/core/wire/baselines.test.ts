import { describe, expect, test } from 'vitest';
import { BASELINE_STORE_PACKETS, MAX_BASELINE_AGE } from '../../../src/core/base/constants.ts';
import type { BodyId, Sequence, Slot } from '../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { AvatarSample } from '../../../src/core/wire/avatar/avatar.ts';
import { avatarSample, MAX_AGE, SQUEEZE_STEPS, VOICE_STEPS } from '../../../src/core/wire/avatar/avatar.ts';
import { BaselineStore } from '../../../src/core/wire/bodies/baselines.ts';
import { bodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import type { Circumstances } from '../../support/packets.ts';
import { encode, NO_TICKS, plainHeader, plainUpdate, updateOf } from '../../support/packets.ts';
import { decodeAlike } from './both-decoders.ts';
import { author, circumstances, MOVED, MOVING, SLOW, STATE as RESTING, update } from './plain.ts';

const COUNT = 3;
const STATE = [-262143, 253951, 3, 3, -16383, 16383, 0, 65535, -65535, 1, 2, 3, 4];

function say(store: BaselineStore, packet: number, body: number): void {
  store.put(packet, updateOf(sayingOf(packet, body)));
}

/** Something else for each packet and body. */
function sayingOf(packet: number, body: number): ReturnType<typeof plainUpdate> {
  const claim = [(packet % 9) - 1, packet % 3, packet % 65536, 65535 - (packet % 65536)];
  const kind = packet % 2 === 0 ? ('motion' as const) : ('rest' as const);
  return {
    body,
    baselineAge: 0,
    claim,
    kind,
    tick: 1_000_000 + packet,
    state: STATE.map((n) => n - (packet % 7)),
  };
}

function saidBy(store: BaselineStore, packet: number, body: number): ReturnType<typeof plainUpdate> | null {
  const out = bodyUpdate();
  return store.get(packet, body as BodyId, out) ? plainUpdate(out) : null;
}

/** Every number another, and the ends of some. */
function randomSample(random: Random): AvatarSample {
  const sample = avatarSample();
  const fill = (pose: Int32Array): void =>
    pose.forEach((_, i) => (pose[i] = random.below(500_000) - 250_000));
  fill(sample.head);
  sample.age = random.below(MAX_AGE + 1);
  sample.voice = random.below(VOICE_STEPS + 1);
  for (const hand of sample.hands) {
    fill(hand.pose);
    fill(hand.offset);
    hand.tracked = random.chance(0.5);
    hand.pointing = random.chance(0.5);
    hand.thumbUp = random.chance(0.5);
    hand.grip = random.chance(0.3) ? SQUEEZE_STEPS : random.below(SQUEEZE_STEPS);
    hand.trigger = random.chance(0.3) ? SQUEEZE_STEPS : random.below(SQUEEZE_STEPS);
    hand.held = (random.chance(0.5) ? NO_BODY : random.below(9000)) as BodyId;
    hand.reach = (random.chance(0.5) ? NO_BODY : random.below(9000)) as BodyId;
    hand.ownershipSequence = random.below(65536) as Sequence;
    hand.authoritySequence = random.below(65536) as Sequence;
  }
  return sample;
}

describe('[W4] baselines', () => {
  test('what a packet said of a body is there, to the last number', () => {
    const store = new BaselineStore(COUNT);
    for (const packet of [0, 1, 40, 63]) for (let body = 0; body < COUNT; body++) say(store, packet, body);
    for (const packet of [0, 1, 40, 63]) {
      for (let body = 0; body < COUNT; body++)
        expect(saidBy(store, packet, body)).toEqual(sayingOf(packet, body));
    }
  });

  test('what no packet said is not', () => {
    const store = new BaselineStore(COUNT);
    say(store, 5, 1);
    expect([saidBy(store, 5, 0), saidBy(store, 5, 2), saidBy(store, 4, 1), saidBy(store, 69, 1)]).toEqual(
      Array(4).fill(null),
    );
    expect([saidBy(store, -59, 1), saidBy(new BaselineStore(COUNT), -1, 0)]).toEqual([null, null]);
  });

  test('a packet takes the place of one 64 older, and of no other', () => {
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet < 1000; packet++) {
      say(store, packet, 2);
      expect(saidBy(store, packet - 64, 2)).toBeNull();
      const oldest = Math.max(0, packet - 63);
      expect(saidBy(store, oldest, 2)).toEqual(sayingOf(oldest, 2));
    }
  });

  test('what is said of another body leaves it where it is, for as long as it rests', () => {
    const store = new BaselineStore(COUNT);
    say(store, 5, 0);
    for (let packet = 6; packet < 70_000; packet++) say(store, packet, 1);
    expect(saidBy(store, 5, 0)).toEqual(sayingOf(5, 0));
    expect([saidBy(store, 69, 0), saidBy(store, 5, 1)]).toEqual([null, null]);
    say(store, 64 * 1000 + 5, 0);
    expect(saidBy(store, 5, 0)).toBeNull();
  });

  test('the oldest that may be named is there for a packet that 16 others have overtaken', () => {
    const overtaking = BASELINE_STORE_PACKETS - MAX_BASELINE_AGE - 1;
    expect(overtaking).toBe(16);
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet <= 200 + overtaking; packet++) if (packet !== 200) say(store, packet, 0);
    expect(saidBy(store, 200 - MAX_BASELINE_AGE, 0)).not.toBeNull();
    say(store, 200 + overtaking + 1, 0);
    expect(saidBy(store, 200 - MAX_BASELINE_AGE, 0)).toBeNull();
  });

  test('what is kept does not change with what it was made from', () => {
    const store = new BaselineStore(COUNT);
    const update = updateOf(sayingOf(8, 1));
    store.put(8, update);
    update.state.fill(0);
    update.tick = 0;
    expect(saidBy(store, 8, 1)).toEqual(sayingOf(8, 1));
  });

  test('what a packet said of an avatar is there, all but its name', () => {
    const random = new Random(4);
    const store = new BaselineStore(COUNT);
    const samples = Array.from({ length: 8 }, () => randomSample(random));
    samples.forEach((sample, slot) => store.putAuthor(7, slot as Slot, 70_000 + slot, sample));
    store.putAuthor(8, 2 as Slot, 9, null);
    samples.forEach((sample, slot) => {
      const out = randomSample(random);
      expect(store.getAvatar(7, slot as Slot, out)).toBe(true);
      expect(out).toEqual({ ...sample, name: new Uint8Array(0) });
      expect(store.tickIn(7, slot as Slot)).toBe((70_000 + slot) & 0xffff);
    });
    expect([store.hasAvatar(8, 2 as Slot), store.tickIn(8, 2 as Slot)]).toEqual([false, 9]);
    expect([store.hasAvatar(71, 2 as Slot), store.tickIn(71, 2 as Slot)]).toEqual([false, -1]);
    store.clear();
    expect([store.hasAvatar(7, 2 as Slot), store.tickIn(7, 2 as Slot)]).toEqual([false, -1]);
  });

  test('clearing leaves nothing', () => {
    const store = new BaselineStore(COUNT);
    say(store, 8, 1);
    store.clear();
    expect(saidBy(store, 8, 1)).toBeNull();
  });
});

describe('[W4] a packet names', () => {
  test('baselines of any age but 63 and 64 of a round, over ticks that have wrapped', () => {
    const last = 62 + 64 * 1023;
    const read = [1, 20, 47, 62, 65, 126, 129, 64 * 1023 + 1, last].flatMap((age) =>
      [1, 30, 63, 64].map((ticks) => ({ age, ticks, refused: false })),
    );
    const refused = [63, 64, 127, 128, last + 1, last + 2, last + 3].map((age) => ({
      age,
      ticks: 1,
      refused: true,
    }));
    for (const { age, ticks, refused: lies } of [...read, ...refused]) {
      const before = update({ tick: 65530, state: MOVING });
      const after = update({ tick: 65530 + ticks, state: MOVED, baselineAge: age });
      const sent = circumstances({ packet: 70_000, before: [{ packet: 70_000 - age, updates: [before] }] });
      const authors = [author(65530 + ticks)];
      const packet = { header: plainHeader({ sequence: 4464 }), authors, base: 0, updates: [after] };
      const heard = { ...sent, newestTicks: [65535, ...NO_TICKS.slice(1)] };
      const said = decodeAlike(heard, encode(sent, packet), `age ${age}`);
      expect(said, `age ${age}`).toEqual(lies ? 'truncated or out of range' : packet);
    }
  });

  test('that of a body that rested long, until a packet of its place in the round says something of the body', () => {
    const rest = update({ kind: 'rest', tick: -1, state: RESTING });
    const moves = { ...rest, kind: 'motion', tick: 99, state: SLOW, baselineAge: 6403 } as const;
    const packet = { header: plainHeader(), authors: [author(100)], base: 0, updates: [moves] };
    const known = (body: number, last: number): Circumstances =>
      circumstances({
        packet: 9000,
        before: [
          { packet: 9000 - 6403, updates: [{ ...rest, tick: 50 }] },
          { packet: last, updates: [{ ...rest, tick: 60, body }] },
        ],
      });
    const sent = { ...packet, updates: [{ ...moves, tick: 100 }] };
    const bytes = encode(known(6, 2661), sent);
    expect(decodeAlike(known(6, 2661), bytes)).toEqual(sent);
    expect(decodeAlike(known(5, 2662), bytes)).toEqual(sent);
    for (const later of [2661, 8997]) expect(decodeAlike(known(5, later), bytes)).toBe('unknown baseline');
  });
});
