import { POSE_STRIDE } from '../core/base/state.ts';
import type { Inspection } from '../core/peer/diagnostics/inspect.ts';
import { inspect } from '../core/peer/diagnostics/inspect.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { AvatarView, PeerView } from '../core/peer/shown/peer-view.ts';
import type { HandName, ScriptedHand, ScriptedHands } from '../input/scripted-hand.ts';
import type { RoomModel } from './room/model.ts';

/**
 * `window.handover`: a handle for demos, automated tests and curious people. It reads what the page shows,
 * and moves hands as an input device does.
 */
export type Handle = {
  /** Returns plain data about every peer in the page: a new copy at each call. */
  inspect(): Inspection[];
  /**
   * Returns where a body was drawn in a player's last frame, in metres; undefined if the player or the body
   * does not exist.
   */
  drawn(slot: number, body: number): { x: number; y: number; z: number } | undefined;
  /**
   * Returns a copy of player `of` as player `slot` saw it in its last frame; undefined if either player does
   * not exist or the avatar was not shown.
   */
  avatar(slot: number, of: number): AvatarView | undefined;
  /**
   * Moves a hand to the given pose until the next call; null gives the hand back to the player.
   * @throws TypeError with one sentence if an argument is invalid; nothing has changed then.
   */
  hand(slot: number, name: HandName, command: ScriptedHand | null): void;
  /** Resets the scene, as the host's player does; does nothing on a page without a host. */
  reset(): void;
  /** In a room: returns its players and the contents of its menu. */
  room?(): RoomModel;
};

declare global {
  interface Window {
    handover?: Handle;
  }
}

/** The functions behind a handle. They are called each time, because a scene may have changed. */
export type HandleSource = {
  readonly peers: () => readonly Peer[];
  readonly viewOf: (slot: number) => PeerView | undefined;
  readonly hands: ScriptedHands;
  readonly reset: () => void;
  readonly room?: () => RoomModel;
};

/** Puts the handle on `window.handover`, in place of an earlier one. */
export function offerHandle({ peers, viewOf, hands, reset, room }: HandleSource): void {
  window.handover = {
    inspect: () => peers().map(inspect),
    drawn(slot, body) {
      const [x, y, z] = viewOf(slot)?.poses.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3) ?? [];
      return x === undefined ? undefined : { x, y, z };
    },
    avatar(slot, of) {
      const avatar = viewOf(slot)?.avatars[of];
      return avatar?.present === true ? structuredClone(avatar) : undefined;
    },
    hand: (slot, name, command) => hands.hand(slot, name, command),
    reset,
    ...(room === undefined ? {} : { room }),
  };
}
