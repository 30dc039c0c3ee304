import { SendSchedule } from '../../link/send-schedule.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { avatarSample, copyAvatar } from '../../wire/avatar/avatar.ts';

/** What one receiver was told last of one player. */
export class Told {
  readonly pace = new SendSchedule();
  readonly avatar: AvatarSample = avatarSample();
  /** The avatar's moment, in the player's ticks; -1: none yet. */
  avatarTime = -1;
  /** The player's tick as it was told, and the newest that was known then; -1: none yet. */
  tick = -1;
  newestTick = -1;

  tell(avatar: Readonly<AvatarSample>, avatarTime: number, ownTick: number): void {
    copyAvatar(avatar, this.avatar);
    this.avatarTime = avatarTime;
    this.pace.markSent(ownTick);
  }

  /** [H6] The player has left. */
  clear(): void {
    this.avatarTime = -1;
    this.tick = -1;
    this.newestTick = -1;
  }
}
