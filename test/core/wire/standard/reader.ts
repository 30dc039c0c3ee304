import { COUNTS_FROM, PRIORS } from '../../../../src/core/wire/coder/priors.ts';

/** Reads the range coder and the numbers of STANDARD.md, for the decoder that is written from that page alone. */

/** Thrown if bytes are not a packet. */
export class Refused extends Error {}

export function mustBe(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Refused(what);
}

export function within(value: number, low: number, high: number): number {
  mustBe(value >= low && value <= high, 'out of range');
  return value;
}

/** The first block, and the first context of the signs. */
export type Kind = readonly [number, number];

export const KINDS = {
  linearFirst: [0, 7568],
  linearNext: [21, 7571],
  positionFirst: [70, 7574],
  positionNext: [119, 7577],
  angularFirst: [168, 7580],
  angularNext: [217, 7583],
  rotationFirst: [266, 7586],
  rotationNext: [315, 7589],
  freePosition: [378, 7598],
  freeAngular: [379, 7601],
  freeRotation: [380, 7604],
  restPosition: [387, 7607],
  restRotation: [394, 7610],
  headPosition: [401, 7613],
  headRotation: [409, 7616],
  handPosition: [423, 7619],
  handRotation: [431, 7622],
  offsetPosition: [445, 7625],
  offsetRotation: [452, 7628],
  headerNumber: [466, 7631],
  authorTick: [470, 7634],
  linearGrid: [364, 7592],
  angularGrid: [371, 7595],
  ageRounds: [471, 7637],
} as const satisfies Record<string, Kind>;

export class Bits {
  /** Ticks a second. */
  readonly rate: number;
  readonly #bytes: Uint8Array;
  readonly #fast = PRIORS.slice();
  readonly #slow = PRIORS.slice();
  #range = 2 ** 32 - 1;
  #code = 0;
  /** The count of bytes read. */
  #at = 0;

  constructor(bytes: Uint8Array, rate: number) {
    this.rate = rate;
    this.#bytes = bytes;
    for (let i = 0; i < 4; i++) this.#code = this.#code * 256 + this.#next();
    mustBe(this.#code < this.#range, 'code beyond range');
  }

  #next(): number {
    const at = this.#at++;
    return at < this.#bytes.length ? this.#bytes[at] : 0;
  }

  #normalise(): void {
    while (this.#range < 2 ** 24) {
      this.#range *= 256;
      this.#code = this.#code * 256 + this.#next();
    }
  }

  /** A bit in a context. */
  bit(context: number): 0 | 1 {
    const fast = this.#fast[context];
    const slow = this.#slow[context];
    const bound = Math.floor(this.#range / 32768) * Math.floor((fast + slow) / 2);
    const one = this.#code < bound;
    this.#fast[context] = adapted(fast, one, 16);
    this.#slow[context] = adapted(slow, one, 128);
    if (one) this.#range = bound;
    else {
      this.#code -= bound;
      this.#range -= bound;
    }
    this.#normalise();
    return one ? 1 : 0;
  }

  flag(context: number): boolean {
    return this.bit(context) === 1;
  }

  plain(count: number): number {
    if (count > 16) return this.plain(count - 16) * 65536 + this.plain(16);
    this.#range = Math.floor(this.#range / 2 ** count);
    const value = Math.floor(this.#code / this.#range);
    mustBe(value < 2 ** count, 'plain bits beyond range');
    this.#code -= value * this.#range;
    this.#normalise();
    return value;
  }

  /** "low … high". */
  range(low: number, high: number): number {
    const count = high === low ? 0 : (high - low).toString(2).length;
    return within(low + this.plain(count), low, high);
  }

  small([first, signs]: Kind, block: number, sign: number): number {
    const nodes = 16 * (first + block);
    const from = COUNTS_FROM[first + block];
    const least = from % 2;
    if (least === 1 && !this.flag(nodes)) return 0;
    let size = Math.floor(from / 2);
    const goesUp = this.flag(nodes + size);
    if (goesUp)
      do size++;
      while (size < 16 && this.flag(nodes + size));
    else while (size > least && !this.flag(nodes + size - 1)) size--;
    if (size === 16) size += this.plain(3);
    if (size === 0) return 0;
    const negative = this.flag(signs + sign);
    const value = 2 ** (size - 1) + this.plain(size - 1);
    return negative ? -value : value;
  }

  /** A flag for the expected number; if no, another number of 0 … high. */
  another(context: number, expected: number, high: number): number {
    if (this.flag(context)) return expected;
    const value = this.range(0, high);
    mustBe(value !== expected, 'the expected number, but coded as another');
    return value;
  }

  /** "Sequence n, against s". */
  sequence(n: number, s: number): number {
    const c = 7699 + 4 * n;
    const high = this.bit(c);
    const said = 2 * high + this.bit(c + 1 + high);
    const known = [s, (s + 1) % 65536, 0];
    const value = said < 3 ? known[said] : this.plain(16);
    mustBe(!known.slice(0, said).includes(value), 'a sequence in a form that is not canonical');
    return value;
  }

  /** "Largest(e, n)", and that of a turned rotation. */
  largest(context: number, expected: number): number {
    return this.flag(context) ? expected : (expected + 1 + this.range(0, 2)) % 4;
  }

  /** Packets by which the baseline of an avatar (w = 1) or a body (w = 0) is older; 0 for none. */
  baselineAge(w: 0 | 1, base: number, inBase: boolean): number {
    if (inBase && this.flag(7667 + w)) return base;
    if (!this.flag(7669 + w)) return 0;
    const rounds = within(this.small(KINDS.ageRounds, w, 1), 0, 1023);
    const age = this.range(1, 62) + 64 * rounds;
    mustBe(!inBase || age !== base, 'the base, but coded as another');
    return age;
  }

  end(): void {
    const { length } = this.#bytes;
    const shifted = this.#at - 4;
    if (length > 0) mustBe(this.#bytes[length - 1] !== 0, 'trailing bits');
    mustBe(length <= shifted + 1, 'trailing bits');
    if (length < shifted + 1) return;
    const last = this.#bytes[length - 1] * 2 ** 24;
    mustBe(this.#code < last && this.#code < 2 ** 24, 'trailing bits');
    mustBe(2 ** 32 - last >= this.#range - this.#code, 'trailing bits');
  }
}

function adapted(part: number, one: boolean, slowness: number): number {
  return one ? part + Math.floor((32768 - part) / slowness) : part - Math.floor(part / slowness);
}

export function level(...values: number[]): number {
  const most = Math.max(...values.map(Math.abs));
  return most === 0 ? 0 : Math.min(6, Math.ceil(most.toString(2).length / 2));
}

export function sign(value: number): number {
  return value > 30 ? 1 : value < -30 ? 2 : 0;
}

/** True if a packet and another have the same place in the store; so have a packet and itself. */
export function takesPlaceOf(packet: number, other: number): boolean {
  return (packet - other) % 64 === 0;
}
