import { DEDICATED_SLOT, MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import { Random } from '../core/base/random.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import { SERVER_SEND_LIMITS } from '../core/link/send-budget.ts';
import type { RoomCode } from '../core/room/code.ts';
import { randomRoomCode } from '../core/room/code.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import { reignOf } from '../core/room/identity/lineage.ts';
import { renewalOf } from '../core/room/identity/renewal.ts';
import type { RosterPlayer } from '../core/room/messages.ts';
import { isLarge, isPerson } from '../core/room/people.ts';
import { ResetWishes } from '../core/room/reset-wishes.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';
import type { Entry } from '../session/session-state.ts';
import { createKeys, MemberKey, writePrivateKey } from '../session/member-key.ts';
import type { RoomStream } from '../session/watching/room-stream.ts';
import { RoomSession } from '../session/room-session.ts';
import type { SessionFailure } from '../session/session.ts';
import type { Game } from '../session/world.ts';
import { levelOf } from '../session/world.ts';
import type { NodeStationSettings } from '../transport/node/node-station.ts';
import { NodeStation } from '../transport/node/node-station.ts';
import type { LineSocket } from '../transport/socket/socket-connection.ts';
import type { WatchState } from './watch-state.ts';
import type { RoomSnapshot } from './snapshots/snapshot.ts';
import { seatsOf } from './snapshots/snapshot.ts';

/** How a dedicated room begins. */
export type RoomOrder = {
  readonly level: LevelRecipe;
  /** People at most, 1 to MAX_SERVER_ROOM_PLAYERS; MAX_ROOM_PLAYERS if left out. [N8] With more than that it is a large room. */
  readonly capacity?: number;
  /** [N4.1] The name of the network that orders it, under which it is kept; null if left out. */
  readonly founder?: string | null;
  /** [N3.4] The room of a browser that is to go on here: the level is the one that it has now. Left out for a new room. */
  readonly moves?: MovingRoom;
};

/** [N3.4] A room whose host, a browser, wants to give it to a dedicated host. */
export type MovingRoom = { readonly code: RoomCode; readonly room: RoomId };

/** The parts of a process that its rooms share. */
export type RoomSurroundings = {
  /** Its engine must have been loaded. */
  readonly game: Game;
  readonly network: NodeStationSettings;
};

/**
 * `opening`: its door is not open yet. `open`: this process is its host. `returning`: another member is, or may be; this
 * process looks for its room, or is a guest there until it is given back. `over`: it has ended, for a reason if it is a
 * failure.
 */
export type RoomState =
  | { readonly kind: 'opening' | 'open' | 'returning' }
  | { readonly kind: 'over'; readonly why: SessionFailure | null };

/** Milliseconds after which a dedicated host that is not given its room back leaves it to the players. */
const RETURNS_WITHIN_MS = 60_000;

const SLOT = DEDICATED_SLOT as Slot;

/** A player that nobody moves: a dedicated host has no hands. */
const NOBODY = playerInput();

/**
 * [N6.2] The steps of a restored room at its door. `only`: it looks for the room for ten seconds, and ends if nobody is
 * there. `then opens`: it looks, and opens the door if nobody answers. `not`: it opens the door without looking.
 */
export type Looking = 'only' | 'then opens' | 'not';

/**
 * [N1] A room whose host is this process: a member without head, hands and name, in a slot that is nobody's colour.
 * Players join it by its code, as any room. It knows no clock: its owner calls `tick` 60 times a second.
 */
export class DedicatedRoom {
  readonly #session: RoomSession<NodeStation>;
  /** [P1] Its key. */
  readonly key: PublicKey;
  /** The private half of its key. */
  readonly #privateKey: string;
  /** [N4.1] The name of the network that has opened it; null if it is not known. */
  readonly founder: string | null;
  /** [N3.4] The room that it looks for, to move here; null for any other. */
  readonly #moves: RoomId | null;
  /** Milliseconds of the owner's clock since when nobody is in it; null before the first tick, and while somebody is. */
  #emptySince: number | null = null;
  #hasLeft = false;
  /** Milliseconds of the owner's clock since when it is not host; null while it is. */
  #awaySince: number | null = null;
  #isPassedOver = false;
  readonly #resetWishes = new ResetWishes();
  /** True if it comes from a snapshot, and was not host since. */
  #looksForRoom: boolean;

  private constructor(
    session: RoomSession<NodeStation>,
    key: PublicKey,
    { key: privateKey, founder }: Pick<RoomSnapshot, 'key' | 'founder'>,
    {
      isRestored = false,
      moves = null,
    }: { readonly isRestored?: boolean; readonly moves?: RoomId | null } = {},
  ) {
    this.#moves = moves;
    this.#session = session;
    this.key = key;
    this.#privateKey = privateKey;
    this.founder = founder;
    this.#looksForRoom = isRestored;
  }

  /**
   * Begins to open a room; its code may change until it is open. [N3.4] A room that moves is looked for instead, and is
   * `returning` until its host has given it to this process.
   * @param isKept true for the code of a room that is kept: the broker would give its door to this one.
   * @throws RangeError if the game has no such level, or a room can't hold so many people.
   */
  static async begin(
    surroundings: RoomSurroundings,
    { level, capacity = MAX_ROOM_PLAYERS, founder = null, moves }: RoomOrder,
    isKept: (code: RoomCode) => boolean = () => false,
  ): Promise<DedicatedRoom> {
    const keys = await createKeys(true);
    const [key, secret] = [await MemberKey.of(keys), { key: await writePrivateKey(keys), founder }];
    if (moves !== undefined) {
      const { code, room } = moves;
      levelOf(surroundings.game, level);
      const entry = { role: 'guest', returns: false, room, orElse: null } as const;
      const session = sessionOf(surroundings, key, code, entry);
      return new DedicatedRoom(session, key.publicKey, secret, { moves: room });
    }
    const random = new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
    const anotherCode = (): RoomCode => {
      for (;;) {
        const code = randomRoomCode(random);
        if (!isKept(code)) return code;
      }
    };
    const fresh = { anotherCode, lineage: null, saved: null, takenOver: false };
    const entry = { role: 'host', scene: level, capacity, locked: false, ...fresh } as const;
    return new DedicatedRoom(sessionOf(surroundings, key, anotherCode(), entry), key.publicKey, secret);
  }

  /**
   * [N6.2] Goes on with a room from its snapshot, under a newer term.
   * @param looks whether it looks for the room at its door first.
   * @returns null if the snapshot's key is not that of the room's host.
   */
  static async restore(
    surroundings: RoomSurroundings,
    snapshot: RoomSnapshot,
    looks: Looking = 'then opens',
  ): Promise<DedicatedRoom | null> {
    const { code, door, lineage, capacity, locked, world: saved } = snapshot;
    const key = await MemberKey.read(reignOf(lineage).key, snapshot.key);
    const { room, term, text, signed } = renewalOf(lineage, SLOT);
    const signature = (await key?.sign(text)) ?? null;
    if (key === null || signature === null) return null;
    const opening = {
      scene: saved.level,
      capacity,
      locked,
      anotherCode: null,
      lineage: signed(signature),
      saved,
      takenOver: false,
      restored: { seats: seatsOf(snapshot, term), door, from: { lineage, epoch: snapshot.epoch } },
    };
    const orElse = looks === 'only' ? null : opening;
    const entry =
      looks === 'not'
        ? ({ role: 'host', ...opening } as const)
        : ({ role: 'guest', returns: false, room, orElse } as const);
    const session = sessionOf(surroundings, key, code, entry);
    return new DedicatedRoom(session, key.publicKey, snapshot, { isRestored: true });
  }

  /** The code by which players find it. */
  get code(): RoomCode {
    return this.#session.code;
  }

  /** [P3] The room's id, for links. */
  get room(): RoomId | null {
    return this.#session.room;
  }

  /** False if it is another room, or looks for another one. */
  mayBe(room: RoomId): boolean {
    return (this.room ?? this.#moves ?? room) === room;
  }

  get state(): RoomState {
    const { status, hosting } = this.#session;
    if (status.kind === 'ended') return { kind: 'over', why: status.why };
    if (status.kind === 'left' || this.#isPassedOver) return { kind: 'over', why: null };
    if (hosting === null) return { kind: 'returning' };
    if (status.kind !== 'opening') return { kind: 'open' };
    // A player has become its host in the meantime. This attempt ends: a later one goes there as a guest.
    const isTaken = this.#looksForRoom && this.#session.station.doorState === 'taken';
    return isTaken ? { kind: 'over', why: 'code taken' } : { kind: 'opening' };
  }

  /** True for a room from a snapshot that has found nobody, and was not opened anew: another attempt may do better. */
  get mayTryAgain(): boolean {
    return this.#looksForRoom && this.state.kind === 'over';
  }

  /** [N6.3] The secret of its door; null unless this process is its host, and its door was open. */
  get doorSecret(): string | null {
    return this.state.kind === 'open' ? this.#session.doorSecret : null;
  }

  /** People who are in the room now. */
  get people(): number {
    const players = this.#session.roster?.players ?? [];
    return players.filter((player) => isPerson(player) && player.presence !== 'away').length;
  }

  /** [N8.6] The players of the last roster of a large room; null for any other, and unless this process is its host. */
  get largePlayers(): readonly RosterPlayer[] | null {
    const { roster } = this.#session;
    return this.state.kind === 'open' && roster !== null && isLarge(roster) ? roster.players : null;
  }

  /** [N2.3] Takes a line that has come over a WebSocket. @param page the id at the broker of its other end. */
  takeSocket(page: string, socket: LineSocket): void {
    this.#session.station.takeSocket(page, socket);
  }

  /** [N5.6] Whether it may be watched by somebody new. */
  get watchState(): WatchState {
    if (this.state.kind !== 'open') return 'none';
    return this.#session.roster?.locked === true ? 'locked' : 'open';
  }

  /** [N5.7] How many watch the room, for its players to see. */
  setWatchers(count: number): void {
    this.#session.hosting?.setWatchers(count);
  }

  /** [N5] Hands out this tick's part of the stream, while this process is the room's host; call it after `tick`. */
  stream(stream: RoomStream, nowMs: number, wantsKeyframe: boolean): void {
    const { world, hosting } = this.#session;
    if (world !== null && hosting !== null) stream.tick(nowMs, world, wantsKeyframe);
  }

  /** Takes in messages and packets, and runs one tick. @param nowMs when it is due. */
  tick(nowMs: number): void {
    this.#session.tick(nowMs, NOBODY);
    this.#judgeReturn(nowMs);
    this.#resetAsWished(nowMs);
    if (this.people > 0) this.#emptySince = null;
    else this.#emptySince ??= nowMs;
  }

  /** [N1.6] */
  #resetAsWished(nowMs: number): void {
    const { hosting, roster } = this.#session;
    if (hosting === null || roster === null) return;
    if (this.#resetWishes.judge(roster.players, nowMs)) hosting.reset();
  }

  /** [N3.2] */
  #judgeReturn(nowMs: number): void {
    const { slot } = this.#session;
    if (this.state.kind !== 'returning') this.#awaySince = null;
    else this.#awaySince ??= nowMs;
    if (this.state.kind === 'open' || (this.state.kind === 'returning' && slot !== null))
      this.#looksForRoom = false;
    // In another slot it would count as a person: its own was given up meanwhile.
    const isStranger = slot !== null && slot !== SLOT;
    this.#isPassedOver = isStranger || nowMs - (this.#awaySince ?? nowMs) > RETURNS_WITHIN_MS;
  }

  /**
   * [N6.1] The room as it is now, to be kept.
   * @param now seconds since the beginning of 1970, a whole number.
   * @returns null unless this process is its host, and its door was open.
   */
  snapshot(now: number): RoomSnapshot | null {
    const { code, lineage, world, roster } = this.#session;
    const door = this.doorSecret;
    if (door === null || lineage === null || world === null || roster === null) return null;
    const { players, locked, capacity, epoch } = roster;
    const saved = world.peer.saveWorld(world.choice, now);
    const own = { key: this.#privateKey, founder: this.founder };
    return { code, ...own, capacity, door, lineage, epoch, locked, players, world: saved };
  }

  /** Milliseconds for which nobody has been in it. */
  emptyFor(nowMs: number): number {
    return this.#emptySince === null ? 0 : nowMs - this.#emptySince;
  }

  /** [F4.6] Ends this process's part: the room goes on under one of its players, if there are any. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#session.leave(false);
  }
}

/** @throws RangeError if the game has no such level, or a room can't hold so many people. */
function sessionOf(
  { game, network }: RoomSurroundings,
  key: MemberKey,
  code: RoomCode,
  entry: Entry,
): RoomSession<NodeStation> {
  const station = new NodeStation(network);
  try {
    const self = { name: '', colour: SLOT, avatar: false, limits: SERVER_SEND_LIMITS };
    return new RoomSession(station, { game, key, code, ...self, entry });
  } catch (error) {
    station.close();
    throw error;
  }
}
