import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';
import { isSameLevel } from '../core/world/level-reference.ts';
import type { RigidBody } from '../physics/engine-types.ts';
import { createKeys, MemberKey } from '../session/member-key.ts';
import type { RoomSession } from '../session/room-session.ts';
import type { Entry } from '../session/session-state.ts';
import { loadKeys, saveKeys } from '../storage/page-key.ts';
import type { StoredSeat } from '../storage/seat.ts';
import { clearSeat, loadSeat, saveSeat } from '../storage/seat.ts';
import { clearTabWorld, loadTabWorld, saveTabWorld } from '../storage/tab-world.ts';
import type { BrokerSettings } from '../transport/webrtc/address.ts';
import { hasWebRtc } from '../transport/webrtc/has-webrtc.ts';
import { WebRtcStation } from '../transport/webrtc/station.ts';
import { comeIn, opening } from './come-in.ts';
import type { PageConfig } from './config.ts';
import { brokerAt, brokerIn, checkServices, loadConfig } from './config.ts';
import type { RoomFailure } from './failures.ts';
import { RoomError } from './failures.ts';
import type { RoomLink } from './link.ts';
import { readRoomLink } from './link.ts';
import type { MemberSettings, OpeningSettings, Room } from './room.ts';
import { entryAt, newCode, seatOf } from './seats.ts';
import type { Played, SharedGame } from './shared-game.ts';
import { sharedGameOf } from './shared-game.ts';

/**
 * Rooms in pages: broker, code, lines, host change, seats and keys.
 *
 *     const shared = { engine: RAPIER, world, bodies };
 *     const room = readRoomLink(location.href) ? await joinRoom(location.href, shared) : await openRoom(shared);
 *     history.replaceState(null, '', room.link(location.href));
 *     startTicker({ rate: room.level.rate, tick: () => room.tick(), frame: (alpha) => draw(room.view(alpha)) });
 */
export type { MemberSettings, OpeningSettings } from './room.ts';
export { Room } from './room.ts';
export type { ManyLevels, OneLevel, OwnWorld, Played, SharedValues } from './shared-game.ts';
export type { RoomFailure } from './failures.ts';
export { RoomError, SENTENCES } from './failures.ts';
export type { RoomLink } from './link.ts';
export { readRoomLink } from './link.ts';
export type { Frames, TickHandlers } from './ticker.ts';
export { startTicker } from './ticker.ts';
export type { BrokerSettings } from '../transport/webrtc/address.ts';
export type { Hosting } from '../session/session.ts';
export type { JoinProgress } from '../core/room/line.ts';
export type { RosterPlayer } from '../core/room/messages.ts';
export type { Profile } from '../core/room/profile.ts';

/** The settings of a page's room. */
export type PageSettings = MemberSettings & {
  /**
   * The broker of PeerJS at which pages find each other: its address, or its settings with STUN and TURN services. If left
   * out, the one that the server says.
   */
  readonly broker?: string | BrokerSettings;
  /**
   * The address of a server of Handover, whose config.json says by which broker and services pages meet; the page's own
   * server if left out.
   */
  readonly server?: string | URL;
  /**
   * False: a reloaded tab comes back as a new player. If left out, the tab keeps the player's key and seat, and comes back
   * to its place. A host that was alone is host again, with the bodies where they were; if others are there, one of them is
   * host by then. A tab has one seat.
   */
  readonly keepsSeat?: boolean;
};

/**
 * Comes into a room by its link or code.
 * @param link the whole address, or the five letters as a person types them.
 * @returns when the world of the room is known. The world must not have been stepped before.
 * @throws RoomError with one sentence if it can't come in; RangeError for what can't be shared,
 * and for a setting that can't be.
 */
export async function joinRoom<Body extends RigidBody>(
  link: string,
  options: Played<Body> & PageSettings,
): Promise<Room<Body>> {
  const read = readRoomLink(link);
  if (read === null) throw new RoomError('bad link');
  const shared = sharedGameOf(options);
  const { seat, entry } = await entryBy(read, shared, options);
  // The seat's slot is also the player's colour: a reload must not take another player's.
  const settings = seat === null ? options : { ...options, slot: seat.slot };
  return enter(read.code, entry, shared, settings);
}

/**
 * Opens a new room, whose host this page is.
 * @returns when others can join it.
 * @throws RoomError with one sentence if it can't be opened; RangeError for what can't be shared,
 * and for a setting that can't be.
 */
export async function openRoom<Body extends RigidBody>(
  options: Played<Body> & PageSettings & OpeningSettings,
): Promise<Room<Body>> {
  const shared = sharedGameOf(options);
  return enter(newCode(), opening(shared, options.capacity), shared, options);
}

/** How this tab comes into the room of a link, and its seat there; null if it has none. */
async function entryBy(
  { code, room }: RoomLink,
  { game }: SharedGame<unknown>,
  { keepsSeat = true }: PageSettings,
): Promise<{ readonly seat: StoredSeat | null; readonly entry: Entry }> {
  const stored = keepsSeat ? loadSeat(game.levels) : null;
  const seat = stored?.code === code ? stored : null;
  const world = (scene: LevelRecipe): SavedWorld | null => {
    const kept = loadTabWorld(code, game.levels);
    return kept !== null && isSameLevel(kept.level, scene) ? kept : null;
  };
  return { seat, entry: await entryAt(seat, room, (scene) => Promise.resolve(world(scene))) };
}

async function enter<Body extends RigidBody>(
  code: RoomLink['code'],
  entry: Entry,
  shared: SharedGame<Body>,
  settings: PageSettings,
): Promise<Room<Body>> {
  if (!hasWebRtc()) throw new RoomError('no webrtc');
  const { keepsSeat = true } = settings;
  const [{ broker, rooms }, key] = await Promise.all([networkOf(settings), keyOf(keepsSeat)]);
  const closing = new AbortController();
  const room = await comeIn({
    station: new WebRtcStation(broker, rooms),
    key,
    code,
    entry,
    shared,
    settings,
    onChange: (session) => keepsSeat && remember(session),
    onLeave: (returns, session) => {
      closing.abort();
      if (!keepsSeat) return;
      if (returns) keepForReload(session);
      else forgetSeat();
    },
  }).catch((error: unknown) => {
    if (keepsSeat && error instanceof RoomError) forget(error.why);
    throw error;
  });
  leaveWithPage(room, keepsSeat, closing.signal);
  return room;
}

/**
 * Leaves the room when the page is left or frozen. A browser may show such a page again, as it was: it is loaded again
 * then, and comes back to its seat.
 * @param left aborted when the room is left; from then on the page is no part of it.
 */
function leaveWithPage(room: Room, keepsSeat: boolean, left: AbortSignal): void {
  const back = (): void => location.reload();
  const leave = (): void => {
    // A room that is over stays so, and the page goes on saying why.
    if (room.error !== null) return;
    room.leave(keepsSeat);
    if (!keepsSeat) return;
    addEventListener('pageshow', ({ persisted }) => persisted && back());
    document.addEventListener('resume', back);
  };
  addEventListener('pagehide', leave, { signal: left });
  // [F4] A browser may freeze a hidden page. A host leaves before, so that another becomes host.
  document.addEventListener('freeze', () => room.hosting !== null && leave(), { signal: left });
}

/** Keeps the seat of a member that may be back in a moment, and a host's world. */
function keepForReload(session: RoomSession): void {
  remember(session);
  const { code, hosting, world } = session;
  if (hosting === null || world === null) clearTabWorld();
  else saveTabWorld(code, world.peer.saveWorld(world.choice, Math.floor(Date.now() / 1000)));
}

function remember(session: RoomSession): void {
  if (session.status.kind === 'ended') forget(session.status.why);
  const seat = session.status.kind === 'ended' ? null : seatOf(session);
  if (seat !== null) saveSeat(seat);
}

/** The failures after which a tab that is loaded again must not come back to its seat. */
const FINAL: readonly RoomFailure[] = ['removed', 'rules', 'other room'];

function forget(why: RoomFailure): void {
  if (FINAL.includes(why)) forgetSeat();
}

function forgetSeat(): void {
  clearSeat();
  clearTabWorld();
}

/** @throws RangeError for a broker or a service that is no address. */
async function networkOf({
  broker,
  server = './',
}: PageSettings): Promise<Pick<PageConfig, 'broker' | 'rooms'>> {
  if (broker !== undefined) {
    const found = typeof broker === 'string' ? brokerAt(broker) : brokerIn(broker);
    checkServices((found.rtc.iceServers ?? []).flatMap(({ urls }) => urls));
    return { broker: found, rooms: null };
  }
  const { config, complaints } = await loadConfig(new URL(server, location.href));
  for (const complaint of complaints) console.warn(complaint);
  return config;
}

/** @throws RoomError on a page that is no https page. */
async function keyOf(keepsSeat: boolean): Promise<MemberKey> {
  try {
    const keys = (keepsSeat ? await loadKeys() : null) ?? (await createKeys());
    if (keepsSeat) await saveKeys(keys);
    return await MemberKey.of(keys);
  } catch {
    throw new RoomError('insecure');
  }
}
