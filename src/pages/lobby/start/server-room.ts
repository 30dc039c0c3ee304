import type { LevelRecipe } from '../../../core/world/level-reference.ts';
import type { PageConfig } from '../../../room/config.ts';
import { hasWebRtc } from '../../../transport/webrtc/has-webrtc.ts';
import type { Failure } from '../../room/sentences.ts';
import type { ServerRoom } from '../../server-rooms.ts';
import { askServer } from '../../server-rooms.ts';

/** Where a new room runs: in the player's browser, or on the site's server [N1], for so many people at most. */
export type RoomPlace = { readonly kind: 'browser' } | { readonly kind: 'server'; readonly capacity: number };

/** The rooms that a site's server offers. */
export type ServerOffer = {
  /** [N8.1] People in one, at most. */
  readonly players: number;
  /** [N8.5] True if large ones have voices. */
  readonly hasVoices: boolean;
};

/** @returns null if the server offers none. */
export function serverOffer(
  config: Pick<PageConfig, 'serverRooms' | 'roomPlayers' | 'voices'>,
): ServerOffer | null {
  return config.serverRooms ? { players: config.roomPlayers, hasVoices: config.voices } : null;
}

/** Exactly one of these is called with the outcome of an order for a room on the server. */
export type ServerRoomHandlers = {
  readonly onRoom: (room: ServerRoom) => void;
  readonly onFailure: (why: Failure) => void;
};

/** Asks the page's own server for a room, and tells what it says, unless that was aborted. Never rejects. */
export async function openServerRoom(
  { level, capacity }: { readonly level: LevelRecipe; readonly capacity: number },
  signal: AbortSignal,
  { onRoom, onFailure }: ServerRoomHandlers,
): Promise<void> {
  if (!hasWebRtc()) {
    onFailure('no webrtc');
    return;
  }
  const opened = await askServer({ level, capacity }, signal);
  if (signal.aborted) return;
  if (typeof opened === 'string') onFailure(opened);
  else onRoom(opened);
}
