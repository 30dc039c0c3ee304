import type { Slot } from '../core/base/ids.ts';
import type { SendLimits } from '../core/link/send-budget.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { MemberKey } from './member-key.ts';
import type { Entry } from './session-state.ts';
import type { Game } from './world.ts';

/** The settings of a RoomSession. */
export type RoomOptions = {
  readonly game: Game;
  readonly code: RoomCode;
  readonly name: string;
  /** The slot that the player would like; a host's own slot. */
  readonly colour: Slot;
  readonly entry: Entry;
  /** [P1] This member's key. */
  readonly key: MemberKey;
  /** [T1.4] False for a member without head and hands. True if left out. */
  readonly avatar?: boolean;
  /** [W9] The most that it sends; the usual limits if left out. */
  readonly limits?: SendLimits;
};
