import type { Slot } from '../../../core/base/ids.ts';
import type { PlayerInput } from '../../../core/hands/hand-input.ts';
import type { Recorder } from '../../../core/peer/recording/recorder.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import type { Roster, VoiceState } from '../../../core/room/messages.ts';
import type { SavedWorld } from '../../../core/wire/files/saved-world.ts';
import type { SceneChoice } from '../../../core/world/scene.ts';
import type { Station } from '../../../transport/webrtc/station.ts';
import type { Failure } from '../sentences.ts';
import type { World } from './world.ts';

/** Why a page gives up a room, if it may be back in a moment, as in a reload. */
export const RETURNING = 'returning';

/**
 * `opening`: not yet in the room. `lost`: in it, but the way to the host is broken for now. `left`: this page has
 * left, and the session can't be used any more.
 */
export type SessionStatus =
  { readonly kind: 'opening' | 'here' | 'lost' | 'left' } | { readonly kind: 'ended'; readonly why: Failure };

/** This page's part in a room: a host's or a guest's. The page ticks it, and reads what there is to show. */
export type GameSession = {
  readonly code: RoomCode;
  readonly status: SessionStatus;
  /** This player's slot, known once it is in the room. */
  readonly slot: Slot | null;
  /** Null until it is in the room; another object whenever a scene begins on a new peer. */
  readonly world: World | null;
  /** Another object whenever it has changed; null until it is in the room. */
  readonly roster: Roster | null;
  readonly station: Station;
  /** What only a host may do; null for a guest. It may change in any tick [F4]. */
  readonly hosting: Hosting | null;
  /** Takes in what has happened, and runs the world by one tick, due at `nowMs`, if there is one. */
  tick(nowMs: number, input: PlayerInput): void;
  /** What brings this player back to its place after a reload of the page; null before it is in. */
  readonly seat: { readonly slot: Slot; readonly secret: string } | null;
  setVoice(voice: VoiceState): void;
  /** Has a recorder hear all from a new beginning of the world on; null: nobody hears any world that begins. */
  record(recorder: Recorder | null): void;
  /** Says goodbye and closes everything. `returns`: the page may be back in a moment, as in a reload. */
  leave(returns: boolean): void;
};

export type Hosting = {
  lock(locked: boolean): void;
  /** How many may play, the host included. */
  setCapacity(capacity: number): void;
  remove(slot: Slot): void;
  /** Another scene, or the same anew on new peers: from its start, or from a saved world of it. */
  setScene(scene: SceneChoice, saved?: SavedWorld): void;
  /** The scene from its start. */
  restart(): void;
};
