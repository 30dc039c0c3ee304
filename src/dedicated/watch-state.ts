import type { RoomCode } from '../core/room/code.ts';

/** [N5] A room that is watched, as its server tells the process that has it. */
export type WatchedRoom = {
  readonly code: RoomCode;
  /** Those who see it. */
  readonly watchers: number;
  /** True if one of them, or one that was let in, waits for a keyframe. */
  readonly wantsKeyframe: boolean;
};

/** [N5.6] Whether a room here may be watched. `none`: this process is not its host. */
export type WatchState = 'open' | 'locked' | 'none';
