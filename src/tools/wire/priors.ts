import { writeFileSync } from 'node:fs';
import { bitsFor } from '../../core/base/bits.ts';
import { TICK_RATE } from '../../core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import type { Pose } from '../../core/base/math.ts';
import {
  composePose,
  fromAxisAngle,
  normalize,
  pose,
  quaternion,
  relativePose,
  vector,
} from '../../core/base/math.ts';
import type { AvatarSample, HandSample } from '../../core/wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample, SQUEEZE_STEPS } from '../../core/wire/avatar/avatar.ts';
import { codeAvatar } from '../../core/wire/avatar/avatar-coder.ts';
import {
  ANY_SHARED,
  ANY_UPDATE,
  AVATARLESS,
  BLOCK_NODES,
  NUMBER_BLOCKS,
  CONTEXTS,
  HAS_AVATAR_NOW,
  NEGATIVE,
  SLOT_BEYOND,
  WIDE_TABLE,
} from '../../core/wire/coder/contexts.ts';
import type { NumberKind } from '../../core/wire/coder/contexts.ts';
import { codeAuthor, codeBase, codeHeader, codePresent, packetHeader } from '../../core/wire/packet.ts';
import { dequantisePose, quantiseOffset, quantisePose } from '../../core/wire/bodies/quantise.ts';
import { codeBaselineAge } from '../../core/wire/bodies/update.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { MAX_NUMBER } from '../../core/wire/coder/range-coder.ts';
import type { Level } from '../../core/world/level.ts';
import { createLevel } from '../../levels/levels.ts';
import { CUBE_SIZE } from '../../levels/arrangements.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { RecordedStream } from './recorded-stream.ts';
import { record } from './recording.ts';

/**
 * Trains the priors of the range coder and writes src/core/wire/coder/priors.ts. It uses scenes and seeds that no
 * measurement uses: heaps, masonry, towers and pyramids with seeds from a million on.
 *
 *     npm run priors
 */

const FIRST_SEED = 1_000_000;
const [HEAPS, WALLS] = [96, 24];
const TICKS = 900;
/** A prior is one of this many probabilities, evenly spaced by the logarithm of the odds. */
const [LEVELS, ODDS_STEP] = [64, 0.225];
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ONE = 2 ** 15;
const UNKNOWN = { sender: 0 as Slot, wasAvatarless: false, ticksAPacket: 1, baseShift: 0, hasTime: false };
/** The count of a value that training never saw. */
const UNSEEN = 0.4;

/** The age of an avatar's baseline in packets; the place of a body in a hand. */
const BEHIND = 6;
const HELD: Pose = { position: vector(0.05, -0.1, -0.35), rotation: quaternion() };
/** The most bits of a small number. */
const MOST_BITS = 32 - Math.clz32(MAX_NUMBER);

/** Counts zeros and ones by context, and the number of bits of small numbers by block. */
class Tally implements Coder {
  readonly reads = false;
  readonly failed = false;
  readonly zeros = new Float64Array(CONTEXTS);
  readonly ones = new Float64Array(CONTEXTS);
  readonly sizes = Array.from({ length: NUMBER_BLOCKS }, () => new Float64Array(MOST_BITS + 1));

  bit(context: number, bit: number): number {
    if (bit === 1) this.ones[context]++;
    else this.zeros[context]++;
    return bit;
  }

  bits(value: number, count: number): number {
    if (value >= 2 ** count) throw new Error(`${value} does not fit ${count} bits`);
    return value;
  }

  range(value: number, low: number, high: number): number {
    return this.bits(value - low, bitsFor(high - low)) + low;
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    this.sizes[kind.block + block][32 - Math.clz32(Math.abs(value))]++;
    if (value !== 0) this.bit(NEGATIVE + kind.signs + sign, value < 0 ? 1 : 0);
    return value;
  }

  /**
   * Call it once all numbers are known: finds for each block the start from which its bits are counted with the
   * fewest questions, as COUNTS_FROM has it; then counts those questions.
   */
  countsFrom(): number[] {
    return this.sizes.map((sizes, block) => {
      const best = bestOf(sizes);
      const asked = sizes.slice();
      if (best % 2 === 1) {
        this.#count(block * BLOCK_NODES, sizes[0], sum(sizes, 1));
        asked[0] = 0;
      }
      for (let bits = best % 2; bits < BLOCK_NODES; bits++) {
        const more = sum(asked, bits + 1);
        // Upwards from the middle, only larger numbers are asked about; downwards, only smaller ones.
        const ones = bits < best >> 1 ? asked[bits + 1] : more;
        const zeros = bits > best >> 1 ? asked[bits] : sum(asked, 0) - more;
        this.#count(block * BLOCK_NODES + bits, zeros, ones);
      }
      return best;
    });
  }

  #count(context: number, zeros: number, ones: number): void {
    this.zeros[context] = zeros;
    this.ones[context] = ones;
  }

  fail(): void {
    throw new Error('what is written can be said otherwise');
  }
}

/**
 * The start that takes the fewest questions for a block's bits: twice the middle, plus 1 if 0 is asked for
 * first.
 */
function bestOf(sizes: Float64Array): number {
  const questions = Array.from({ length: 2 * BLOCK_NODES }, (_, from) =>
    from === 1 ? Infinity : sizes.reduce((total, size, bits) => total + size * questionsFor(from, bits), 0),
  );
  return questions.indexOf(Math.min(...questions));
}

function questionsFor(from: number, bits: number): number {
  const [middle, least] = [from >> 1, from % 2];
  if (bits === 0 && least === 1) return 1;
  if (bits > middle) return least + Math.min(bits, BLOCK_NODES - 1) - middle + 1;
  return least + middle - bits + (bits > least ? 2 : 1);
}

function sum(sizes: Float64Array, from: number): number {
  return sizes.subarray(from).reduce((total, size) => total + size, 0);
}

/** Cubes in columns of any height, which fall in a heap or stand in one already. */
function heap(seed: number): Level {
  const random = new Random(seed);
  const tower = createLevel({ id: 'tower', seed });
  const count = 30 + random.below(61);
  const side = 1 + random.below(3);
  const low = random.between(2, 14);
  const gap = random.between(0.85, 1.2);
  const rise = random.between(0.8, 1.3);
  const turned = random.chance(0.7);
  const shake = (): number => random.between(-0.04, 0.04);
  const bodies = Array.from({ length: count }, (_, i) => {
    const x = (i % side) * gap + shake();
    const z = (Math.floor(i / side) % side) * gap + shake();
    const y = low + Math.floor(i / (side * side)) * rise;
    const part = (): number => random.between(-1, 1);
    const axis = normalize(quaternion(part(), part(), part(), 0), quaternion());
    const rotation = turned ? fromAxisAngle(axis, random.between(0, Math.PI), quaternion()) : quaternion();
    return { ...tower.bodies[0], start: { position: vector(x, y, z), rotation } };
  });
  return { ...tower, bodies };
}

/** Courses of bricks, laid in bond or not, one or more deep. */
function masonry(seed: number): Level {
  const random = new Random(seed);
  const tower = createLevel({ id: 'tower', seed });
  const width = 3 + random.below(9);
  const courses = 3 + random.below(7);
  const gap = random.between(1.0, 1.1);
  const bond = random.chance(0.6) ? random.between(0.05, 0.2) : 0;
  const bodies = Array.from({ length: width * courses }, (_, i) => {
    const course = Math.floor(i / width);
    const x = ((i % width) - width / 2) * CUBE_SIZE * gap + (course % 2) * bond;
    return {
      ...tower.bodies[0],
      start: { position: vector(x, CUBE_SIZE * (course + 0.5), 0), rotation: quaternion() },
    };
  });
  return { ...tower, bodies };
}

function trainBodies(tally: Tally): void {
  const scenes = Array.from({ length: HEAPS }, (_, i) => heap(FIRST_SEED + i));
  for (let i = 0; i < WALLS; i++) scenes.push(masonry(FIRST_SEED + i));
  for (let i = 0; i < 6; i++)
    scenes.push(createLevel({ id: i % 2 === 0 ? 'tower' : 'pyramid', seed: FIRST_SEED + i }));
  scenes.forEach((scene, i) => {
    const recording = record(scene, createRapierSimulation(scene), TICKS, FIRST_SEED + i);
    // Baselines that are mostly 100 ms old, each by itself; some newer or older, some relayed.
    const age = [6, 6, 6, 4, 6, 9][i % 6];
    const stream = new RecordedStream(recording, { age, authority: true, relayed: i % 8 === 7 ? 6 : 0 });
    for (let tick = 0; tick < age; tick++) stream.skip(tick);
    for (let tick = age; tick < TICKS; tick++) stream.code(tally, tick, 'write');
  });
}

/** Headers of young rooms, in which one packet in thirty is lost. */
function trainHeaders(tally: Tally): void {
  const random = new Random(FIRST_SEED);
  const header = packetHeader();
  for (let i = 0; i < 20_000; i++) {
    header.connection = (random.below(8) + 1) as ConnectionId;
    header.term = random.chance(0.9) ? 0 : random.below(4);
    header.reset = random.chance(0.7) ? 0 : random.below(8);
    header.ack = random.chance(0.99) ? i & 0xffff : -1;
    header.ackBits = 0;
    for (let bit = 0; bit < 32; bit++) header.ackBits |= random.chance(0.97) ? 1 << bit : 0;
    codeHeader(tally, header);
    // Most packets contain no bodies. Recordings have few such packets.
    for (let n = 0; n < 10; n++) tally.bit(ANY_UPDATE, random.chance(0.3) ? 1 : 0);
    trainTable(tally, random, i);
  }
}

/** A table with the speaker alone, or with a host's guests too; ticks advance by about one a packet. */
function trainTable(tally: Tally, random: Random, tick: number): void {
  const baseAge = codeBase(tally, random.chance(0.98) ? 4 + random.below(8) : 0);
  const players = random.chance(0.5) ? 1 : 2 + random.below(3);
  for (let slot = 0; slot < 8; slot++) {
    const baseTick = baseAge === 0 || slot >= players ? -1 : (tick - baseAge) & 0xffff;
    const known = { ...UNKNOWN, baseAge, baseTick };
    if (!codePresent(tally, slot as Slot, known, slot < players)) continue;
    const at = slot === 0 ? tick : tick + random.below(4) - random.below(4);
    const hasAvatar = random.chance(slot === 0 ? 0.97 : 0.85);
    codeAuthor(tally, known, { tick: at, shift: 0, hasAvatar, isAvatarless: false });
  }
}

/** Slots beyond the first, and players without an avatar, are rare, but they stay. Shared state changes rarely. */
function trainRare(tally: Tally): void {
  for (let i = 0; i < 9999; i++) {
    for (const rare of [WIDE_TABLE, HAS_AVATAR_NOW, AVATARLESS, SLOT_BEYOND, ANY_SHARED]) tally.bit(rare, 0);
    for (const sure of [WIDE_TABLE + 1, AVATARLESS + 1]) tally.bit(sure, 1);
  }
}

function probabilities(): number[] {
  return Array.from({ length: LEVELS }, (_, i) =>
    Math.round(ONE / (1 + Math.exp(-(i - (LEVELS - 1) / 2) * ODDS_STEP))),
  );
}

/** The level nearest to the counted share. */
function levelOf(zeros: number, ones: number): number {
  const odds = Math.log((ones + UNSEEN) / (zeros + UNSEEN)) / ODDS_STEP + (LEVELS - 1) / 2;
  return Math.max(0, Math.min(LEVELS - 1, Math.round(odds)));
}

function fileOf(tally: Tally): string {
  const countsFrom = tally.countsFrom().map((from) => from.toString(2 * BLOCK_NODES));
  const digits = Array.from({ length: CONTEXTS }, (_, i) => DIGITS[levelOf(tally.zeros[i], tally.ones[i])]);
  return `/**
 * The prior of each context, with which it starts in every packet; and for each block of a small number, where the count
 * of its bits begins. Generated by src/tools/wire/priors.ts from recorded scenes: do not edit. TEXT has a digit for each
 * context, an index in LEVELS. LEVELS are probabilities of a 1, in units of 1/2^15.
 */
// prettier-ignore
const LEVELS: readonly number[] = [
  ${probabilities().join(', ')},
];
const DIGITS = '${DIGITS}';
// prettier-ignore
const TEXT =
${linesOf(digits)};

/** For each block a digit in base 32: twice the middle count of bits, plus 1 if the first question is for 0. */
// prettier-ignore
const COUNTS =
${linesOf(countsFrom)};

/** For each block of small numbers: twice the middle count of bits, plus 1 if the first question is for 0. */
export const COUNTS_FROM = Uint8Array.from(COUNTS, (digit) => parseInt(digit, 32));
/** For each context the prior probability of a 1, in units of 1/2^15. */
export const PRIORS = Uint16Array.from(TEXT, (digit) => LEVELS[DIGITS.indexOf(digit)]);
`;
}

function linesOf(digits: readonly string[]): string {
  const lines = digits.join('').match(/.{1,100}/g) ?? [];
  return lines.map((line) => `  '${line}'`).join(' +\n');
}

/** Players in headsets, and at desks. */
const SWAYING = 24;
const AT_DESKS = 24;

/**
 * Heads and hands that sway as sums of waves, now fast, now slow, or go straight and turn on the spot as by keys
 * and a mouse; each with a held body for a while.
 */
function trainAvatars(tally: Tally): void {
  for (let run = 0; run < SWAYING + AT_DESKS; run++) {
    const random = new Random(FIRST_SEED + run);
    const isAtDesk = run >= SWAYING;
    const parts = [0.15, 1, 1].map((share) =>
      isAtDesk ? strides(random) : sway(random, share * random.between(0.2, 1.2)),
    );
    const push = isAtDesk ? strides(random) : null;
    const samples: AvatarSample[] = [];
    for (let tick = 0; tick < TICKS; tick++) {
      const sample = avatarSample();
      const seconds = (run % 4 === 1 ? moved(tick) : tick) / TICK_RATE;
      sample.age = random.below(AGE_STEPS);
      quantisePose(parts[0](seconds), sample.head, 0);
      sample.voice = tick % 40 < 20 ? 0 : random.below(16);
      sample.hands.forEach((hand, side) => {
        hand.tracked = run % 6 !== 5;
        const at = parts[side + 1](seconds);
        quantisePose(at, hand.pose, 0);
        const holds = (run + side) % 3 === 0 && tick % 300 < 150;
        holdSometimes(hand, holds, side as BodyId, at, push === null ? HELD : push(seconds));
      });
      samples.push(sample);
      const before = tick < BEHIND ? null : samples[tick - BEHIND];
      codeBaselineAge(tally, 'avatar', BEHIND, before !== null, before === null ? 0 : BEHIND);
      codeAvatar(tally, 64, sample, before);
    }
  }
}

/** Ticks in which somebody moves who stands still every two seconds for as long. */
function moved(tick: number): number {
  const pause = 2 * TICK_RATE;
  return Math.floor(tick / (2 * pause)) * pause + Math.max(0, (tick % (2 * pause)) - pause);
}

/** A held body keeps its place in the hand; in the frame of the rounded pose it nearly does. */
function holdSometimes(hand: HandSample, holds: boolean, body: BodyId, at: Pose, held: Pose): void {
  hand.held = holds ? body : NO_BODY;
  hand.grip = holds ? SQUEEZE_STEPS : 0;
  if (!holds) return;
  const carried = composePose(at, held, pose());
  quantiseOffset(relativePose(dequantisePose(hand.pose, 0, pose()), carried, pose()), hand.offset);
}

type Wave = { readonly pace: number; readonly phase: number; readonly reach: number };

function sway(random: Random, metres: number): (seconds: number) => Pose {
  const waves = Array.from({ length: 6 }, () =>
    [0.3, 1.1, 2.7].map((pace): Wave => ({
      pace: pace * random.between(0.6, 1.5) * 2 * Math.PI,
      phase: random.between(0, 7),
      reach: random.between(0, 1) / (1 + pace),
    })),
  );
  return (seconds) => {
    // Play pauses now and then.
    const time = seconds - 0.9 * Math.sin(seconds);
    const [x, y, z, a, b, c] = waves.map((sum) =>
      sum.reduce((total, { pace, phase, reach }) => total + reach * Math.sin(pace * time + phase), 0),
    );
    const rotation = normalize(quaternion(a * metres, b * metres, c * metres, 1), quaternion());
    return { position: vector(x * metres * 0.5, 1.2 + y * metres * 0.5, z * metres * 0.5), rotation };
  };
}

/** Goes straight along some axes and turns about some for a while, then otherwise. */
function strides(random: Random): (seconds: number) => Pose {
  const axes = Array.from({ length: 6 }, (_, axis) => {
    const places = [0];
    // The pose after each tick.
    for (let left = 0, speed = 0; places.length < TICKS; left--) {
      if (left === 0) {
        left = 5 + random.below(60);
        speed = random.chance(0.6) ? 0 : random.between(-1, 1) * (axis < 3 ? 6 : 2) * random.between(0, 1);
      }
      const place = places[places.length - 1];
      // It turns round at the end of its reach.
      if (Math.abs(place) > 2) speed = -Math.sign(place) * Math.abs(speed);
      places.push(place + speed / TICK_RATE);
    }
    return places;
  });
  return (seconds) => {
    const [x, y, z, a, b, c] = axes.map((places) => places[Math.round(seconds * TICK_RATE)]);
    const rotation = normalize(quaternion(a / 2, b / 2, c / 2, 1), quaternion());
    return { position: vector(x, 3 + y, z), rotation };
  };
}

await loadPhysics();
const counts = new Tally();
trainBodies(counts);
trainHeaders(counts);
trainRare(counts);
trainAvatars(counts);
writeFileSync(new URL('../../core/wire/coder/priors.ts', import.meta.url), fileOf(counts));
