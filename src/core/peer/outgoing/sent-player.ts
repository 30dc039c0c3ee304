import { SendSchedule } from '../../link/send-schedule.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { avatarSample, copyAvatar } from '../../wire/avatar/avatar.ts';

/** One player in the packet to be written. */
export type OutgoingPlayer = {
  tick: number;
  /** [K2.1] The shift of the room’s time; 0 without driven bodies. */
  shift: number;
  /** Null if the avatar is not due. The writer sets it to null if it has no room for it [W9.3]. */
  avatar: AvatarSample | null;
  /** [T1.4] True if the player has no avatar at all. */
  isAvatarless: boolean;
};

/** The part of a ReceiverState about one player: its avatar, tick and name as last sent, and as acked. */
export class SentPlayer {
  /** [W8] The ticks in which an avatar of this player is due. */
  readonly pace: SendSchedule;
  /** The avatar as it was last sent, with the age and the name of that packet. */
  readonly avatar: AvatarSample = avatarSample();
  /** The moment of that avatar, in ticks of the player; -1 if none was sent. */
  avatarTime = -1;
  /** The tick of the player that was last sent; -1 if none was. */
  tick = -1;
  /** The newest tick of the player that was known then; -1 if none was. */
  newestTick = -1;
  /** The newest packet with an avatar of this player that was acked; -1 if none was. */
  ackedAvatarPacket = -1;
  /** True once the receiver has acked a packet with the player's name. */
  hasName = false;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.pace = new SendSchedule(rate);
  }

  /**
   * An avatar goes into the next packet. It is copied; the caller then sets the copy's age and name.
   * @param avatarTime the moment of the sample, in ticks of the player.
   * @param ownTick the sender's present tick.
   */
  takeAvatar(avatar: Readonly<AvatarSample>, avatarTime: number, ownTick: number): void {
    copyAvatar(avatar, this.avatar);
    this.avatarTime = avatarTime;
    this.pace.markSent(ownTick);
  }

  /** [W9.3] There was no room for the avatar that was taken: it counts as never sent. */
  leaveOut(): void {
    this.avatarTime = -1;
  }

  /**
   * [H6] The player has left; the next player in its slot counts its ticks anew and has another name. Acked avatars
   * remain baselines, since the receiver still has them.
   */
  forget(): void {
    this.avatarTime = -1;
    this.tick = -1;
    this.newestTick = -1;
    this.hasName = false;
  }
}
