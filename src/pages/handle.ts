import { POSE_STRIDE } from '../core/base/state.ts';
import type { Inspection } from '../core/peer/diagnostics/inspect.ts';
import { inspect } from '../core/peer/diagnostics/inspect.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { AvatarView, PeerView } from '../core/peer/shown/peer-view.ts';
import type { HandName, ScriptedHand, ScriptedHands } from '../input/scripted-hand.ts';
import type { RoomModel } from './room/model.ts';

/**
 * `window.handover`: a handle for demos, automation and curious people. It reads what the page shows, and
 * moves hands as an input device would.
 */
export type Handle = {
  /** Plain data for every peer in the page; a copy, made at each call. */
  inspect(): Inspection[];
  /** Where a body was drawn in a player's last frame: metres; undefined if there is no such player or body. */
  drawn(slot: number, body: number): { x: number; y: number; z: number } | undefined;
  /** A player as another saw it in its last frame, a copy; undefined if there is no such player, or none was seen. */
  avatar(slot: number, of: number): AvatarView | undefined;
  /**
   * Puts a hand where the script wants it, until it is set again; null gives it back to the player.
   * @throws TypeError with one sentence if an argument makes no sense; then nothing has changed.
   */
  hand(slot: number, name: HandName, command: ScriptedHand | null): void;
  /** Everything back to the start, as the host's player does it; nothing where there is no host. */
  reset(): void;
  /** In a room: who is there, and what the menu shows. */
  room?(): RoomModel;
};

declare global {
  interface Window {
    handover?: Handle;
  }
}

/** What a page has for its handle; asked at each call, since a scene may have come and gone. */
export type HandleSource = {
  readonly peers: () => readonly Peer[];
  readonly viewOf: (slot: number) => PeerView | undefined;
  readonly hands: ScriptedHands;
  readonly reset: () => void;
  readonly room?: () => RoomModel;
};

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
