import { PlayoutClock } from '../../link/playout-clock.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { DrawnAvatar } from '../shown/drawn-avatar.ts';
import { ShownAvatar } from '../shown/shown-avatar.ts';
import { AvatarMotion } from './avatar-motion.ts';
import type { Announce } from './batches.ts';
import { BatchBuffer } from './batches.ts';

/**
 * [T2], [T3] All that arrives from one author, on its way from arrival to the picture. Updates of bodies and avatars
 * wait in one jitter buffer and follow one playout clock, so that a hand and what it throws stay together. It does not
 * know which player has authority over a body.
 */
export class AuthorStream {
  readonly clock: PlayoutClock;
  /** Head and hands after the present tick; valid once `hasAvatar`. */
  readonly shown = new ShownAvatar();
  /** Head and hands between the last two ticks, as of the last `drawBetween`. */
  readonly drawn = new DrawnAvatar();
  /** True once there is an avatar to show. */
  hasAvatar = false;
  /** True if the last `advance` has posed the avatar anew, at `shownMoment` in ticks of the author. */
  isShownAnew = false;
  shownMoment = 0;
  readonly #motion: AvatarMotion;
  readonly #batches: BatchBuffer;
  /** The clock's position in the tick before. */
  #lastPosition = 0;

  readonly #announce: Announce;

  /**
   * @param rate ticks a second.
   * @param apply gets the updates that are due; the object is used again for the next one.
   * @param announce gets the updates that are not due yet, if the author is sparse [T7]; each may come again.
   */
  constructor(rate: number, apply: (update: BodyUpdate) => void, announce: Announce = () => undefined) {
    this.clock = new PlayoutClock(rate);
    this.#motion = new AvatarMotion(rate);
    this.#announce = announce;
    this.#batches = new BatchBuffer(rate, apply, this.#motion.add);
  }

  /** Forgets everything of this author; its next packet starts the clock. */
  restart(): void {
    this.clock.restart();
    this.hasAvatar = false;
    this.#batches.cadence.restart();
    this.drop();
  }

  /** Drops what waits and what is carried: the level begins anew. The clock goes on. */
  drop(): void {
    this.#batches.reset();
    this.#motion.reset();
    this.shown.dropAll();
  }

  /** A packet with this tick of the author has arrived in the receiver's tick `ownTick`. */
  arrive(tick: number, ownTick: number): void {
    this.clock.arrive(tick, ownTick);
    this.#batches.cadence.arrive(tick);
  }

  /** Copies an update of a body that arrived; it is handed to `apply` when its tick is due. */
  addUpdate(update: Readonly<BodyUpdate>): void {
    this.#batches.addUpdate(update);
  }

  /** Copies an avatar that arrived in a packet of this tick of the author. */
  addAvatar(tick: number, sample: Readonly<AvatarSample>): void {
    this.#batches.addAvatar(tick, sample);
  }

  /**
   * Moves on by one tick: hands out the updates that are due, oldest first, and shows the avatar.
   * @param ownTick the receiver's present tick.
   */
  advance(ownTick: number): void {
    const { clock, drawn, shown } = this;
    // Most slots are empty. The first avatar is kept when it is shown.
    if (this.hasAvatar) drawn.keepBefore(shown);
    this.#lastPosition = clock.position;
    this.isShownAnew = false;
    clock.advance(ownTick);
    if (!clock.running) return;
    this.#batches.deliver(clock.position);
    if (this.#batches.cadence.isSparse) this.#batches.announce(clock.position, this.#announce);
    if (!this.#motion.hasSample) return;
    shown.show(this.#motion, this.#motion.moveTo(clock.position, clock.position, this.#batches));
    this.isShownAnew = true;
    this.shownMoment = this.#motion.moment;
    // A new avatar is drawn where it is, not on a path from the origin.
    if (!this.hasAvatar) drawn.keepBefore(shown);
    this.hasAvatar = true;
  }

  /**
   * [T5] Poses `drawn` between the tick before, alpha 0, and this one, alpha 1.
   * @returns the moment in ticks of the author, if it is on the curve through the samples; else NaN.
   */
  drawBetween(alpha: number): number {
    this.drawn.drawStraight(this.shown, alpha);
    return this.drawn.drawCurved(this.#motion, this.#batches, this.#lastPosition, this.clock.position, alpha);
  }
}
