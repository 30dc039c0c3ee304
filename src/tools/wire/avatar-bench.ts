import { TICK_RATE } from '../../core/base/constants.ts';
import type { Pose } from '../../core/base/math.ts';
import { angleBetween, distance, pose } from '../../core/base/math.ts';
import type { AvatarSample } from '../../core/wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample } from '../../core/wire/avatar/avatar.ts';
import { codeAvatar } from '../../core/wire/avatar/avatar-coder.ts';
import { dequantisePose, quantisePose } from '../../core/wire/bodies/quantise.ts';
import { RangeReader } from '../../core/wire/coder/range-reader.ts';
import { RangeWriter } from '../../core/wire/coder/range-writer.ts';
import { codeBaselineAge } from '../../core/wire/bodies/update.ts';
import type { MotionTrack } from '../../hand-motion/track.ts';
import { PARTS } from '../../hand-motion/track.ts';

/** The age of a sample's baseline in packets: 100 ms. */
const AGE = 6;
const CAPACITY = 1100;

export type AvatarReport = {
  readonly samples: number;
  readonly bitsPerSample: number;
  /** kbit/s at 60 samples a second, and in the worst second. */
  readonly mean: number;
  readonly worstSecond: number;
  /** Metres and degrees between the motion and what was decoded, at the most. */
  readonly worstMetres: number;
  readonly worstDegrees: number;
  /**
   * RMS of the second difference of the hands' decoded path, divided by that of the motion: 1 is as smooth, more is
   * rougher.
   */
  readonly roughness: number;
  /** Samples that decoded to something else than was encoded. */
  readonly wrong: number;
};

/** The cost of each motion. */
export type AvatarReports = { readonly generated: AvatarReport; readonly recorded?: AvatarReport };

/** The cost of a generated motion, and of a recorded one where there is one. */
export function benchAvatar(generated: MotionTrack, recorded: MotionTrack | null): AvatarReports {
  return {
    generated: costOf(generated),
    ...(recorded === null ? {} : { recorded: costOf(recorded) }),
  };
}

/** Codes a track, a sample a tick, each against the one 100 ms older. */
function costOf(track: MotionTrack): AvatarReport {
  const real = resample(track);
  const sent = real.map(quantised);
  const got = sent.map(avatarSample);
  const bits = new Float64Array(sent.length);
  const writer = new RangeWriter(CAPACITY);
  const reader = new RangeReader();
  let wrong = 0;
  sent.forEach((sample, tick) => {
    const age = tick < AGE ? 0 : AGE;
    writer.clear();
    codeBaselineAge(writer, 'avatar', AGE, age > 0, age);
    codeAvatar(writer, 1, sample, age > 0 ? sent[tick - age] : null);
    bits[tick] = writer.written;
    reader.start(writer.finish());
    codeBaselineAge(reader, 'avatar', AGE, age > 0, 0);
    codeAvatar(reader, 1, got[tick], age > 0 ? got[tick - age] : null);
    if (!reader.atEnd() || JSON.stringify(got[tick]) !== JSON.stringify(sample)) wrong++;
  });
  const coded = bits.subarray(AGE);
  const bitsPerSample = coded.reduce((a, b) => a + b, 0) / coded.length;
  return {
    samples: sent.length,
    bitsPerSample: round(bitsPerSample),
    mean: round((bitsPerSample * TICK_RATE) / 1000),
    worstSecond: round(worstSecond(coded)),
    ...errors(real, got),
    roughness: round(bends(got.map(posesOf)) / bends(real)),
    wrong,
  };
}

/** Head and hands at each tick, on straight lines between the frames. */
function resample(track: MotionTrack): Pose[][] {
  return Array.from({ length: Math.floor(track.end * TICK_RATE) }, (_, tick) =>
    PARTS.map((part) => track.at(tick / TICK_RATE, part, pose())),
  );
}

/** Frames don't come with the ticks, so the stamps take all values. */
function quantised(parts: readonly Pose[], tick: number): AvatarSample {
  const sample = avatarSample();
  sample.age = (tick * 97) % AGE_STEPS;
  quantisePose(parts[0], sample.head, 0);
  sample.hands.forEach((hand, side) => {
    hand.tracked = true;
    quantisePose(parts[side + 1], hand.pose, 0);
  });
  return sample;
}

function posesOf(sample: AvatarSample): Pose[] {
  return [sample.head, ...sample.hands.map((hand) => hand.pose)].map((numbers) =>
    dequantisePose(numbers, 0, pose()),
  );
}

function errors(
  real: readonly Pose[][],
  got: readonly AvatarSample[],
): { worstMetres: number; worstDegrees: number } {
  let worstMetres = 0;
  let worstDegrees = 0;
  got.forEach((sample, tick) => {
    posesOf(sample).forEach((shown, part) => {
      const was = real[tick][part];
      worstMetres = Math.max(worstMetres, distance(shown.position, was.position));
      worstDegrees = Math.max(worstDegrees, (angleBetween(shown.rotation, was.rotation) * 180) / Math.PI);
    });
  });
  return { worstMetres: round(worstMetres, 5), worstDegrees: round(worstDegrees, 4) };
}

/** RMS of the second differences of the hands' positions. */
function bends(moments: readonly Pose[][]): number {
  let sum = 0;
  for (let tick = 1; tick + 1 < moments.length; tick++) {
    for (let part = 1; part < PARTS.length; part++) {
      for (const axis of ['x', 'y', 'z'] as const) {
        const [a, b, c] = [-1, 0, 1].map((step) => moments[tick + step][part].position[axis]);
        sum += (a - 2 * b + c) ** 2;
      }
    }
  }
  return Math.sqrt(sum);
}

function worstSecond(bits: Float64Array): number {
  let second = 0;
  let most = 0;
  bits.forEach((value, tick) => {
    second += value - (tick < TICK_RATE ? 0 : bits[tick - TICK_RATE]);
    most = Math.max(most, second);
  });
  return most / 1000;
}

function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
