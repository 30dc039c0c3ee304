import { decodeName } from '../base/text.ts';
import type { AvatarSample } from '../wire/avatar/avatar.ts';
import { avatarSample } from '../wire/avatar/avatar.ts';
import type { BodyUpdate } from '../wire/bodies/update.ts';
import type { Announce } from './incoming/batches.ts';
import { AuthorTime } from './driven/author-time.ts';
import { avatarRide } from './driven/ride.ts';
import { AuthorStream } from './incoming/author-stream.ts';

/** A player as a peer knows it, the peer's own player included. */
export class Author {
  readonly stream: AuthorStream;
  /** The newest of the player's ticks that has arrived, or -1. */
  newestTick = -1;
  /** [K2.1] The room's time in the player's ticks. */
  readonly time = new AuthorTime();
  readonly ride = avatarRide();
  /** The shift that its newest packet said; of this peer itself, its own. */
  shift = 0;
  /** The tick of the first packet from which this peer knows the player [E1.3]. */
  firstTick = 0;
  /** The tick of this peer in which the player's last entry came. */
  receivedTick = 0;
  /** The newest avatar as it arrived; of this peer itself, as it was sampled. Valid if avatarTime is not -1. */
  readonly avatar: AvatarSample = avatarSample();
  /** The moment of `avatar`, in the player's ticks; -1: there is none. */
  avatarTime = -1;
  /** [T1.4] True if the player has no avatar at all. */
  isAvatarless = false;
  /** The player's name in UTF-8, as it came. */
  nameBytes: Uint8Array = new Uint8Array(0);
  /** The same, decoded. */
  name = '';

  /**
   * @param apply gets each body's state when its playout moment has come.
   * @param announce gets the states that wait for it, if the author is sparse [T7].
   * @param rate ticks a second.
   */
  constructor(apply: (update: BodyUpdate) => void, announce: Announce, rate: number) {
    this.stream = new AuthorStream(rate, apply, announce);
  }

  /** The player's name is this from now on. @param bytes of UTF-8. */
  setName(bytes: Uint8Array): void {
    this.nameBytes = bytes;
    this.name = decodeName(bytes);
  }

  /** [H6] The player has left: forgets it, and drops what waits. */
  clear(): void {
    this.stream.restart();
    this.time.clear();
    this.newestTick = -1;
    this.avatarTime = -1;
    this.isAvatarless = false;
    this.nameBytes = new Uint8Array(0);
    this.name = '';
  }
}
