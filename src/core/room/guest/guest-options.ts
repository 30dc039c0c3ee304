import type { Slot } from '../../base/ids.ts';
import type { ChosenLevel, LevelSource } from '../../world/level-reference.ts';
import type { PublicKey, RoomId } from '../identity/key.ts';
import type { LineFailure, LineId } from '../line.ts';
import type { Ending, KeptConnection, Refusal, Welcome } from '../messages.ts';
import type { Profile } from '../profile.ts';

/** Why a guest is no longer in a room, or never came in. */
export type GuestEnd =
  | Refusal
  | Exclude<Ending, 'host left'>
  | LineFailure
  | 'lost'
  /** [P3] The host at the door is not of the room that was asked for. */
  | 'other room'
  /** [B1.2] The room plays in a level that this page does not have, or has with another content. */
  | 'other level'
  /** [B2.3] The same level has another rate on this page. */
  | 'other rate'
  /** [V1.3] The room has another schema than this page. */
  | 'other schema';

/** The state of a GuestRoom, as its owner reads it. */
export type GuestStatus =
  | { readonly kind: 'joining' }
  | { readonly kind: 'here' }
  /** In the room, but nothing has come for LOST_AFTER_MS or there is no line; it tries to come back. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly why: GuestEnd };

/** A task for the owner of a GuestRoom; `drain` hands them out in order. */
export type GuestEffect =
  /** Open a new line to the room's door, then call `attemptOpened` or `attemptFailed`. */
  | { readonly kind: 'open' }
  /** [F4] Open a standby line to a page, if that can be; then call `lineOpened`. */
  | { readonly kind: 'dial'; readonly page: string }
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  /**
   * In the room, on this line: begin a new world, unless the connection goes on. `follows`: keep the world, and let it
   * follow a new host [F4], which may have the slot of the host before.
   */
  | {
      readonly kind: 'enter';
      readonly line: LineId;
      readonly welcome: Welcome;
      readonly goesOn: boolean;
      readonly follows: boolean;
    }
  /** The host has chosen a level: begin a new world. */
  | ({ readonly kind: 'level' } & ChosenLevel)
  /** [P1] Sign this text with this page's key, then call `signed`. */
  | { readonly kind: 'sign'; readonly text: string };

/** The settings of a guest that comes in. */
export type GuestRoomOptions = {
  readonly profile: Profile;
  /** The levels that this page has. */
  readonly levels: LevelSource;
  /** [V1.3] The hash of this page's schema; left out without one. */
  readonly schema?: string | undefined;
  /** The slot that it would like, for its colour; null for any. */
  readonly colour: Slot | null;
  /** This tab was in the room before, and looks for it longer. */
  readonly returns: boolean;
  /** [P3] The room that it looks for; null for any at this door. */
  readonly room: RoomId | null;
  /** For a player that was the host until now: a line to the other host that is open already, or null. */
  readonly back?: LineId | null;
  /**
   * [F4.29] [F4.32] For a player that was the host until now: a player of its room. It follows that player into another
   * room, too.
   */
  readonly friend?: PublicKey | null;
  /**
   * [F4.33] The slot of the heir, which is not host yet. This guest waits until the heir says on the line `back` that it is
   * host. After a moment it looks for the room at the door, too. Left out or null if the other is host already.
   */
  readonly heir?: Slot | null;
  /** [F4.35] For a player that has given its room away: it keeps its world. Left out or null for all others. */
  readonly keeps?: KeptConnection | null;
};

/** How a host becomes a guest again. */
export type WayBack = {
  /** The room to look for; left out or null: this host's own. */
  readonly room?: RoomId | null;
  /** The page at the door for which this page steps down; left out if there is another reason. */
  readonly found?: PublicKey;
  /** [F4.32] The player to which this page has given the room; left out if there is another reason. */
  readonly heir?: { readonly key: PublicKey; readonly slot: Slot; readonly keeps: KeptConnection };
};
