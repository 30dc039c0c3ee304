import { DEDICATED_SLOT } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import type { JoinProgress } from '../../core/room/line.ts';
import type { Roster, RosterPlayer } from '../../core/room/messages.ts';
import type { ResetPoll } from '../../core/room/reset-wishes.ts';
import type { Refusal } from '../../transport/guard/refusals.ts';
import type { MicrophoneFailure } from '../../sound/microphone.ts';
import { nameOfSlot } from '../../view/slots.ts';
import type { AddingState } from './bodies/adding.ts';
import type { MoveState } from './session/server-move.ts';

/** Everything that a player sees of the room besides the world: plain data, made anew up to ten times a second. */
export type RoomModel = Pick<Roster, 'host' | 'capacity' | 'locked'> & {
  /** There is no room: the player practises with a bot. `code` and `link` are empty then. */
  readonly isPractice: boolean;
  /** Five letters. */
  readonly code: string;
  /** The address that brings a friend into this room. */
  readonly link: string;
  /** True if browsers warn whoever opens the link, since the server has made its certificate itself. */
  readonly ownCertificate: boolean;
  /** This player's slot. */
  readonly you: Slot;
  /** Every player with a slot, by slot, this player included. */
  readonly players: readonly RoomPlayer[];
  /** [N5] The link to watch the room, and how many do; null where nobody can. */
  readonly watching: { readonly link: string; readonly count: number } | null;
  readonly scene: string;
  readonly voice: OwnVoice;
  readonly connection: Connection;
  /** [F5.2] The progress of getting the line to the host back; null if the page has a line. */
  readonly progress: JoinProgress | null;
  /** True if a new player could come in now: the broker answers. */
  readonly reachable: boolean;
  readonly figures: RoomFigures;
  /** How much of what came from other pages was refused, by reason; what never occurred is left out. */
  readonly refusals: Readonly<Partial<Record<Refusal, number>>>;
  readonly recording: RecordingState;
  /** [N3.4] Whether this page can move the room to the server. */
  readonly move: MoveState;
  /** [N1.6] The wishes to reset the scene; null where a player is the host. */
  readonly reset: ResetState | null;
  /** Null where the level allows no spawning. */
  readonly adding: AddingState | null;
};

/** [N1.6] The wishes to reset the scene. `isYours`: this player has one. */
export type ResetState = ResetPoll & { readonly isYours: boolean };

/** `starting`: a guest waits for its world to begin anew. `seconds`: the length of the recording so far. */
export type RecordingState = { readonly kind: 'off' | 'starting' | 'on'; readonly seconds: number };

/** A player in the menu. */
export type RoomPlayer = Pick<
  RosterPlayer,
  'key' | 'slot' | 'name' | 'presence' | 'voice' | 'roundTripMs'
> & {
  /** How loud the voice is now, 0 to 1; this player's own voice before it is sent. */
  readonly level: number;
  /** This page does not play the voice, as its player wants. */
  readonly mutedHere: boolean;
};

/**
 * The player's own voice. `asking`: the browser's question is on the screen. `connecting`: it is on, and does not reach
 * the voice server of a large room yet.
 */
export type OwnVoice =
  | { readonly kind: 'off' | 'asking' | 'connecting' | 'on' | 'muted' }
  | { readonly kind: 'failed'; readonly failure: MicrophoneFailure | 'large room' };

/** [N8.5] True in a room in which nobody has a voice. */
export function isVoiceless({ voice }: { readonly voice: OwnVoice }): boolean {
  return voice.kind === 'failed' && voice.failure === 'large room';
}

/** A guest's connection to the host. `lost`: the page tries to get it back. Always `good` for the host. */
export type Connection = 'good' | 'lost';

/** The network figures of a room; NaN where a figure is not known yet. */
export type RoomFigures = {
  /** Milliseconds from a packet to the ack of it: to the host, or for the host to the slowest guest. */
  readonly roundTrip: number;
  /** Milliseconds that received states wait before they are shown. */
  readonly playoutDelay: number;
  /** kbit/s of packets, as they are handed to the channel. */
  readonly payloadUp: number;
  readonly payloadDown: number;
  /** kbit/s at the socket, headers and voice included, as the browser counts them. */
  readonly socketUp: number;
  readonly socketDown: number;
  /** Packets a second that were not sent because the packet before still waited [F2]. */
  readonly skipped: number;
  /** The path of the packets: directly, over a TURN server, or over a WebSocket to the room's server. */
  readonly path: 'direct' | 'relay' | 'websocket' | 'unknown';
  /** Physics steps a second. */
  readonly tickRate: number;
};

/** @returns true if somebody besides this player is in the room now. */
export function hasFriends({
  players,
  you,
  isPractice,
}: Pick<RoomModel, 'players' | 'you' | 'isPractice'>): boolean {
  if (isPractice) return false;
  return players.some(({ slot, presence }) => slot !== you && presence !== 'away');
}

/** @returns why a player can't change its colour now; null if it can. */
export function colourKept(
  model: Pick<RoomModel, 'you' | 'host' | 'locked' | 'players' | 'isPractice'>,
): string | null {
  if (model.you === model.host)
    return hasFriends(model) ? 'You are the host, so you keep your colour while friends are here.' : null;
  return model.locked ? 'The room is locked, so you couldn’t come back in another colour.' : null;
}

/** @returns a player's name, or its colour's name if it has given none. */
export function calledBy(player: Pick<RoomPlayer, 'slot' | 'name'>): string {
  if (player.slot === DEDICATED_SLOT) return 'The server';
  return player.name === '' ? nameOfSlot(player.slot) : player.name;
}
