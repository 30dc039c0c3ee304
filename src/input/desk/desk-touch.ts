import type { DeskPlayer } from '../desk-player.ts';
import { deflection } from '../thumb-stick.ts';
import type { Place } from './flick.ts';

/** Pixels that two fingers move for a full walk. */
const WALK_RADIUS = 90;
/**
 * Notches of the wheel when the distance of two fingers halves or doubles: the body then looks half or twice as large.
 */
const NOTCHES_PER_HALF = 5.3;
/** Pixels: two fingers are not closer. */
const CLOSEST = 20;

/** Two taps count as a double tap within these milliseconds and pixels; a tap is as short, and as still. */
const TAP_MS = 320;
const TAP_RADIUS = 28;

type Finger = { x: number; y: number };

/** The pane on which the fingers are. */
type TouchedPane = {
  /** Returns the place of a finger in the pane, from -1 at its lower left corner to 1 at its upper right one. */
  placeOf(finger: Readonly<Finger>): Place;
  /** Called when a finger has tapped twice; the player points there. */
  onDoubleTap(): void;
};

/**
 * The fingers on one pane. The first one on a body holds it, and throws when it is lifted; another one then moves the
 * body nearer and further by pinching. A finger on nothing drags the world around, and two walk.
 */
export class DeskTouch {
  readonly #player: DeskPlayer;
  readonly #fingers = new Map<number, Finger>();
  #mode: 'none' | 'hold' | 'pinch' | 'look' | 'walk' = 'none';
  #holder = 0;
  #apart = 0;
  readonly #origin: Finger = { x: 0, y: 0 };

  readonly #pane: TouchedPane;
  /** The last finger that came down alone, and the last tap. */
  readonly #down = { timeMs: -Infinity, x: 0, y: 0 };
  readonly #tap = { timeMs: -Infinity, x: 0, y: 0 };

  constructor(player: DeskPlayer, pane: TouchedPane) {
    this.#player = player;
    this.#pane = pane;
  }

  /** Whether this finger is on the pane. */
  has(id: number): boolean {
    return this.#fingers.has(id);
  }

  /**
   * A finger comes down.
   * @param point moves the player's pointer there.
   * @param timeMs on any clock.
   */
  land(id: number, x: number, y: number, point: () => void, timeMs: number): void {
    this.#fingers.set(id, { x, y });
    const isAlone = this.#mode === 'none';
    Object.assign(this.#down, { x, y, timeMs: isAlone ? timeMs : -Infinity });
    if (isAlone && isNear(this.#tap, x, y, timeMs)) {
      this.#tap.timeMs = this.#down.timeMs = -Infinity;
      this.#mode = 'look';
      point();
      this.#player.leave();
      this.#pane.onDoubleTap();
    } else if (isAlone) {
      this.#mode = 'hold';
      this.#holder = id;
      point();
      this.#player.grip(true);
    } else if (this.#mode === 'hold' && this.#player.holds) {
      this.#mode = 'pinch';
      this.#apart = this.#spread();
    } else if (this.#mode === 'hold' || this.#mode === 'look') {
      this.#player.drop();
      this.#startWalk();
    }
  }

  /** A finger moves. */
  move(id: number, x: number, y: number, point: () => void): void {
    const finger = this.#fingers.get(id);
    if (finger === undefined) return;
    if (this.#mode === 'hold' && this.#player.isEmptyHanded) {
      this.#player.drop();
      this.#mode = 'look';
    }
    if (this.#mode === 'look') {
      this.#player.dragWorld(this.#pane.placeOf(finger), this.#pane.placeOf({ x, y }));
    }
    Object.assign(finger, { x, y });
    if (this.#mode === 'hold' || (this.#mode === 'pinch' && id === this.#holder)) point();
    if (this.#mode === 'pinch') this.#pinch();
    if (this.#mode === 'walk') this.#walk();
  }

  /** A finger is lifted. @param timeMs on the clock of `land`. */
  lift(id: number, point: () => void, timeMs: number): void {
    const finger = this.#fingers.get(id);
    if (finger !== undefined && isNear(this.#down, finger.x, finger.y, timeMs))
      Object.assign(this.#tap, finger, { timeMs });
    const holds = this.#mode === 'hold' || this.#mode === 'pinch';
    if (holds && id === this.#holder && this.#fingers.has(id)) {
      point();
      this.#player.leave();
      this.#mode = 'look';
    }
    this.forget(id);
  }

  /** A finger is gone, without a deed. */
  forget(id: number): void {
    this.#fingers.delete(id);
    if (this.#mode === 'walk') {
      this.#player.walk(0, 0);
      this.#mode = 'look';
    }
    if (this.#mode === 'pinch') this.#mode = id === this.#holder ? 'look' : 'hold';
    if (this.#fingers.size === 0) this.#mode = 'none';
    // Those that stay on after a walk, or after a throw, look around; two of them walk again.
    else if (this.#mode === 'look' && this.#fingers.size > 1) this.#startWalk();
  }

  /** All fingers are gone, without a deed. */
  clear(): void {
    this.#fingers.clear();
    this.#mode = 'none';
  }

  #startWalk(): void {
    this.#mode = 'walk';
    Object.assign(this.#origin, this.#middle());
  }

  #walk(): void {
    const { x, y } = this.#middle();
    const { right, forward } = deflection(x - this.#origin.x, y - this.#origin.y, WALK_RADIUS);
    this.#player.walk(right, forward);
  }

  #pinch(): void {
    const apart = this.#spread();
    // Fingers that come together make the body look smaller: it moves away.
    this.#player.wheel(NOTCHES_PER_HALF * Math.log2(this.#apart / apart));
    this.#apart = apart;
  }

  #middle(): Finger {
    let [x, y] = [0, 0];
    for (const finger of this.#fingers.values()) {
      x += finger.x / this.#fingers.size;
      y += finger.y / this.#fingers.size;
    }
    return { x, y };
  }

  /** Pixels between the first two fingers. */
  #spread(): number {
    const [a, b] = this.#fingers.values();
    return b === undefined ? CLOSEST : Math.max(CLOSEST, Math.hypot(a.x - b.x, a.y - b.y));
  }
}

/** True if a place and a moment are those of `before`, as far as fingers are exact. */
function isNear(before: Finger & { readonly timeMs: number }, x: number, y: number, timeMs: number): boolean {
  return timeMs - before.timeMs < TAP_MS && Math.hypot(x - before.x, y - before.y) < TAP_RADIUS;
}
