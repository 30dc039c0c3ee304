import type { Hand } from './hand.ts';
import { goOn } from './hand.ts';
import { HEADER_NUMBER } from '../../core/wire/coder/contexts.ts';
import type { Preface } from '../network/server-line.ts';
import { HISTORY } from '../network/server-line.ts';
import { codeHands, codeTick, MOST_HANDS, readPacket, writePacket } from '../network/wire.ts';

/** Hands by their ticks, for the last HISTORY ticks. In the first ticks, which are agreed, the hand is at its home. */
export class HandTrack {
  /** All hands up to this tick are known. */
  complete: number;
  readonly home: Hand;
  readonly #hands: Hand[];
  readonly #ticks = new Int32Array(HISTORY).fill(-1);

  /** @param agreed ticks at the start in which everybody's hand is at home. */
  constructor(home: Hand, agreed: number) {
    this.home = home;
    this.complete = agreed;
    this.#hands = new Array<Hand>(HISTORY).fill(home);
  }

  /** @returns false if the hand was known already, or is too far ahead to be kept. */
  put(tick: number, hand: Hand): boolean {
    if (tick <= this.complete || tick >= this.complete + HISTORY / 2 || this.has(tick)) return false;
    this.#ticks[tick % HISTORY] = tick;
    this.#hands[tick % HISTORY] = hand;
    while (this.has(this.complete + 1)) this.complete++;
    return true;
  }

  has(tick: number): boolean {
    return this.#ticks[tick % HISTORY] === tick;
  }

  /** The hand of a tick up to `complete`. For a later tick, the last known hand. */
  at(tick: number): Hand {
    const known = Math.min(tick, this.complete);
    return this.has(known) ? this.#hands[known % HISTORY] : this.home;
  }

  /** The same, but for a later tick the last known hand goes on as it moved. */
  guess(tick: number): Hand {
    const known = this.complete;
    if (tick <= known || !this.has(known) || !this.has(known - 1)) return this.at(tick);
    return goOn(this.at(known - 1), this.at(known), tick - known);
  }
}

/** Hashes of the world by tick, of this machine or another. */
export class HashTrack {
  readonly #hashes = new Uint32Array(HISTORY);
  readonly #ticks = new Int32Array(HISTORY).fill(-1);
  newest = 0;

  put(tick: number, hash: number): void {
    this.#ticks[tick % HISTORY] = tick;
    this.#hashes[tick % HISTORY] = hash;
    this.newest = Math.max(this.newest, tick);
  }

  /** -1 if it is not known. */
  at(tick: number): number {
    return this.#ticks[tick % HISTORY] === tick ? this.#hashes[tick % HISTORY] : -1;
  }
}

/**
 * The messages between two machines in lockstep or rollback. Each contains the sender's hands, from the first one that
 * the receiver may lack, so that nobody has to ask for a lost hand; and now and then a hash of the sender's world at its
 * newest tick without a guess.
 */
export class HandExchange {
  readonly theirs: HandTrack;
  /** The newest tick up to which the other machine has all of this machine's hands. */
  acked: number;
  /** The newest of the other machine's ticks that arrived. */
  newest: number;
  /** The first tick in which the worlds differed; 0 for none. */
  partedAt = 0;
  readonly #hashes = new HashTrack();

  constructor(home: Hand, agreed: number) {
    this.theirs = new HandTrack(home, agreed);
    this.acked = agreed;
    this.newest = agreed;
  }

  /**
   * @param changed called for each hand that was not known before.
   * @returns false for a packet that can't be read.
   */
  receive(
    bytes: Uint8Array,
    changed: (tick: number, hand: Hand) => void,
    preface: Preface = ignore,
  ): boolean {
    return readPacket(bytes, (c) => {
      preface(c);
      const newest = codeTick(c, 0);
      const acked = newest - c.number(HEADER_NUMBER, 0, 0, 0);
      const isHashed = c.bits(0, 1) === 1;
      const hashed = isHashed ? codeTick(c, 0) : 0;
      const hash = isHashed ? c.bits(0, 32) : 0;
      const home = this.theirs.home;
      const heard: { tick: number; hand: Hand }[] = [];
      codeHands(
        c,
        newest,
        0,
        home,
        () => home,
        (tick, hand) => heard.push({ tick, hand }),
      );
      if (c.failed) return;
      this.acked = Math.max(this.acked, acked);
      this.newest = Math.max(this.newest, newest);
      if (hashed > 0) this.#hashes.put(hashed, hash);
      for (const { tick, hand } of heard.reverse()) if (this.theirs.put(tick, hand)) changed(tick, hand);
    });
  }

  write(own: HandTrack, hashes: HashTrack, preface: Preface = ignore): Uint8Array {
    const hashed = own.complete % HASH_EVERY === 0 ? hashes.newest : 0;
    const count = Math.min(MOST_HANDS, Math.max(0, own.complete - this.acked));
    return writePacket((c) => {
      preface(c);
      codeTick(c, own.complete);
      c.number(HEADER_NUMBER, 0, 0, own.complete - this.theirs.complete);
      if (c.bits(hashed > 0 ? 1 : 0, 1) === 1) {
        codeTick(c, hashed);
        c.bits(hashes.at(hashed), 32);
      }
      codeHands(c, own.complete, count, own.home, (tick) => own.at(tick), ignore);
    });
  }

  /** Compares all hashes that both machines have by now. */
  compare(own: HashTrack): void {
    const tick = Math.min(this.#hashes.newest, own.newest);
    for (let at = tick; at > 0 && at > tick - COMPARED && this.partedAt === 0; at--) {
      const [a, b] = [this.#hashes.at(at), own.at(at)];
      if (a >= 0 && b >= 0 && a !== b) this.partedAt = at;
    }
  }
}

/** Ticks between two packets with a hash: half a second. */
const HASH_EVERY = 30;
/** Ticks back for which a late hash is still compared. */
const COMPARED = 120;
const ignore = (): void => undefined;

/** The sentence for a player when the worlds have come apart. */
export function partedWord(tick: number): string {
  return `The two worlds are no longer the same, from second ${(tick / 60).toFixed(1)} on. Start the scene again.`;
}
