import type { Slot } from '../core/base/ids.ts';
import type { GuestEnd } from '../core/room/guest/guest-options.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { HostRoomOptions, RestoredFrom } from '../core/room/host/host-options.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import type { Lineage } from '../core/room/identity/lineage.ts';
import { reignOf } from '../core/room/identity/lineage.ts';
import type { Member } from '../core/room/member.ts';
import type { Roster } from '../core/room/messages.ts';
import type { Offences } from '../core/room/offences.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';
import { formerHostsIn } from './former-hosts.ts';
import type { HostDoor } from './host-door.ts';
import type { SessionFailure, SessionStatus } from './session.ts';
import type { World } from './world.ts';

/** The settings of a host that opens a room. */
export type Opening = {
  readonly scene: LevelRecipe;
  /** Players at most, this one included. */
  readonly capacity: number;
  readonly locked: boolean;
  /** For a new room: makes another code if the first one is taken. Null for a room that has its code already. */
  readonly anotherCode: (() => RoomCode) | null;
  /** [P5] Why this page was the room's host before its reload; null for a new room. */
  readonly lineage: Lineage | null;
  /** A world of the scene to begin from. */
  readonly saved: SavedWorld | null;
  /** The player took the room over from another host. */
  readonly takenOver: boolean;
  /** [N6.2] The rest of a snapshot; left out if the room comes from none. */
  readonly restored?: RestoredRoom;
};

/** The part of a snapshot that a page does not keep for a reload. */
export type RestoredRoom = {
  /** The roster of before, whose slots wait for their players. */
  readonly seats: Roster;
  /** The door's secret, by which players who chose a host meanwhile get the door. */
  readonly door: string;
  readonly from: RestoredFrom;
};

/** How a player comes into a room. */
export type Entry =
  | ({ readonly role: 'host' } & Opening)
  | {
      readonly role: 'guest';
      /** It was in the room before this tab was reloaded. */
      readonly returns: boolean;
      /** [P3] The room that it looks for; null: the room that has the code now. */
      readonly room: RoomId | null;
      /** For a page that was the host: how it opens the room anew if nobody answers at the door. Else null. */
      readonly orElse: Opening | null;
    };

/** This player's slot, and the world that it sees. The session owns the world and disposes of it. */
export type Play = { readonly slot: Slot; readonly world: World };

/** A host's parts besides its world. */
export type HostParts = { readonly door: HostDoor; readonly offences: Offences };

/** The state of a RoomSession. */
export type SessionState =
  /** Looks for the room's host. */
  | {
      readonly kind: 'joining';
      /** This page was the host: it opens the room anew if nobody answers at the door. */
      readonly orElse: Opening | null;
      /** The world of a host that has stepped down before its door was open. */
      readonly play: Play | null;
    }
  /** In the room as a guest, or on the way back from being its host. */
  | { readonly kind: 'guest'; readonly play: Play }
  /** A host whose door has not been open yet. */
  | { readonly kind: 'opening'; readonly play: Play; readonly parts: HostParts }
  | { readonly kind: 'host'; readonly play: Play; readonly parts: HostParts }
  /** Over for this player; its world can still be drawn. */
  | {
      readonly kind: 'over';
      readonly why: SessionFailure;
      readonly cause: unknown;
      readonly play: Play | null;
    }
  /** Left and closed. */
  | { readonly kind: 'left' };

/** @returns null if there is no world: not yet welcomed, or left. */
export function playOf(state: SessionState): Play | null {
  return state.kind === 'left' ? null : state.play;
}

/** @param isIn true for a guest that its host has let in. */
export function statusOf(state: SessionState, isIn: boolean): SessionStatus {
  switch (state.kind) {
    case 'joining':
    case 'opening':
      return { kind: 'opening' };
    case 'guest':
      // A page that comes back from being the host still shows the room while its guest is joining.
      return { kind: isIn ? 'here' : 'lost' };
    case 'host':
      return { kind: 'here' };
    case 'over':
      return { kind: 'ended', why: state.why, cause: state.cause };
    case 'left':
      return { kind: 'left' };
  }
}

/** @returns null unless this page is the host. */
export function hostPartsOf(state: SessionState): HostParts | null {
  return state.kind === 'opening' || state.kind === 'host' ? state.parts : null;
}

/** The slots of the players who were host before, as Session has them; none before the page is in. */
export function formerHostsOf({ host, guest, roster }: Pick<Member, 'host' | 'guest' | 'roster'>): Slot[] {
  const lineage = host?.tenure.lineage ?? guest?.welcome?.lineage;
  return lineage === undefined || roster === null ? [] : formerHostsIn(roster, lineage);
}

/**
 * [P5] How a host goes on with its room that was reloaded or restored: its tenure, the epoch of its next roster; and, if it
 * was restored, its seats and the evidence of the snapshot. Empty if another key has the room, or if it is a new one.
 */
export function formerTenureOf(
  { lineage, restored }: Pick<Opening, 'lineage'> & { readonly restored: RestoredRoom | undefined },
  own: PublicKey,
): Pick<HostRoomOptions, 'tenure' | 'epoch' | 'inherits' | 'restoredFrom'> {
  const { term = 0, key = null } = lineage === null ? {} : reignOf(lineage);
  if (lineage === null || key !== own) return {};
  // In the long run a room changes less than once a second, so this time in seconds exceeds every earlier epoch.
  const tenure = { term, lineage, door: restored?.door ?? crypto.randomUUID(), home: null };
  const epoch = Math.floor(Date.now() / 1000);
  if (restored === undefined) return { tenure, epoch };
  return { tenure, epoch, inherits: restored.seats, restoredFrom: restored.from };
}

/** [F4] A host has given way to another host, and comes back as a guest. */
export function steppedDown(state: SessionState): SessionState {
  if (state.kind === 'host') return { kind: 'guest', play: state.play };
  return state.kind === 'opening' ? { kind: 'joining', orElse: null, play: state.play } : state;
}

/** [F4.36] True for a page that has stepped down, and whose peer is still host. */
export function isFormerHost(state: SessionState): boolean {
  return hostPartsOf(state) === null && playOf(state)?.world.peer.isHost === true;
}

/** The same state, if it plays, with another world. */
export function withPlay(state: SessionState, play: Play): SessionState {
  return state.kind === 'left' ? state : { ...state, play };
}

/** Why a session is over, when its guest part has ended so. */
export function failureOf(why: GuestEnd): SessionFailure {
  switch (why) {
    case 'not found':
      return 'room not found';
    case 'full':
      return 'room full';
    case 'locked':
      return 'room locked';
    default:
      return why;
  }
}
