import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../../../../src/core/base/ids.ts';
import { PLAYOUT_DELAY_SECONDS, TICK_RATE, ticksIn } from '../../../../src/core/base/constants.ts';
import type { Pose, ReadonlyPose } from '../../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  copyPose,
  distance,
  fromAxisAngle,
  pose,
  relativePose,
  setVector,
  vector,
} from '../../../../src/core/base/math.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { AuthorStream } from '../../../../src/core/peer/incoming/author-stream.ts';
import type { AvatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { dequantisePose, quantiseOffset, quantisePose } from '../../../../src/core/wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { forSeeds } from '../../../support/seeds.ts';

const PLAYOUT_DELAY_TICKS = ticksIn(PLAYOUT_DELAY_SECONDS, TICK_RATE);

const CUBE = 7 as BodyId;
/** Metres: half a step of the position grid in each direction, and a little. */
const GRID = 0.0007;
/** Ticks that a packet is under way. */
const LATENCY = 3;

/** Where a hand is at a time in ticks. */
type Path = (ticks: number, out: Pose) => Pose;

/** 2 m/s sideways, and half a turn a second. */
const sideways: Path = (ticks, out) => {
  setVector(out.position, (2 * ticks) / TICK_RATE - 10, 1.5, 0);
  fromAxisAngle(vector(0, 1, 0), (Math.PI * ticks) / TICK_RATE, out.rotation);
  return out;
};

let applied: { body: number; tick: number }[];
let stream: AuthorStream;

beforeEach(() => {
  applied = [];
  stream = new AuthorStream(TICK_RATE, ({ body, tick }) => applied.push({ body, tick }));
});

function update(body: number, tick: number): BodyUpdate {
  return { ...bodyUpdate(), body: body as BodyId, tick, kind: 'motion' };
}

/** A sample of a right hand, so old at its tick, that carries nothing or a body at this offset. */
function sample(hand: ReadonlyPose, age: number, carried: ReadonlyPose | null = null): AvatarSample {
  const avatar = avatarSample();
  avatar.age = Math.round(age * AGE_STEPS);
  quantisePose(hand, avatar.head, 0);
  const right = avatar.hands[RIGHT];
  right.tracked = true;
  quantisePose(hand, right.pose, 0);
  if (carried === null) return avatar;
  right.held = CUBE;
  // As OwnPlayer does: relative to the hand as others will have it.
  const rounded = dequantisePose(right.pose, 0, pose());
  quantiseOffset(relativePose(rounded, composePose(hand, carried, pose()), pose()), right.offset);
  return avatar;
}

/** How an author samples and its packets travel, by its ticks. */
type Sending = {
  readonly path: Path;
  /** The author's ticks in one of the receiver's: where it is not 1, all moments between two ticks come up. */
  readonly rate: number;
  /** The moment, in ticks, of the sample that a tick uses. */
  sampledAt(tick: number): number;
  /** Ticks under way; Infinity if lost. */
  delay(tick: number): number;
  carried(tick: number): ReadonlyPose | null;
};

const plain: Sending = {
  path: sideways,
  rate: 1,
  sampledAt: (tick) => tick,
  delay: () => LATENCY,
  carried: () => null,
};

/** Plays an author from tick 1 on; `see` is called after each tick of the receiver once the clock has settled. */
function play(ticks: number, sending: Partial<Sending>, see: (position: number) => void): void {
  const { path, rate, sampledAt, delay, carried }: Sending = { ...plain, ...sending };
  const underWay: { at: number; tick: number; avatar: AvatarSample }[] = [];
  for (let own = 1, tick = 1; own <= ticks; own++) {
    for (; tick <= own * rate; tick++) {
      const time = sampledAt(tick);
      const avatar = sample(path(time, pose()), tick - time, carried(tick));
      underWay.push({ at: own + delay(tick), tick, avatar });
    }
    for (let i = 0; i < underWay.length;) {
      if (underWay[i].at > own) i++;
      else {
        const [packet] = underWay.splice(i, 1);
        stream.clock.arrive(packet.tick, own);
        stream.addAvatar(packet.tick, packet.avatar);
      }
    }
    stream.advance(own);
    if (stream.hasAvatar && own > SETTLED) see(stream.clock.position);
  }
}

/** Ticks after which the clock runs evenly. It stands at whole ticks then, until the author has gained one. */
const SETTLED = 70;

/** Metres: the worst that the shown hand is off its path, at the moment that is shown. */
function worst(ticks: number, sending: Partial<Sending>): number {
  const path = sending.path ?? sideways;
  let most = 0;
  play(ticks, sending, (position) => {
    const shown = stream.shown.hands[RIGHT].pose;
    most = Math.max(most, distance(shown.position, path(position, pose()).position));
  });
  return most;
}

describe('the states of bodies', () => {
  test('[T2.1] are handed out 100 ms after they came, at their tick, oldest first', () => {
    for (let own = 1; own <= 200; own++) {
      stream.clock.arrive(1000 + own, own);
      stream.addUpdate(update(own % 3, 1000 + own));
      stream.advance(own);
      if (own < SETTLED) continue;
      expect(stream.clock.position).toBeCloseTo(1000 + own - PLAYOUT_DELAY_TICKS, 6);
      expect(applied.map(({ tick }) => tick)).toEqual(
        Array.from({ length: Math.floor(stream.clock.position) - 1000 }, (_, i) => 1001 + i),
      );
    }
  });

  test('that are late are handed out in the next tick, and one that is very late is not lost', () => {
    for (let own = 1; own <= 200; own++) {
      stream.clock.arrive(1000 + own, own);
      stream.advance(own);
    }
    stream.addUpdate(update(1, 1150));
    stream.addUpdate(update(2, 1001));
    stream.advance(201);
    expect(applied.map(({ body }) => body).sort()).toEqual([1, 2]);
  });

  test('are dropped with the scene that they were of, and the clock goes on', () => {
    stream.clock.arrive(1000, 1);
    stream.addUpdate(update(1, 1000));
    stream.addAvatar(1000, sample(pose(), 0, pose()));
    stream.drop();
    for (let own = 1; own <= 30; own++) stream.advance(own);
    expect(applied).toEqual([]);
    expect(stream.shown.hands[RIGHT].carried).toBe(NO_BODY);
    expect(stream.clock.position).toBeGreaterThan(1000);
  });
});

describe('an avatar', () => {
  test('is not shown before the first sample is due', () => {
    play(60, {}, () => {});
    stream.restart();
    expect(stream.hasAvatar).toBe(false);
    stream.clock.arrive(500, 1);
    stream.addAvatar(500, sample(pose(), 0));
    for (let own = 1; own <= 2 * PLAYOUT_DELAY_TICKS; own++) {
      stream.advance(own);
      expect(stream.hasAvatar).toBe(stream.clock.position >= 500);
    }
    expect(stream.hasAvatar).toBe(true);
  });

  test('[T1.2] lies between the samples around the moment that is shown', () => {
    const moments = new Set<number>();
    play(1200, { rate: 1.005 }, (position) => {
      moments.add(Math.floor((position % 1) * 4));
      const { pose: shown } = stream.shown.hands[RIGHT];
      const path = sideways(position, pose());
      expect(distance(shown.position, path.position)).toBeLessThan(GRID);
      expect(angleBetween(shown.rotation, path.rotation)).toBeLessThan(0.0025);
    });
    expect(moments.size).toBe(4);
  });

  test('[T5.1] keeps its pose before and its pose now, for drawing between the two', () => {
    const was = pose();
    play(SETTLED + 60, {}, () => {
      if (was.position.y === 0) copyPose(stream.drawn.before.hands[RIGHT], was);
      expect(stream.drawn.before.hands[RIGHT].position).toEqual(was.position);
      expect(stream.drawn.before.head.position).toEqual(was.position);
      copyPose(stream.shown.hands[RIGHT].pose, was);
    });
  });

  test('[T1.2] stays on its way where packets are lost', () => {
    const random = new Random(1);
    const lossy = { delay: () => (random.chance(0.3) ? Infinity : LATENCY) };
    expect(worst(600, lossy)).toBeLessThan(0.002);
  });

  test('is not set back by a sample that comes when newer ones are shown already', () => {
    play(200, {}, () => {});
    const { x } = stream.shown.hands[RIGHT].pose.position;
    for (const late of [190, 180, 150]) {
      stream.addAvatar(late, sample(sideways(late, pose()), 0, pose()));
      stream.advance(200);
      expect(stream.shown.hands[RIGHT].pose.position.x).toBeGreaterThan(x - GRID);
      expect(stream.shown.hands[RIGHT].carried).toBe(NO_BODY);
    }
  });

  test('a hand that is lost is not shown, and holds nothing', () => {
    play(60, {}, () => {});
    const lost = sample(pose(), 0, pose());
    lost.hands[RIGHT].tracked = false;
    stream.clock.arrive(61, 61);
    stream.addAvatar(61, lost);
    for (let own = 61; own < 80; own++) stream.advance(own);
    expect(stream.shown.hands[RIGHT]).toMatchObject({ tracked: false, carried: NO_BODY });
    expect(stream.shown.hands[LEFT].tracked).toBe(false);
  });
});

/** When a tick's sample was taken, at a display of so many frames a second: with the last frame before it. */
function displayed(rate: number, seed = 1): (tick: number) => number {
  const random = new Random(seed);
  const phase = random.next();
  const frame = TICK_RATE / rate;
  return (tick) => Math.max(0, (Math.floor(tick / frame - phase) + phase) * frame);
}

describe('[T1] the replay uses the stamps', () => {
  test.each([120, 90, 72, 60, 45, 30])('[T1.2] of a display at %i Hz: the hand stays on its path', (rate) => {
    forSeeds(1, 3, (seed) => {
      stream.restart();
      const sending = { rate: 1.003, sampledAt: displayed(rate, seed) };
      expect(worst(600, sending)).toBeLessThan(0.002);
    });
  });

  test('[T1.2] of frames that come unevenly', () => {
    const random = new Random(1);
    const times = [0];
    while (times[times.length - 1] < 610) times.push(times[times.length - 1] + random.between(0.4, 2.5));
    const sampledAt = (tick: number): number => times.findLast((time) => time <= tick) ?? 0;
    expect(worst(600, { rate: 1.003, sampledAt })).toBeLessThan(0.002);
  });
});

describe('[W7] a body that a hand carries', () => {
  const offset = pose();
  setVector(offset.position, 0.1, -0.2, -1);
  fromAxisAngle(vector(0.6, 0, 0.8), 1, offset.rotation);

  test('[W7.1] stays in the hand while it moves, within 2 mm', () => {
    const random = new Random(1);
    let seen = 0;
    const sending = {
      rate: 1.003,
      sampledAt: displayed(72),
      delay: () => (random.chance(0.1) ? Infinity : LATENCY),
      carried: () => offset,
    };
    play(600, sending, () => {
      const hand = stream.shown.hands[RIGHT];
      expect(hand.carried).toBe(CUBE);
      const relative = relativePose(hand.pose, hand.carriedPose, pose());
      expect(distance(relative.position, offset.position)).toBeLessThan(0.002);
      expect(angleBetween(relative.rotation, offset.rotation)).toBeLessThan(0.0025);
      seen++;
    });
    expect(seen).toBeGreaterThan(500);
  });

  test('[W7.2] has an error in the world under 2 mm at any distance', () => {
    const far = pose();
    setVector(far.position, 3, 2, -19);
    const turning: Path = (ticks, out) => {
      fromAxisAngle(vector(0, 1, 0), Math.round(ticks) * 0.37, out.rotation);
      return setPosition(out, 30);
    };
    let seen = 0;
    play(400, { path: turning, carried: () => far }, (position) => {
      if (Math.abs(position - Math.round(position)) > 1e-6) return;
      const expected = composePose(turning(position, pose()), far, pose());
      const shown = stream.shown.hands[RIGHT].carriedPose;
      expect(distance(shown.position, expected.position)).toBeLessThan(0.002);
      seen++;
    });
    expect(seen).toBeGreaterThan(300);
  });

  test('[W7.1] [A7.1] is in the hand from the first due sample that carries it until the first that does not', () => {
    const held: { position: number; carried: BodyId }[] = [];
    const sending = {
      rate: 1.003,
      // Half a tick before its tick: the pose counts earlier than what it carries.
      sampledAt: (tick: number) => tick - 0.5,
      carried: (tick: number) => (tick >= 340 && tick < 370 ? offset : null),
    };
    play(420, sending, (position) => {
      held.push({ position, carried: stream.shown.hands[RIGHT].carried });
    });
    for (const { position, carried } of held) {
      expect(carried, `at ${position}`).toBe(position >= 340 && position < 370 ? CUBE : NO_BODY);
    }
    expect(held.filter(({ carried }) => carried === CUBE)).toHaveLength(30);
  });

  test('does not follow the hand to the next sample, which has let go', () => {
    const jumps: Path = (ticks, out) => setPosition(out, ticks < 350 ? 0 : 5);
    let seen = 0;
    const sending = { path: jumps, rate: 1.003, carried: (tick: number) => (tick < 350 ? offset : null) };
    play(400, sending, (position) => {
      if (position <= 349 || stream.shown.hands[RIGHT].carried === NO_BODY) return;
      expect(stream.shown.hands[RIGHT].carriedPose.position.x).toBeCloseTo(0.1, 3);
      seen++;
    });
    expect(seen).toBeGreaterThan(0);
  });

  function setPosition(out: Pose, x: number): Pose {
    setVector(out.position, x, 1.5, 0);
    return out;
  }
});
