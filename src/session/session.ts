import type { Slot } from '../core/base/ids.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { Recorder } from '../core/peer/recording/recorder.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import type { Lineage } from '../core/room/identity/lineage.ts';
import type { JoinProgress } from '../core/room/line.ts';
import type { Roster } from '../core/room/messages.ts';
import type { Profile } from '../core/room/profile.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { LevelReason, LevelRecipe } from '../core/world/level-reference.ts';
import type { World } from './world.ts';

/** Why a member could not open its room, come into one, or stay there. */
export type SessionFailure =
  | 'no broker'
  | 'code taken'
  | 'room not found'
  | 'room full'
  | 'room locked'
  | 'other room'
  | 'other level'
  | 'other rate'
  | 'other schema'
  | 'version'
  | 'no answer'
  | 'blocked'
  | 'no relay'
  | 'lost'
  | 'removed'
  | 'rules'
  | 'opened elsewhere';

/**
 * `opening`: not yet in the room. `lost`: in it, but the way to the host is broken for now. `left`: this member has
 * left, and the session can't be used any more. `cause`: what the game threw, if that is why it has ended.
 */
export type SessionStatus =
  | { readonly kind: 'opening' | 'here' | 'lost' | 'left' }
  | { readonly kind: 'ended'; readonly why: SessionFailure; readonly cause?: unknown };

/** One member's part in a room: a host's or a guest's. Its owner ticks it, and reads what there is to show. */
export type Session = {
  /** Null for practice: nobody can come in. */
  readonly code: RoomCode | null;
  readonly status: SessionStatus;
  /** The progress of getting a line to the host; null if this member wants none. */
  readonly progress: JoinProgress | null;
  /** This member's slot; null until it is in the room. */
  readonly slot: Slot | null;
  /** Null until it is in the room; another object whenever a scene begins on a new peer. The session disposes of it. */
  readonly world: World | null;
  /**
   * The people in the room, without a dedicated host [N1.3]. Another object whenever it has changed; null until this
   * member is in the room.
   */
  readonly roster: Roster | null;
  /** The commands of a host; null for a guest. It may change in any tick [F4]. */
  readonly hosting: Hosting | null;
  /** Takes in messages and packets, and runs one tick of the world, if there is one. @param nowMs when it is due. */
  tick(nowMs: number, input: PlayerInput): void;
  /** [P3] The room's id, for links; null before this member is in. */
  readonly room: RoomId | null;
  /** [P5] Why this member is the room's host; null for a guest. */
  readonly lineage: Lineage | null;
  /** The slots of the players who were host before the present host first became host, the first one first. */
  readonly formerHosts: readonly Slot[];
  /** True if this member has begun the room; false if it is a guest, or took the room over from another host. */
  readonly hasBegun: boolean;
  /**
   * [P8] Changes parts of this member's profile: every page of the room learns it with the next roster.
   * @throws RangeError for a part that no profile can have.
   */
  setProfile(change: Partial<Profile>): void;
  /** Begins the world anew, and gives a recorder everything from then on; null: no recorder from the next world on. */
  record(recorder: Recorder | null): void;
  /** Says goodbye and closes everything. @param returns it may be back in a moment, as a page that is reloaded. */
  leave(returns: boolean): void;
};

/** The commands of a host. */
export type Hosting = {
  /** Locks or unlocks the room: nobody new comes into a locked room. @throws RangeError for another value. */
  lock(locked: boolean): void;
  /** How many may play, the host included: 1 to MAX_ROOM_PLAYERS. @throws RangeError if a room can't hold so many. */
  setCapacity(capacity: number): void;
  /** [F4] Makes another player the host; this one goes on as a guest. */
  giveTo(slot: Slot): void;
  /** [N3.4] Lets the dedicated host with this key come in, and gives it the room once it knows the world; null: none. */
  invite(key: PublicKey | null): void;
  /** Sends a player away for good. */
  remove(slot: Slot): void;
  /**
   * Begins a scene on new peers, also the present scene: from its start, or from a saved world of it.
   * @param why [B1.5] is told to the guests; `file` if left out with a saved world, else `choice`.
   * @throws RangeError for a level that the game does not have, or that has a fault, and what `levels` throws; then the
   * present scene goes on.
   */
  setScene(scene: LevelRecipe, saved?: SavedWorld, why?: LevelReason): void;
  /** [N5.7] Tells the players how many watch the room. */
  setWatchers(count: number): void;
  /** Puts the bodies of the present scene back to their start. */
  reset(): void;
};
