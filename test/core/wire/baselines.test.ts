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
import { decodeAlike } from './standard/both-decoders.ts';
import { author, circumstances, MOVED, MOVING, SLOW, STATE as RESTING, update } from './plain.ts';

const COUNT = 3;
const STATE = [-262143, 253951, 3, 3, -16383, 16383, 0, 65535, -65535, 1, 2, 3, 4];

function put(store: BaselineStore, packet: number, body: number): void {
  store.put(packet, updateOf(updateIn(packet, body)));
}

/** An update that differs for each packet and body. */
function updateIn(packet: number, body: number): ReturnType<typeof plainUpdate> {
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

function found(store: BaselineStore, packet: number, body: number): ReturnType<typeof plainUpdate> | null {
  const out = bodyUpdate();
  return store.get(packet, body as BodyId, out) ? plainUpdate(out) : null;
}

/** A sample with random numbers, some at the ends of their range. */
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
  test('an update that was put is found, with every number', () => {
    const store = new BaselineStore(COUNT);
    for (const packet of [0, 1, 40, 63]) for (let body = 0; body < COUNT; body++) put(store, packet, body);
    for (const packet of [0, 1, 40, 63]) {
      for (let body = 0; body < COUNT; body++)
        expect(found(store, packet, body)).toEqual(updateIn(packet, body));
    }
  });

  test('an update that was not put is not found', () => {
    const store = new BaselineStore(COUNT);
    put(store, 5, 1);
    expect([found(store, 5, 0), found(store, 5, 2), found(store, 4, 1), found(store, 69, 1)]).toEqual(
      Array(4).fill(null),
    );
    expect([found(store, -59, 1), found(new BaselineStore(COUNT), -1, 0)]).toEqual([null, null]);
  });

  test('a packet replaces the one 64 older, and no other', () => {
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet < 1000; packet++) {
      put(store, packet, 2);
      expect(found(store, packet - 64, 2)).toBeNull();
      const oldest = Math.max(0, packet - 63);
      expect(found(store, oldest, 2)).toEqual(updateIn(oldest, 2));
    }
  });

  test('[W4.3] the update of a body at rest stays while other bodies are updated', () => {
    const store = new BaselineStore(COUNT);
    put(store, 5, 0);
    for (let packet = 6; packet < 70_000; packet++) put(store, packet, 1);
    expect(found(store, 5, 0)).toEqual(updateIn(5, 0));
    expect([found(store, 69, 0), found(store, 5, 1)]).toEqual([null, null]);
    put(store, 64 * 1000 + 5, 0);
    expect(found(store, 5, 0)).toBeNull();
  });

  test('[W4.3] the oldest base is still there for a packet that 16 others have overtaken', () => {
    const overtaking = BASELINE_STORE_PACKETS - MAX_BASELINE_AGE - 1;
    expect(overtaking).toBe(16);
    const store = new BaselineStore(COUNT);
    for (let packet = 0; packet <= 200 + overtaking; packet++) if (packet !== 200) put(store, packet, 0);
    expect(found(store, 200 - MAX_BASELINE_AGE, 0)).not.toBeNull();
    put(store, 200 + overtaking + 1, 0);
    expect(found(store, 200 - MAX_BASELINE_AGE, 0)).toBeNull();
  });

  test('the store copies what it is given', () => {
    const store = new BaselineStore(COUNT);
    const update = updateOf(updateIn(8, 1));
    store.put(8, update);
    update.state.fill(0);
    update.tick = 0;
    expect(found(store, 8, 1)).toEqual(updateIn(8, 1));
  });

  test('an avatar that was put is found, without its name', () => {
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

  test('clear removes everything', () => {
    const store = new BaselineStore(COUNT);
    put(store, 8, 1);
    store.clear();
    expect(found(store, 8, 1)).toBeNull();
  });
});

describe('[W4] a packet may have', () => {
  test('[W4.3] baselines of any age but 63 and 64 of a round, over ticks that have wrapped', () => {
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

  test('[W4.3] an old baseline of a body that rested long, until a packet of its place in the ring updates the body', () => {
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
