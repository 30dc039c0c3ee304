import { TICK_RATE } from '../../core/base/constants.ts';
import type { Vector } from '../../core/base/math.ts';
import { lerpVector, setVector, vector } from '../../core/base/math.ts';
import { Random } from '../../core/base/random.ts';
import type { Hand } from './hand.ts';
import { HAND_STEPS, handAt } from './hand.ts';
import type { LabScene } from './scenes.ts';

/**
 * Ticks for which a hand stands still between two strokes: long enough for the slowest model to come to rest,
 * too.
 */
const PAUSE = 1.1 * TICK_RATE;
/**
 * The least and the greatest speed of a hand's sweep in metres a second, and the ticks in which it reaches that
 * speed.
 */
const SLOWEST = 2;
const FASTEST = 3.2;
const STARTS = 4;
/** Ticks before the first stroke: falling cubes have landed by then. */
const LANDED = 1.6 * TICK_RATE;
/** Ticks by which the second player is behind the first, so that they meet in different places. */
const BEHIND = 0.7 * TICK_RATE;

/**
 * A hand that plays by itself. It sees nothing, so the same scene, seed and player give the same hand in every
 * model, whatever the network does.
 */
export class ScriptedPlayer {
  readonly #random: Random;
  readonly #player: number;
  readonly #scene: LabScene;
  readonly #from: Vector;
  readonly #to: Vector;
  readonly #at = vector();
  #begins: number;
  #lasts = 1;
  #ease = 0;
  #stroke = 0;

  constructor(scene: LabScene, player: number, seed: number) {
    this.#scene = scene;
    this.#player = player;
    this.#random = new Random(seed * 7 + player + 1);
    const home = scene.homes[player];
    this.#from = vector(home.x / HAND_STEPS, home.y / HAND_STEPS, home.z / HAND_STEPS);
    this.#to = { ...this.#from };
    this.#begins = Math.round(LANDED + player * BEHIND);
  }

  /** The hand in a tick. Ask for every tick, in order. */
  hand(tick: number): Hand {
    if (tick >= this.#begins + this.#lasts + PAUSE || (this.#stroke === 0 && tick >= this.#begins)) {
      this.#begin(tick);
    }
    return handAt(lerpVector(this.#from, this.#to, this.#share(tick - this.#begins), this.#at));
  }

  #share(ticks: number): number {
    if (this.#stroke === 0 || ticks <= 0) return 0;
    // Reaches full speed after STARTS ticks, and stops at once, like a person who pulls a thing and stops.
    const eased = ticks < STARTS ? (ticks * ticks) / (2 * STARTS) : ticks - STARTS / 2;
    return Math.min(1, eased / this.#ease);
  }

  #begin(tick: number): void {
    setVector(this.#from, this.#to.x, this.#to.y, this.#to.z);
    this.#stroke++;
    this.#aim();
    const way = Math.hypot(this.#to.x - this.#from.x, this.#to.y - this.#from.y, this.#to.z - this.#from.z);
    const speed = this.#random.between(SLOWEST, FASTEST);
    this.#ease = Math.max(1, (way / speed) * TICK_RATE);
    this.#lasts = Math.ceil(this.#ease + STARTS / 2);
    this.#begins = tick;
  }

  /** A stroke through the middle and out on the other side, or at one cube and back on one's own side. */
  #aim(): void {
    const random = this.#random;
    const side = this.#player === 0 ? -1 : 1;
    if (this.#scene.name === 'push') {
      const forth = this.#stroke % 2 === 1;
      this.#aimAt(side * (forth ? random.between(-0.4, 0.3) : 2.4), 0.5, random.between(-0.2, 0.2));
      return;
    }
    const out = this.#stroke % 2 === 1 ? -side : side;
    const high = this.#scene.name === 'plane' ? 0.34 : random.between(0.4, 0.9);
    this.#aimAt(out * random.between(2.4, 3.4), high, random.between(-0.9, 0.9));
  }

  /** @param along metres on the line between the first two players; the third plays across it. */
  #aimAt(along: number, high: number, across: number): void {
    if (this.#player === 2) setVector(this.#to, -across, high, along);
    else setVector(this.#to, along, high, across);
  }
}
