import type { Slot } from '../../core/base/ids.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { FriendsAddress } from '../../room/config.ts';
import type { PageCanvas } from '../page-canvas.ts';
import type { EarlyVoice } from './network/early-voice.ts';
import type { Failure } from './sentences.ts';
import type { GameSession } from './session/session.ts';

/** The surroundings of a RoomPage. */
export type RoomPageParts = {
  readonly stage: PageCanvas;
  readonly overlay: HTMLElement;
  /** The address at which friends find this page. */
  readonly friends: FriendsAddress;
  /** The page's own server may be host of rooms. */
  readonly hasServerRooms: boolean;
  /** [N5] People may watch rooms of the site's server. */
  readonly canBeWatched: boolean;
  /** Called when a new world has begun, or the room's rules have changed. */
  readonly onChange: (session: GameSession) => void;
  /** Called when the player has another name; empty: it is called by its colour. */
  readonly onName: (name: string) => void;
  /** Called to leave, and to come in again with another colour. @param world a host's, to go on with. */
  readonly onColour: (colour: Slot, world: SavedWorld | null) => void;
  /** The sentence about its own name and colour that the player reads as it comes in; null for none. */
  readonly greeting: string | null;
  /** Called when the room is over for this player. `why` is null if the player wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
  /** The microphone that the player was asked for before it was in the room; null if it was not. */
  readonly voice: Promise<EarlyVoice> | null;
};
