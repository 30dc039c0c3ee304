import { TICK_RATE } from '../../core/base/constants.ts';
import { STRIDE } from '../../core/base/state.ts';
import type { NumberKind } from '../../core/wire/coder/contexts.ts';
import { predict } from '../../core/wire/bodies/predict.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { RangeReader } from '../../core/wire/coder/range-reader.ts';
import { RangeWriter } from '../../core/wire/coder/range-writer.ts';
import type { BodyUpdate } from '../../core/wire/bodies/update.ts';
import { sameClaim } from '../../core/world/record.ts';
import type { LevelId } from '../../levels/levels.ts';
import { createLevel } from '../../levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import type { Field } from './fields.ts';
import { FIELDS, MeteredWriter } from './fields.ts';
import type { RecordedScene } from './recording.ts';
import { record } from './recording.ts';
import { RecordedStream, sameUpdate } from './recorded-stream.ts';
import type { Sample } from './schemes.ts';
import { OUR_GRID, packerBits, SAMPLE_GRID, sampleBits } from './schemes.ts';
import type { BodyId } from '../../core/base/ids.ts';

/** The age of every baseline in packets: 100 ms. */
const AGE = 6;
/** Seconds of a run, and the second in which the fall is over. */
const SECONDS = 20;
const SETTLED = 5;
/** Bytes of a packet here: as many as it takes. */
const CAPACITY = 2 ** 20;

export type WireOptions = {
  readonly scene: LevelId;
  /** Cubes of the scene grid. */
  readonly count: number;
  readonly seeds: readonly number[];
  readonly authority: boolean;
};

const SCHEMES = [
  'sample as shipped, its grid',
  'sample as shipped, our grid',
  'sample mended, its grid',
  'sample mended, our grid',
  'our bit packer',
  'our range coder',
  'zero-order entropy',
] as const;
export type SchemeName = (typeof SCHEMES)[number];

/** kbit/s of bodies: the mean over all seeds, and the worst second of any. */
export type WireRow = {
  readonly scheme: SchemeName;
  readonly mean: number;
  readonly worstSecond: number;
  readonly settledMean: number;
  readonly settledWorstSecond: number;
};

export type WireReport = {
  readonly scene: LevelId;
  readonly bodies: number;
  readonly seeds: readonly number[];
  readonly authority: boolean;
  readonly rows: readonly WireRow[];
  /** kbit/s of the range coder while everything rests. */
  readonly atRest: number;
  /** The factor by which the range coder sends less than the packer of Fiedler's sample project, on our grid. */
  readonly timesLess: number;
  /** The share of each field in the range coder's bits of the worst second of any seed. */
  readonly worstFields: Readonly<Record<Field, number>>;
  /** Updates that decoded to something else than was encoded. */
  readonly wrong: number;
};

/** Records a scene with each seed, and measures the cost of its bodies in each scheme. */
export async function benchWire(options: WireOptions): Promise<WireReport> {
  await loadPhysics();
  const runs = options.seeds.map((seed) => {
    const scene = createLevel({ id: options.scene, seed, count: options.count });
    return measure(
      record(scene, createRapierSimulation(scene), SECONDS * TICK_RATE, seed),
      options.authority,
    );
  });
  const rows = SCHEMES.map((scheme, i) =>
    rowOf(
      scheme,
      runs.map(({ ticks }) => ticks[i]),
    ),
  );
  const mean = (name: SchemeName): number => rows[SCHEMES.indexOf(name)].mean;
  return {
    scene: options.scene,
    bodies: runs[0].bodies,
    seeds: options.seeds,
    authority: options.authority,
    rows,
    atRest: round((Math.max(...runs.map((run) => run.atRest)) * TICK_RATE) / 1000),
    timesLess: round(mean('sample as shipped, our grid') / mean('our range coder')),
    worstFields: fieldsOf(runs),
    wrong: runs.reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

/** The share of each field in the worst second of all runs. */
function fieldsOf(runs: readonly Run[]): Record<Field, number> {
  const coded = SCHEMES.indexOf('our range coder');
  const bits = runs.map(({ ticks }) => worst(ticks[coded], AGE));
  const { fields, ticks } = runs[bits.indexOf(Math.max(...bits))];
  const end = endOfWorst(ticks[coded], AGE);
  const second = FIELDS.map((_, i) => sum(fields[i].subarray(Math.max(0, end - TICK_RATE), end)));
  const all = second.reduce((a, b) => a + b, 0);
  const share = (field: Field): number => round(second[FIELDS.indexOf(field)] / all);
  return Object.fromEntries(FIELDS.map((field) => [field, share(field)])) as Record<Field, number>;
}

type Run = {
  readonly bodies: number;
  /** Bits of each tick, by scheme. */
  readonly ticks: readonly Float64Array[];
  /** Bits of the range coder in each tick, by field. */
  readonly fields: readonly Float64Array[];
  readonly wrong: number;
  /** Bits of a packet without news. */
  readonly atRest: number;
};

function measure(recording: RecordedScene, authority: boolean): Run {
  const ticks = SCHEMES.map(() => new Float64Array(recording.ticks));
  countOthers(recording, authority, ticks);
  const fields = FIELDS.map(() => new Float64Array(recording.ticks));
  const wrong = countCoder(recording, authority, ticks[SCHEMES.indexOf('our range coder')], fields);
  countEntropy(recording, authority, ticks[SCHEMES.indexOf('zero-order entropy')]);
  const quiet = new RangeWriter(CAPACITY);
  const silent = {
    ...recording,
    resting: recording.resting.slice().fill(1),
    states: recording.states.slice().fill(0),
  };
  const stream = new RecordedStream(silent, { age: AGE, authority: false, relayed: 0 });
  stream.code(quiet, recording.ticks - 1, 'write');
  return { bodies: recording.count, ticks, fields, wrong, atRest: quiet.written };
}

/** Encodes every packet, decodes it again, and compares. */
function countCoder(
  recording: RecordedScene,
  authority: boolean,
  bits: Float64Array,
  fields: readonly Float64Array[],
): number {
  const options = { age: AGE, authority, relayed: 0 };
  const sender = new RecordedStream(recording, options);
  const receiver = new RecordedStream(recording, options);
  const writer = new RangeWriter(CAPACITY);
  const meter = new MeteredWriter(writer);
  const reader = new RangeReader();
  let wrong = 0;
  for (let tick = 0; tick < recording.ticks; tick++) {
    if (tick < AGE) {
      sender.skip(tick);
      receiver.skip(tick);
      continue;
    }
    writer.clear();
    meter.clear();
    sender.code(meter, tick, 'write');
    bits[tick] = writer.written;
    FIELDS.forEach((field, i) => (fields[i][tick] = meter.counted[field]));
    reader.start(writer.finish());
    receiver.code(reader, tick, 'read');
    if (!reader.atEnd() || receiver.updateCount !== sender.updateCount) wrong++;
    for (let i = 0; i < sender.updateCount; i++) if (!equal(sender.updates[i], receiver.updates[i])) wrong++;
  }
  return wrong;
}

function equal(a: BodyUpdate, b: BodyUpdate): boolean {
  return a.body === b.body && a.tick === b.tick && sameUpdate(a, b);
}

function countOthers(recording: RecordedScene, authority: boolean, ticks: readonly Float64Array[]): void {
  const flight = new Int32Array(STRIDE);
  for (let tick = AGE; tick < recording.ticks; tick++) {
    for (let body = 0; body < recording.count; body++) {
      const sample = sampleOf(recording, authority, tick, body, flight);
      ticks[0][tick] += sampleBits(sample, SAMPLE_GRID, false);
      ticks[1][tick] += sampleBits(sample, OUR_GRID, false);
      ticks[2][tick] += sampleBits(sample, SAMPLE_GRID, true);
      ticks[3][tick] += sampleBits(sample, OUR_GRID, true);
      ticks[4][tick] += packerBits(sample);
    }
  }
}

function sampleOf(
  recording: RecordedScene,
  authority: boolean,
  tick: number,
  body: number,
  flight: Int32Array,
): Sample {
  const { count, states, resting, claims } = recording;
  const now = tick * count + body;
  const then = (tick - AGE) * count + body;
  const state = states.subarray(now * STRIDE, (now + 1) * STRIDE);
  const baseline = states.subarray(then * STRIDE, (then + 1) * STRIDE);
  const rests = resting[now] === 1;
  if (!rests) predict(recording.laws.of(body as BodyId, 0), baseline, AGE, flight);
  const claimed = !sameClaim(claims[now], claims[then]);
  const known = rests && resting[then] === 1 && (!authority || !claimed);
  return { count, state, baseline, flight, rests, known, authority, claimed };
}

/** The entropy of the coder's numbers, if each were coded by its frequency in the run. */
function countEntropy(recording: RecordedScene, authority: boolean, bits: Float64Array): void {
  const histogram = new Map<number, number>();
  const numbers: number[][] = [];
  const listener: Coder = {
    reads: false,
    failed: false,
    fail: () => undefined,
    bit: (_, bit) => bit,
    bits: (value) => value,
    range: (value) => value,
    number: (_kind: NumberKind, _block, _sign, value) => {
      numbers[numbers.length - 1].push(value);
      histogram.set(value, (histogram.get(value) ?? 0) + 1);
      return value;
    },
  };
  const stream = new RecordedStream(recording, { age: AGE, authority, relayed: 0 });
  for (let tick = 0; tick < recording.ticks; tick++) {
    numbers.push([]);
    if (tick < AGE) stream.skip(tick);
    else stream.code(listener, tick, 'write');
  }
  const total = numbers.reduce((sum, { length }) => sum + length, 0);
  numbers.forEach((values, tick) => {
    for (const value of values) bits[tick] -= Math.log2((histogram.get(value) ?? 1) / total);
  });
}

function rowOf(scheme: SchemeName, runs: readonly Float64Array[]): WireRow {
  const from = SETTLED * TICK_RATE;
  return {
    scheme,
    mean: round(average(runs, AGE)),
    worstSecond: round(Math.max(...runs.map((ticks) => worst(ticks, AGE)))),
    settledMean: round(average(runs, from)),
    settledWorstSecond: round(Math.max(...runs.map((ticks) => worst(ticks, from)))),
  };
}

/** kbit/s. */
function average(runs: readonly Float64Array[], from: number): number {
  const means = runs.map((ticks) => sum(ticks.subarray(from)) / ((ticks.length - from) / TICK_RATE) / 1000);
  return means.reduce((a, b) => a + b, 0) / means.length;
}

/** kbit in the worst second, wherever it begins. */
function worst(ticks: Float64Array, from: number): number {
  const end = endOfWorst(ticks, from);
  return sum(ticks.subarray(Math.max(from, end - TICK_RATE), end)) / 1000;
}

/** The tick after the worst second. */
function endOfWorst(ticks: Float64Array, from: number): number {
  let [most, end, second] = [0, from, 0];
  for (let tick = from; tick < ticks.length; tick++) {
    second += ticks[tick] - (tick - TICK_RATE >= from ? ticks[tick - TICK_RATE] : 0);
    if (second <= most) continue;
    most = second;
    end = tick + 1;
  }
  return end;
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
