import type { Slot } from '../../core/base/ids.ts';
import type { Roster, RosterPlayer } from '../../core/room/messages.ts';
import type { SceneName } from '../../core/world/scene.ts';
import type { MicrophoneFailure } from '../../sound/microphone.ts';
import { nameOfSlot } from '../../view/slots.ts';

/** All that a player sees of the room besides the world: plain data, made anew up to ten times a second. */
export type RoomModel = Pick<Roster, 'host' | 'capacity' | 'locked'> & {
  /** Five letters. */
  readonly code: string;
  /** The address that leads a friend here at once. */
  readonly link: string;
  readonly you: Slot;
  /** Everybody who has a slot, you included, by slot. */
  readonly players: readonly RoomPlayer[];
  readonly scene: SceneName;
  readonly voice: OwnVoice;
  readonly connection: Connection;
  /** Somebody new could come in now: the signalling server answers. */
  readonly reachable: boolean;
  readonly figures: RoomFigures;
  readonly recording: RecordingState;
};

/** `starting`: a guest's world has yet to begin anew. */
export type RecordingState = { readonly kind: 'off' | 'starting' | 'on'; readonly seconds: number };

export type RoomPlayer = Pick<RosterPlayer, 'slot' | 'name' | 'presence' | 'voice' | 'roundTripMs'> & {
  /** How loud the voice is now, 0 to 1; your own before it is sent. */
  readonly level: number;
  /** You have chosen not to hear this player. */
  readonly mutedHere: boolean;
};

/** Your own voice. `asking`: the browser's question is on the screen. */
export type OwnVoice =
  | { readonly kind: 'off' | 'asking' | 'on' | 'muted' }
  | { readonly kind: 'failed'; readonly failure: MicrophoneFailure };

/** `lost`: a guest's way to the host; the page is trying to get it back. Always `good` for the host. */
export type Connection = 'good' | 'lost';

/** NaN where a figure is not known yet. */
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
  /** Packets a second that were not sent since the last one had not gone out yet [F2]. */
  readonly skipped: number;
  /** How packets get through: straight, or by a TURN server. */
  readonly path: 'direct' | 'relay' | 'unknown';
  /** Physics steps a second. */
  readonly tickRate: number;
};

/** What to call a player: by its name, or by its colour if it has given none. */
export function calledBy(player: Pick<RoomPlayer, 'slot' | 'name'>): string {
  return player.name === '' ? nameOfSlot(player.slot) : player.name;
}
