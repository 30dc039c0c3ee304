import type {
  Circumstances,
  PlainAuthor,
  PlainAvatar,
  PlainHand,
  PlainHeader,
  PlainPacket,
  PlainUpdate,
} from '../../support/packets.ts';

/**
 * A decoder written from STANDARD.md alone: it takes nothing from the project, spells out every number, and
 * cares for clarity only. Where it and the project's reader differ, the page or one of the two is wrong.
 */

/** What makes bytes no packet. */
export class Refused extends Error {}

export function decodeByStandard(circumstances: Circumstances, bytes: Uint8Array): PlainPacket {
  if (bytes.length > 1100) throw new Refused('too long');
  const bits = new Bits(bytes);
  const header = readHeader(bits);
  const authors = readAuthors(bits, circumstances);
  const updates: PlainUpdate[] = [];
  while (bits.flag()) {
    const update = readUpdate(bits, circumstances, authors);
    mustBe(!updates.some(({ body }) => body === update.body), 'body twice');
    updates.push(update);
  }
  bits.end();
  return { header, authors, updates };
}

class Bits {
  /** Zeros and ones in the order in which they are read. */
  readonly #bits: readonly number[];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bits = [...bytes].flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1));
  }

  number(count: number): number {
    const taken = this.#bits.slice(this.#at, this.#at + count);
    mustBe(taken.length === count, 'truncated');
    this.#at += count;
    return taken.reduce((sum, bit, i) => sum + bit * 2 ** i, 0);
  }

  flag(): boolean {
    return this.number(1) === 1;
  }

  range(low: number, high: number): number {
    return within(this.number(widthOf(high - low)) + low, low, high);
  }

  three(low: number, high: number): number[] {
    return [this.range(low, high), this.range(low, high), this.range(low, high)];
  }

  end(): void {
    const rest = this.#bits.slice(this.#at);
    mustBe(rest.length < 8 && !rest.includes(1), 'trailing bits');
  }
}

function widthOf(highest: number): number {
  return highest === 0 ? 0 : highest.toString(2).length;
}

function within(value: number, low: number, high: number): number {
  mustBe(value >= low && value <= high, 'out of range');
  return value;
}

function mustBe(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Refused(what);
}

function readHeader(bits: Bits): PlainHeader {
  const connection = bits.number(16);
  const term = bits.number(16);
  const reset = bits.number(16);
  const sequence = bits.number(16);
  const acks = bits.flag();
  const ack = acks ? bits.number(16) : -1;
  return { connection, term, reset, sequence, ack, ackBits: acks ? bits.number(32) : 0 };
}

function readAuthors(bits: Bits, { newestTicks, bodies }: Circumstances): PlainAuthor[] {
  const authors: PlainAuthor[] = [];
  for (let count = bits.range(0, 8); count > 0; count--) {
    const slot = bits.number(3);
    const tick = unwrapTick(bits.number(16), newestTicks[slot]);
    const avatar = bits.flag() ? readAvatar(bits, bodies) : null;
    mustBe(!authors.some((author) => author.slot === slot), 'author twice');
    authors.push({ slot, tick, avatar });
  }
  return authors;
}

function unwrapTick(low: number, newest: number): number {
  if (newest < 0) return low;
  let tick = Math.floor(newest / 65536) * 65536 + low;
  if (tick - newest > 32767) tick -= 65536;
  if (tick - newest < -32768) tick += 65536;
  if (tick < 0) return tick + 65536;
  return tick > 2 ** 30 ? low : tick;
}

function readAvatar(bits: Bits, bodies: number): PlainAvatar {
  const age = bits.number(12);
  const head = readPose(bits);
  const hands = [readHand(bits, bodies), readHand(bits, bodies)];
  const [left, right] = hands.map((hand) => hand?.held?.body);
  mustBe(left === undefined || left !== right, 'in both hands');
  const voice = bits.number(4);
  const name = Array.from({ length: bits.range(0, 32) }, () => bits.number(8));
  return { age, head, hands, voice, name };
}

function readHand(bits: Bits, bodies: number): PlainHand | null {
  if (!bits.flag()) return null;
  const pose = readPose(bits);
  const [grip, trigger] = [bits.number(6), bits.number(6)];
  const [pointing, thumbUp] = [bits.flag(), bits.flag()];
  const hand = { pose, grip, trigger, pointing, thumbUp };
  if (!bits.flag()) return { ...hand, held: null, reach: bits.flag() ? bits.range(0, bodies - 1) : -1 };
  const body = bits.range(0, bodies - 1);
  const [ownership, authority] = [bits.number(16), bits.number(16)];
  const offset = [...bits.three(-131071, 131071), ...readRotation(bits)];
  return { ...hand, held: { body, ownership, authority, offset }, reach: -1 };
}

function readPose(bits: Bits): number[] {
  const position = [bits.range(-262143, 262143), bits.range(-8192, 253951), bits.range(-262143, 262143)];
  return [...position, ...readRotation(bits)];
}

function readRotation(bits: Bits): number[] {
  return [bits.number(2), ...bits.three(-16383, 16383)];
}

function readUpdate(bits: Bits, circumstances: Circumstances, authors: readonly PlainAuthor[]): PlainUpdate {
  const { bodies, packet, speaker, before } = circumstances;
  const body = bits.range(0, bodies - 1);
  const baselineAge = bits.flag() ? bits.range(1, 47) : 0;
  const stored = before.flatMap((earlier) =>
    earlier.packet === packet - baselineAge ? earlier.updates : [],
  );
  const baseline = baselineAge === 0 ? undefined : stored.find((update) => update.body === body);
  mustBe(baselineAge === 0 || baseline !== undefined, 'unknown baseline');
  const sameClaim = baseline !== undefined && bits.flag();
  const claim = sameClaim ? baseline.claim : readClaim(bits);
  mustBe(sameClaim || baseline === undefined || !equal(claim, baseline.claim), 'same claim, said anew');
  const kind = (['record', 'rest', 'motion'] as const)[bits.range(0, 2)];
  if (kind === 'record') return { body, baselineAge, claim, kind, tick: -1, state: [] };
  const author = claim[0] === -1 ? speaker : claim[0];
  const newest = authors.find(({ slot }) => slot === author)?.tick;
  mustBe(newest !== undefined, 'an author that is not in the table');
  const tick = newest - (author === speaker ? 0 : bits.number(6));
  const isPlain = baseline === undefined || baseline.kind === 'record';
  const state = isPlain
    ? readState(bits, kind === 'motion')
    : readDifference(bits, kind === 'motion', baseline, tick);
  return { body, baselineAge, claim, kind, tick, state };
}

function readClaim(bits: Bits): number[] {
  const who = bits.flag() ? [bits.number(3), bits.range(0, 2)] : [-1, 0];
  return [...who, bits.number(16), bits.number(16)];
}

const STILL = [0, 0, 0, 0, 0, 0];

function readState(bits: Bits, isMotion: boolean): number[] {
  const pose = readPose(bits);
  if (!isMotion) return [...pose, ...STILL];
  return [...pose, ...bits.three(-65535, 65535), ...bits.three(-65535, 65535)];
}

function readDifference(bits: Bits, isMotion: boolean, baseline: PlainUpdate, tick: number): number[] {
  if (bits.flag()) {
    mustBe(isMotion || equal(baseline.state.slice(7), STILL), 'rests and moves');
    return [...baseline.state];
  }
  const ticks = (((tick - baseline.tick) % 65536) + 65536) % 65536;
  const [carried, ballistic] = [false, true].map((flies) => predictByStandard(baseline.state, ticks, flies));
  const flies = isMotion && bits.flag();
  const prediction = isMotion ? (flies ? ballistic : carried) : [...baseline.state];
  const position = readGroup(
    bits,
    prediction.slice(0, 3),
    [262143, 253951, 262143],
    [-262143, -8192, -262143],
  );
  const turned = bits.flag();
  const rotation = turned
    ? readRotation(bits)
    : [prediction[3], ...readGroup(bits, prediction.slice(4, 7), [16383, 16383, 16383])];
  mustBe(!turned || rotation[0] !== prediction[3], 'turned, and is not');
  const velocities = isMotion
    ? [7, 10].flatMap((from) => readGroup(bits, prediction.slice(from, from + 3), [65535, 65535, 65535]))
    : STILL;
  const state = [...position, ...rotation, ...velocities];
  mustBe(!isMotion || flies === costOf(state, ballistic) <= costOf(state, carried), 'the dearer prediction');
  mustBe(!equal(state, baseline.state), 'same state, said anew');
  return state;
}

const WIDTHS = [0, 2, 4, 6, 8, 10, 12];

function readGroup(bits: Bits, prediction: number[], high: number[], low = high.map((h) => -h)): number[] {
  const index = bits.number(3);
  const values = prediction.map((predicted, i) =>
    index === 7
      ? bits.range(low[i], high[i])
      : within(predicted + unzigzag(bits.number(WIDTHS[index])), low[i], high[i]),
  );
  mustBe(classOf(values, prediction) === index, 'not the lowest class');
  return values;
}

function unzigzag(n: number): number {
  return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
}

function classOf(values: number[], prediction: number[]): number {
  const differences = values.map((value, i) => value - prediction[i]);
  const zigzags = differences.map((d) => (d < 0 ? -2 * d - 1 : 2 * d));
  const index = WIDTHS.findIndex((width) => zigzags.every((z) => z < 2 ** width));
  return index < 0 ? 7 : index;
}

function costOf(state: number[], prediction: number[]): number {
  const cost = (from: number, plain: number): number => {
    const index = classOf(state.slice(from, from + 3), prediction.slice(from, from + 3));
    return index === 7 ? plain : 3 * WIDTHS[index];
  };
  return cost(0, 56) + cost(7, 51);
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, i) => value === b[i]);
}

const f = Math.fround;
const R = Math.SQRT2 * 16379;
const H = f(1 / 60 / 4);
const HALF = f(H / 2);
const G = f(f(-9.8) * H);
const KEEP_LINEAR = f(1 / f(1 + f(1 / 60) * f(0.1)));
const KEEP_ANGULAR = f(1 / f(1 + f(1 / 60) * f(0.05)));

function predictByStandard(from: readonly number[], ticks: number, flies: boolean): number[] {
  let state = [...from];
  for (let left = ticks > 63 ? 0 : ticks; left > 0; left--) {
    let p = state.slice(0, 3).map((n) => f(n / 4096));
    let q = dequantiseRotation(state).map(f);
    const v = state.slice(7, 10).map((n) => f(n / 1024));
    const w = state.slice(10, 13).map((n) => f(n / 1024));
    const a = w.map((c) => f(c * HALF));
    for (let part = 0; part < 4; part++) {
      if (flies) v[1] = f(v[1] + G);
      p = p.map((c, i) => f(c + f(v[i] * H)));
      q = turn(q, a);
    }
    const velocities = [...v.map((c) => f(c * KEEP_LINEAR)), ...w.map((c) => f(c * KEEP_ANGULAR))];
    state = [
      ...p.map((c, i) => clamp(Math.round(c * 4096), i === 1 ? -8192 : -262143, i === 1 ? 253951 : 262143)),
      ...quantiseRotation(q, state[3]),
      ...velocities.map((c) => clamp(Math.round(c * 1024), -65535, 65535)),
    ];
  }
  return state;
}

function turn([x, y, z, w]: number[], [ax, ay, az]: number[]): number[] {
  const turned = [
    x + ax * w + ay * z - az * y,
    y - ax * z + ay * w + az * x,
    z + ax * y - ay * x + az * w,
    w - ax * x - ay * y - az * z,
  ];
  const [a, b, c, d] = turned;
  return turned.map((n) => f(n / Math.sqrt(a * a + b * b + c * c + d * d)));
}

function dequantiseRotation(state: readonly number[]): number[] {
  const q = state.slice(4, 7).map((n) => n / R);
  const sum = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  q.splice(state[3], 0, Math.sqrt(Math.max(0, 1 - sum)));
  return sum > 1 ? q.map((n) => n * (1 / Math.sqrt(sum))) : q;
}

function quantiseRotation(q: number[], k: number): number[] {
  const m = [3, 0, 1, 2].reduce((best, i) => (Math.abs(q[i]) > Math.abs(q[best]) ? i : best));
  const leaveOut = (i: number): number[] =>
    q.filter((_, other) => other !== i).map((n) => clamp(Math.round(n * (q[i] < 0 ? -R : R)), -16383, 16383));
  const kept = leaveOut(k);
  const l = Math.sqrt(Math.max(0, R * R - kept.reduce((sum, n) => sum + n * n, 0)));
  return k !== m && kept.every((n) => Math.abs(n) <= l + 4) ? [k, ...kept] : [m, ...leaveOut(m)];
}

/** Without the -0 that rounding may leave. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value)) + 0;
}
