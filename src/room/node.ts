import type { RigidBody } from '../physics/engine-types.ts';
import { createKeys, MemberKey } from '../session/member-key.ts';
import type { Entry } from '../session/session-state.ts';
import { runTicks, TickClock } from '../session/tick-clock.ts';
import type { NodeStationSettings } from '../transport/node/node-station.ts';
import { NodeStation } from '../transport/node/node-station.ts';
import { isNetworkAddress, isReached } from '../transport/node/reach.ts';
import { comeIn, opening } from './come-in.ts';
import { brokerAt, checkServices, loadConfig, socketAddress } from './config.ts';
import { RoomError } from './failures.ts';
import type { RoomLink } from './link.ts';
import { readRoomLink } from './link.ts';
import type { MemberSettings, OpeningSettings, Room } from './room.ts';
import { newCode } from './seats.ts';
import type { Played, SharedGame } from './shared-game.ts';
import { sharedGameOf } from './shared-game.ts';

/**
 * Rooms in Node, over WebRTC by node-datachannel: for bots and for hosts. Pages and processes meet in one room.
 *
 *     const room = await joinRoom(link, { engine: RAPIER, world, bodies });
 *     startTicker({ rate: room.level.rate, tick: () => room.tick() });
 */
export type { MemberSettings, OpeningSettings } from './room.ts';
export { Room } from './room.ts';
export type { ManyLevels, OneLevel, OwnWorld, Played, SharedValues } from './shared-game.ts';
export type { RoomFailure } from './failures.ts';
export { RoomError, SENTENCES } from './failures.ts';
export type { RoomLink } from './link.ts';
export { readRoomLink } from './link.ts';
export type { Hosting } from '../session/session.ts';
export type { JoinProgress } from '../core/room/line.ts';

/** Milliseconds in which a broker must be reached. */
const BROKER_WITHIN_MS = 4000;

/** The settings of a room of a process. */
export type NodeSettings = MemberSettings & {
  /**
   * The address of the broker of PeerJS at which members find each other, as ws://host:port/path or with wss, http or
   * https.
   */
  readonly broker?: string;
  /** STUN services, as stun:host:port. */
  readonly stun?: readonly string[];
  /** The address of this machine from which packets go; all of them if left out. */
  readonly address?: string;
  /**
   * True if this process sends its first packets also to addresses in private networks, and to those of its own
   * machine, when other members name them. If left out, a process that joins does, so members of one network meet. A
   * process that opens a room does not: anybody with the code could have it send into networks that only it can reach;
   * and it need not, because a member that joins sends first. False is for a process that joins, or may become host,
   * beside services that strangers must not reach.
   */
  readonly privateNetworks?: boolean;
};

/**
 * Comes into a room by its link or code.
 * @param link the whole address, or the five letters; without a `broker` the address, whose server says by which broker and
 * STUN services members meet.
 * @returns when the world of the room is known. The world must not have been stepped before.
 * @throws RoomError with one sentence if it can't come in; RangeError for what can't be shared,
 * and for a setting that can't be.
 */
export async function joinRoom<Body extends RigidBody>(
  link: string,
  options: Played<Body> & NodeSettings,
): Promise<Room<Body>> {
  const read = readRoomLink(link);
  if (read === null) throw new RoomError('bad link');
  const shared = sharedGameOf(options);
  const entry: Entry = { role: 'guest', returns: false, room: read.room, orElse: null };
  const { privateNetworks = true } = options;
  return enter(read.code, entry, shared, options, await networkOf({ ...options, privateNetworks }, link));
}

/**
 * Opens a new room, whose host this process is.
 * @returns when others can join it.
 * @throws RoomError with one sentence if it can't be opened; RangeError for what can't be shared,
 * and for a setting that can't be.
 */
export async function openRoom<Body extends RigidBody>(
  options: Played<Body> & NodeSettings & OpeningSettings & { readonly broker: string },
): Promise<Room<Body>> {
  const shared = sharedGameOf(options);
  const entry = opening(shared, options.capacity);
  return enter(newCode(), entry, shared, options, await networkOf(options, options.broker));
}

async function enter<Body extends RigidBody>(
  code: RoomLink['code'],
  entry: Entry,
  shared: SharedGame<Body>,
  settings: NodeSettings,
  network: NodeStationSettings,
): Promise<Room<Body>> {
  const { url } = network.broker;
  if (!(await isReached(url, BROKER_WITHIN_MS, settings.signal))) {
    if (settings.signal?.aborted === true) throw new RoomError('stopped');
    throw new RoomError('no broker', url);
  }
  const key = await MemberKey.of(await createKeys());
  const nothing = (): void => undefined;
  const station = new NodeStation(network);
  return comeIn({ station, key, code, entry, shared, settings, onChange: nothing, onLeave: nothing });
}

/**
 * @param link of the room: its server says what the settings don't.
 * @throws RoomError if it names no server; RangeError for a broker, a service or an address that is none.
 */
async function networkOf(
  { broker, stun, address, privateNetworks = false }: NodeSettings,
  link: string,
): Promise<NodeStationSettings> {
  checkServices(stun ?? []);
  if (address !== undefined && !isNetworkAddress(address))
    throw new RangeError('The `address` of a member in Node is an IP address of its machine.');
  const own = {
    ...(address === undefined ? {} : { address }),
    ...(privateNetworks ? { privateNetworks, thisMachine: true } : {}),
  };
  if (broker !== undefined)
    return { broker: { url: socketAddress(brokerAt(broker)) }, stun: stun ?? [], ...own };
  if (!/^https?:/i.test(link) || !URL.canParse(link)) throw new RoomError('no server');
  const { config, complaints } = await loadConfig(new URL('./', link));
  for (const complaint of complaints) console.warn(complaint);
  const { key, rtc } = config.broker;
  const rooms = config.rooms?.href ?? null;
  const url = socketAddress(config.broker);
  const served = (rtc.iceServers ?? [])
    .flatMap(({ urls }) => urls)
    .filter((each) => each.startsWith('stun:'));
  return { broker: key === undefined ? { url } : { url, key }, stun: stun ?? served, rooms, ...own };
}

/**
 * Keeps time for a game: as many ticks a second as its level has, on average.
 * @param handlers with `tick`, which is told when it is due, on the clock of `performance.now`; and with the rate of the
 * level, `room.level.rate`: 60 if left out.
 * @returns stops it; it may be called in a tick.
 */
export function startTicker({
  tick,
  rate,
}: {
  readonly tick: (timeMs: number) => void;
  readonly rate?: number;
}): () => void {
  return runTicks(new TickClock(performance.now(), rate), tick);
}
