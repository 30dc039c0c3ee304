import { TICK_RATE } from '../../core/base/constants.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { codeHands, codeTick, MOST_HANDS } from '../network/wire.ts';
import type { Hand } from './hand.ts';
import type { HandTrack } from './hand-exchange.ts';

/** Ticks without a packet after which a player counts as gone: five seconds. ggrs takes two. */
export const GONE_AFTER = 5 * TICK_RATE;
/** The sentence for those who are left. */
export const GONE_WORD = 'A player has been gone for five seconds: the game goes on without that hand.';

/**
 * The players who have left a game in lockstep, as those who are left agree on it. A player without packets for GONE_AFTER is
 * gone. Its last hand is the newest that any of the others has: they tell each other, and pass on its last hands. Once
 * all of them have said so, its hand stands still from there on.
 */
export class Departures {
  readonly #self: number;
  readonly #players: number;
  readonly #homes: readonly Hand[];
  /** Ticks since each player's last packet. */
  readonly #silence: number[];
  readonly #isGone: boolean[];
  /** For each player who is gone, the newest of its ticks that each of the others has; -1 until it has said so. */
  readonly #said: readonly number[][];

  constructor(self: number, homes: readonly Hand[]) {
    this.#self = self;
    this.#players = homes.length;
    this.#homes = homes;
    this.#silence = homes.map(() => 0);
    this.#isGone = homes.map(() => false);
    this.#said = homes.map(() => homes.map(() => -1));
  }

  isGone(player: number): boolean {
    return this.#isGone[player];
  }

  /** A packet of a player has come. */
  hear(player: number): void {
    this.#silence[player] = 0;
  }

  /** A tick has passed. */
  advance(): void {
    for (let player = 0; player < this.#players; player++) {
      if (player !== this.#self && ++this.#silence[player] >= GONE_AFTER) this.#isGone[player] = true;
    }
  }

  /**
   * The tick after which the hand of a player who is gone stands still; -1 while the others have not all said so, or
   * while this player lacks hands that another has used.
   */
  lastTick(player: number, known: number): number {
    if (!this.#isGone[player]) return -1;
    let last = known;
    for (let other = 0; other < this.#players; other++) {
      if (other === this.#self || this.#isGone[other]) continue;
      const said = this.#said[player][other];
      if (said < 0) return -1;
      last = Math.max(last, said);
    }
    return last <= known ? last : -1;
  }

  /** Codes the players who are gone, with their last hands. A reader gives the player `from` whom the packet is. */
  code(c: Coder, trackOf: (player: number) => HandTrack, from = -1): void {
    for (let player = 0; player < this.#players; player++) {
      if (c.bits(this.#isGone[player] ? 1 : 0, 1) === 0) continue;
      const track = trackOf(player);
      const last = codeTick(c, track.complete);
      const hands: [tick: number, hand: Hand][] = [];
      codeHands(
        c,
        last,
        Math.min(MOST_HANDS, last),
        this.#homes[player],
        (tick) => track.at(tick),
        (tick, hand) => hands.push([tick, hand]),
      );
      if (from < 0 || c.failed || player === this.#self) continue;
      this.#said[player][from] = last;
      if (!this.#isGone[player]) continue;
      for (const [tick, hand] of hands.reverse()) track.put(tick, hand);
    }
  }
}
