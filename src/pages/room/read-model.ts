import type { RoomBodies } from './bodies/room-bodies.ts';
import type { SceneChanges } from './keep/scene-changes.ts';
import type { RoomRecording } from './keep/room-recording.ts';
import type { RoomModel } from './model.ts';
import type { Figures } from './network/figures.ts';
import type { Voices } from './network/voices.ts';
import type { Roster } from '../../core/room/messages.ts';
import { isLarge, isPerson } from '../../core/room/people.ts';
import type { FriendsAddress } from '../../room/config.ts';
import { roomQuery, watchQuery } from '../../room/link.ts';
import type { HostControls } from './session/host-controls.ts';
import type { GameSession } from './session/session.ts';
import type { SessionFailure } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import type { Failure } from './sentences.ts';

/** The parts of a room's page that its model is read from. */
export type ModelSources = {
  readonly session: GameSession;
  /** The world that is shown. */
  readonly world: World;
  readonly voices: Voices;
  readonly figures: Figures;
  readonly recording: RoomRecording;
  readonly bodies: RoomBodies;
  readonly controls: HostControls;
  readonly scenes: SceneChanges;
  /** [N5] Whether people may watch rooms of the site's server. */
  readonly canBeWatched: boolean;
  /** The address at which friends find this page. */
  readonly friends: FriendsAddress;
  /** Physics steps a second. */
  readonly tickRate: number;
};

/** @returns everything that a player sees of the room besides the world, as it is now. */
export function readModel(sources: ModelSources): RoomModel {
  const { session, world, voices, figures, recording, bodies, controls, scenes } = sources;
  const { friends, tickRate } = sources;
  const { code, roster, status, progress, station } = session;
  const { slot, host } = world.peer.diagnostics;
  return {
    isPractice: code === null,
    code: code ?? '',
    link: code === null ? '' : new URL(roomQuery(code, session.room), friends.url).href,
    ownCertificate: friends.ownCertificate,
    host,
    you: slot,
    capacity: roster?.capacity ?? 1,
    locked: roster?.locked ?? false,
    players: (roster?.players ?? []).map((player) => ({
      ...player,
      level: voices.level(player.slot),
      mutedHere: voices.isMutedHere(player.slot),
    })),
    watching: watchingOf(sources),
    scene: world.choice.id,
    voice: voices.own,
    connection: status.kind === 'lost' ? 'lost' : 'good',
    progress,
    reachable: station.state === 'open',
    figures: figures.read(tickRate),
    refusals: station.refusals.read(),
    recording: recording.state,
    move: controls.move,
    reset: scenes.resetState,
    adding: bodies.state,
  };
}

/**
 * The failure that ended a room, as its player is told. A server room for more than eight has no other host: if
 * it is lost, the server has usually ended.
 */
export function failureIn(roster: Roster | null, why: SessionFailure): Failure {
  return why === 'lost' && roster !== null && isLarge(roster) ? 'server lost' : why;
}

function watchingOf({ session, canBeWatched, friends }: ModelSources): RoomModel['watching'] {
  const { code, roster } = session;
  if (!canBeWatched || code === null || roster === null || isPerson({ slot: roster.host })) return null;
  return { link: new URL(watchQuery(code), friends.url).href, count: roster.watchers ?? 0 };
}
