import { CUBE_LAW, cubeLaws } from '../../support/laws.ts';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import type { Random } from '../../../src/core/base/random.ts';
import { MOTION, STATE, STRIDE } from '../../../src/core/base/state.ts';
import type { FlightLaw } from '../../../src/core/wire/bodies/flight-law.ts';
import { predict } from '../../../src/core/wire/bodies/predict.ts';
import { MAX_OFFSET, POSE_STEP, TURN_STEP } from '../../../src/core/wire/bodies/quantise.ts';
import type { UpdateKind } from '../../../src/core/wire/bodies/update.ts';
import type {
  Before,
  Circumstances,
  PlainAuthor,
  PlainAvatar,
  PlainHand,
  PlainPacket,
  PlainUpdate,
} from '../../support/packets.ts';
import { HIGH, LOW, NO_TICKS, snapped, plainHeader } from '../../support/packets.ts';
import { randomShared } from './random-shared.ts';

/** A packet that a peer may send, and what both ends know then. */
export type Exchange = { readonly circumstances: Circumstances; readonly packet: PlainPacket };

/** The least difference of each class of a group. */
const STEPS = [0, 1, 2, 8, 32, 128, 512, 2048];
/** The greatest speed of each grid, the least of the next, and others, in steps. */
const SPEEDS = [0, 30, 128, 129, 512, 513, 2048, 2049, 65535];

/**
 * A random well-formed packet: every kind of update with every kind of baseline, of all ages, on all grids.
 * @param rate ticks a second.
 */
export function randomExchange(random: Random, rate = TICK_RATE): Exchange {
  const bodies = random.chance(0.1) ? 1 : 1 + random.below(random.chance(0.2) ? 4096 : 64);
  const players = random.chance(0.7) ? 8 : 32;
  const speaker = random.below(players);
  const number = random.below(200_000);
  const slots = shuffled(random, players).filter(
    (slot) => slot === speaker || random.chance(players === 8 ? 0.4 : 0.1),
  );
  const ticks = new Map(slots.map((slot) => [slot, 70 + random.below(200_000)]));
  const law = rate === TICK_RATE ? CUBE_LAW : cubeLaws(1, rate).of(0 as BodyId, 0);
  const sender: Sender = { random, speaker, slots, ticks, law };
  const updates: PlainUpdate[] = [];
  const before: Before[] = [];
  const base = random.chance(0.2) ? 0 : Math.min(1 + random.below(47), number);
  for (const body of shuffled(random, bodies)
    .slice(0, random.below(9))
    .sort((a, b) => a - b)) {
    const other = random.chance(0.3) ? 0 : randomAge(random, number);
    const age = random.chance(0.5) ? base : other;
    const update = randomUpdate(sender, body);
    const baseline = {
      ...update,
      baselineAge: age,
      tick: update.tick - (age > 0 ? random.below(rate > TICK_RATE ? 140 : 70) : 0),
    };
    const mode = ([0, 1, 2] as const)[baseline.kind === 'motion' ? random.below(3) : 0];
    if (age > 0) before.push({ packet: number - age, updates: [{ ...baseline, course: mode }] });
    updates.push(age > 0 ? successor(sender, baseline) : baseline);
  }
  const authors = [...slots]
    .sort((a, b) => a - b)
    .map((slot) => randomAuthor(sender, slot, base, number, bodies, before));
  const newestTicks = NO_TICKS.map((none, slot) => knownTick(random, ticks.get(slot) ?? none));
  const header = randomHeader(random, number);
  const drawn = randomShared(random, bodies, authors);
  const { schema, counts } = drawn ?? {};
  const shared = drawn === null ? {} : { shared: drawn.shared };
  return {
    circumstances: {
      bodies,
      speaker,
      rate,
      packet: number,
      newestTicks,
      before,
      ...(schema && { schema }),
      ...counts,
    },
    packet: { header, authors, base, updates, ...shared },
  };
}

/** [K2.1] The same exchange in a level with driven bodies: each author has a shift, often that of its base or near it. */
export function withShifts(random: Random, { circumstances, packet }: Exchange): Exchange {
  const far = (): number => random.below(2 ** 32) - 2 ** 31;
  const edges = [-65, -64, -1, 0, 1, 63, 64, far()];
  const last = far();
  const shifted = (author: PlainAuthor): PlainAuthor => {
    const shift = (last + edges[random.below(edges.length)]) | 0;
    return shift === 0 ? author : { ...author, shift };
  };
  const before = circumstances.before.map(({ authors, ...rest }) =>
    authors === undefined ? rest : { ...rest, authors: authors.map(shifted) },
  );
  return {
    circumstances: { ...circumstances, hasTime: true, before },
    packet: { ...packet, authors: packet.authors.map(shifted) },
  };
}

/** Consecutive packets, in which bodies fly, are pushed, come to rest and move again. Their `before` is empty. */
export function chain(random: Random, length: number): Exchange[] {
  const bodies = 8;
  const newest = new Map<number, { packet: number; update: PlainUpdate }>();
  return Array.from({ length }, (_, packet) => {
    const tick = 100 + 3 * packet;
    const sender: Sender = { random, speaker: 0, slots: [0], ticks: new Map([[0, tick]]), law: CUBE_LAW };
    const updates: PlainUpdate[] = [];
    for (let body = 0; body < bodies; body++) {
      if (random.chance(0.3)) continue;
      const last = newest.get(body);
      const age = last === undefined || random.chance(0.1) ? 0 : packet - last.packet;
      const anew = last === undefined || age === 0 || age > 47;
      const update = anew
        ? randomUpdate(sender, body)
        : successor(sender, { ...last.update, baselineAge: age });
      newest.set(body, { packet, update });
      updates.push(update);
    }
    const authors = [{ slot: 0, tick, avatar: null, baselineAge: 0 }];
    const base = random.chance(0.8) ? Math.min(1, packet) : 0;
    return {
      circumstances: { bodies, speaker: 0, packet, newestTicks: NO_TICKS, before: [] },
      packet: { header: plainHeader({ sequence: packet }), authors, base, updates },
    };
  });
}

/** The age of a baseline that is not the base's, however old. */
function randomAge(random: Random, number: number): number {
  const rounds = random.chance(0.5) ? 0 : random.below(random.chance(0.5) ? 4 : 1024);
  const age = 1 + random.below(62) + 64 * rounds;
  return age <= number ? age : Math.min(1 + random.below(47), number);
}

/** An author. Its avatar may be close to one that both ends have. */
function randomAuthor(
  { random, ticks }: Sender,
  slot: number,
  base: number,
  number: number,
  bodies: number,
  before: Before[],
): PlainAuthor {
  const tick = ticks.get(slot) ?? 0;
  const other = random.chance(0.5) ? 0 : randomAge(random, number);
  const age = random.chance(0.5) ? base : other;
  const last = randomAvatar(random, bodies);
  const known = random.chance(0.8);
  if (age > 0) {
    const earlier = { slot, tick: tick - random.below(40), avatar: known ? last : null, baselineAge: 0 };
    const author = known || random.chance(0.5) ? earlier : { ...earlier, avatarless: true };
    before.push({ packet: number - age, authors: [author], updates: [] });
  }
  if (random.chance(0.1)) return { slot, tick, avatar: null, baselineAge: 0, avatarless: true };
  if (random.chance(0.2)) return { slot, tick, avatar: null, baselineAge: 0 };
  const avatar = random.chance(0.5) ? randomAvatar(random, bodies) : moved(random, last);
  return { slot, tick, avatar, baselineAge: known ? age : 0 };
}

/** An avatar a little later. */
function moved(random: Random, last: PlainAvatar): PlainAvatar {
  const reach = STEPS[random.below(STEPS.length)] >> 2;
  const near = (pose: readonly number[], grid: boolean): number[] =>
    pose.map((value, i) => {
      if (i === 3) return random.chance(0.9) ? value : random.below(4);
      const step = !grid ? 1 : i < 3 ? POSE_STEP : TURN_STEP;
      const most =
        !grid && i < 3 ? MAX_OFFSET : Math.floor(Math.min(-LOW[i] || HIGH[i], HIGH[i]) / step) * step;
      const least = i === 1 && grid ? LOW[1] : -most;
      return Math.max(least, Math.min(most, value + around(random, reach) * step));
    });
  const hands = last.hands.map((hand) => {
    if (hand === null || random.chance(0.1)) return null;
    const { held } = hand;
    const carried = held === null ? null : { ...held, offset: near(held.offset, false) };
    const now = { ...hand, pose: near(hand.pose, true), held: carried };
    return random.chance(0.7) ? now : withOtherActivity(random, now);
  });
  return { ...last, head: near(last.head, true), hands };
}

/** A hand with another finger flag, or another sequence of the held body. */
function withOtherActivity(random: Random, hand: PlainHand): PlainHand {
  const { held } = hand;
  if (held === null || random.chance(0.5))
    return random.chance(0.5) ? { ...hand, grip: random.below(64) } : { ...hand, thumbUp: !hand.thumbUp };
  return { ...hand, held: { ...held, authority: (held.authority + random.below(3)) & 0xffff } };
}

/** Ack bits in which some groups of eight have all arrived. */
function randomAckBits(random: Random): number {
  const groups = [0, 1, 2, 3].map(() => (random.chance(0.5) ? 0xff : random.below(256)));
  return groups.reduce((bits, group) => bits * 256 + group, 0);
}

/** The sender of a packet, and its source of chance. */
type Sender = {
  readonly random: Random;
  readonly speaker: number;
  readonly slots: readonly number[];
  readonly ticks: ReadonlyMap<number, number>;
  /** The law of free flight. */
  readonly law: FlightLaw;
};

/** A newest tick that a reader may have of an author with this tick; it needs one if the tick exceeds 16 bits. */
function knownTick(random: Random, tick: number): number {
  if (tick < 0 || (tick <= 0xffff && random.chance(0.5))) return -1;
  return Math.max(0, tick + around(random, 3000));
}

function randomHeader(random: Random, number: number): PlainPacket['header'] {
  const hasAck = random.chance(0.8);
  return plainHeader({
    connection: random.below(65536),
    term: random.below(65536),
    reset: random.below(65536),
    sequence: number & 0xffff,
    ack: hasAck ? random.below(65536) : -1,
    ackBits: hasAck ? randomAckBits(random) : 0,
  });
}

function randomUpdate(sender: Sender, body: number): PlainUpdate {
  const { random } = sender;
  const kind = (['record', 'rest', 'motion'] as const)[random.below(3)];
  const state = LOW.map((low, i) => (random.chance(0.05) ? low : low + random.below(HIGH[i] - low + 1)));
  for (const at of [STATE.linear, STATE.angular]) state.splice(at, 3, ...randomVelocity(random));
  if (random.chance(0.3)) nearTie(random, state);
  return finish(sender, { body, baselineAge: 0, claim: randomClaim(sender), kind, tick: 0, state });
}

/** Velocities on any grid, often at its edge. */
function randomVelocity(random: Random): number[] {
  const speed = SPEEDS[random.below(SPEEDS.length)];
  return [0, 1, 2].map(() => {
    if (random.chance(0.3)) return random.chance(0.5) ? speed : -speed;
    return around(random, speed);
  });
}

/** Gives a state a slow rotation with two nearly equal components, so that either may be the largest. */
function nearTie(random: Random, state: number[]): void {
  const tied = 16303 + around(random, 80);
  state.splice(
    STATE.rotation,
    3,
    random.chance(0.5) ? tied : -tied,
    around(random, 200),
    around(random, 200),
  );
  state.splice(STATE.angular, 3, ...[0, 1, 2].map(() => around(random, random.chance(0.5) ? 20 : 600)));
}

/** An update that may follow a baseline: the same, nearly the same, or another. */
function successor(sender: Sender, baseline: PlainUpdate): PlainUpdate {
  const { random } = sender;
  if (random.chance(0.2))
    return { ...randomUpdate(sender, baseline.body), baselineAge: baseline.baselineAge };
  const claim = random.chance(0.7) ? baseline.claim : randomClaim(sender);
  const kind: UpdateKind = random.chance(0.4) ? 'rest' : 'motion';
  const said = finish(sender, {
    ...baseline,
    claim,
    kind,
    state: baseline.kind === 'record' ? LOW : baseline.state,
  });
  const reach = STEPS[random.below(STEPS.length)];
  const flies = random.chance(0.3);
  const state = expected(sender, said, baseline).map((value, i) => {
    if (flies && i >= MOTION.linear && i < STATE.angular) return value;
    if (i === 3) return random.chance(0.9) ? value : random.below(4);
    return Math.max(LOW[i], Math.min(HIGH[i], value + around(random, reach)));
  });
  return { ...said, state: snapped(kind === 'rest' ? atRest(state) : state) };
}

/** The baseline's state, or one that it may have become. */
function expected({ random, law }: Sender, said: PlainUpdate, baseline: PlainUpdate): readonly number[] {
  if (baseline.kind === 'record' || said.kind === 'rest' || random.chance(0.3)) return said.state;
  const out = new Int32Array(STRIDE);
  const ticks = said.tick - baseline.tick;
  predict(law, Int32Array.from(baseline.state), ticks, out);
  return [...out];
}

/** Gives an update a tick that can be coded, and a body at rest no velocity. */
function finish({ random, speaker, ticks }: Sender, update: PlainUpdate): PlainUpdate {
  if (update.kind === 'record') return { ...update, tick: -1, state: [] };
  const author = update.claim[0] < 0 ? speaker : update.claim[0];
  const tick = (ticks.get(author) ?? 0) - (author === speaker ? 0 : random.below(64));
  return { ...update, tick, state: snapped(update.kind === 'rest' ? atRest(update.state) : update.state) };
}

function atRest(state: readonly number[]): number[] {
  return state.map((value, i) => (i < MOTION.linear ? value : 0));
}

function randomClaim({ random, slots }: Sender): number[] {
  const who = random.chance(0.6) ? [slots[random.below(slots.length)], random.below(4)] : [-1, 0];
  const existence = random.chance(0.2) ? [256 * random.below(256) + 1 + random.below(253)] : [];
  return [...who, random.below(65536), random.below(65536), ...existence];
}

function randomAvatar(random: Random, bodies: number): PlainAvatar {
  const [left, right] = shuffled(random, Math.max(2, bodies));
  const hands = [left, right].map((body) => (random.chance(0.2) ? null : randomHand(random, body, bodies)));
  const name = Array.from({ length: random.chance(0.5) ? 0 : random.below(33) }, () => random.below(256));
  return { age: random.below(4096), head: randomPose(random), hands, voice: random.below(16), name };
}

function randomHand(random: Random, body: number, bodies: number): PlainHand {
  const holds = body < bodies && random.chance(0.6);
  const offset = [0, 1, 2].map(() => random.below(262143) - 131071);
  return {
    pose: randomPose(random),
    grip: random.below(64),
    trigger: random.below(64),
    pointing: random.chance(0.5),
    thumbUp: random.chance(0.5),
    held: holds
      ? {
          body,
          ownership: random.below(65536),
          authority: random.below(65536),
          offset: [...offset, ...randomPose(random).slice(3)],
        }
      : null,
    reach: !holds && random.chance(0.4) ? random.below(bodies) : -1,
  };
}

function randomPose(random: Random): number[] {
  return LOW.slice(0, 7).map((low, i) => {
    const step = i < 3 ? POSE_STEP : i === 3 ? 1 : TURN_STEP;
    const least = Math.ceil(low / step);
    return (least + random.below(Math.floor(HIGH[i] / step) - least + 1)) * step;
  });
}

function around(random: Random, reach: number): number {
  return random.below(2 * reach + 1) - reach;
}

/** The numbers below a count, in any order. */
function shuffled(random: Random, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
  }
  return numbers;
}
