import { DEDICATED_SLOT, MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import { Random } from '../core/base/random.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import type { RoomCode } from '../core/room/code.ts';
import { randomRoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { isPerson } from '../core/room/people.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';
import { createKeys, MemberKey } from '../session/member-key.ts';
import { RoomSession } from '../session/room-session.ts';
import type { SessionFailure } from '../session/session.ts';
import type { Game } from '../session/world.ts';
import type { NodeStationSettings } from '../transport/node/node-station.ts';
import { NodeStation } from '../transport/node/node-station.ts';

/** How a dedicated room begins. */
export type RoomOrder = {
  readonly level: LevelRecipe;
  /** People at most; MAX_ROOM_PLAYERS if left out. */
  readonly capacity?: number;
};

/** The parts of a process that its rooms share. */
export type RoomSurroundings = {
  /** Its engine must have been loaded. */
  readonly game: Game;
  readonly network: NodeStationSettings;
};

/** `opening`: its door is not open yet. `over`: it has ended, for a reason if it is a failure. */
export type RoomState =
  | { readonly kind: 'opening' | 'open' }
  | { readonly kind: 'over'; readonly why: SessionFailure | null };

/** A player that nobody moves: a dedicated host has no hands. */
const NOBODY = playerInput();

/**
 * [N1] A room whose host is this process: a member without head, hands and name, in a slot that is nobody's colour.
 * Players join it by its code, as any room. It knows no clock: its owner calls `tick` 60 times a second.
 */
export class DedicatedRoom {
  readonly #session: RoomSession<NodeStation>;
  /** Milliseconds of the owner's clock since when nobody is in it; null before the first tick, and while somebody is. */
  #emptySince: number | null = null;
  #hasLeft = false;
  /** It has been host: once another member is, this process leaves the room. It never plays as a guest. */
  #wasHost = false;

  private constructor(session: RoomSession<NodeStation>) {
    this.#session = session;
  }

  /**
   * Begins to open a room; its code may change until it is open.
   * @throws RangeError if the game has no such level, or a room can't hold so many people.
   */
  static async begin(
    { game, network }: RoomSurroundings,
    { level, capacity = MAX_ROOM_PLAYERS }: RoomOrder,
  ): Promise<DedicatedRoom> {
    const key = await MemberKey.of(await createKeys());
    const random = new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
    const station = new NodeStation(network);
    const fresh = { anotherCode: () => randomRoomCode(random), lineage: null, saved: null, takenOver: false };
    try {
      const session = new RoomSession(station, {
        game,
        key,
        code: randomRoomCode(random),
        name: '',
        colour: DEDICATED_SLOT as Slot,
        avatar: false,
        entry: { role: 'host', scene: level, capacity, locked: false, ...fresh },
      });
      return new DedicatedRoom(session);
    } catch (error) {
      station.close();
      throw error;
    }
  }

  /** The code by which players find it. */
  get code(): RoomCode {
    return this.#session.code;
  }

  /** [P3] The room's id, for links. */
  get room(): RoomId | null {
    return this.#session.room;
  }

  get state(): RoomState {
    const { status, hosting } = this.#session;
    switch (status.kind) {
      case 'ended':
        return { kind: 'over', why: status.why };
      case 'left':
        return { kind: 'over', why: null };
      case 'opening':
        return { kind: hosting === null ? 'open' : 'opening' };
      default:
        return hosting === null && this.#wasHost ? { kind: 'over', why: null } : { kind: 'open' };
    }
  }

  /** People who are in the room now. */
  get people(): number {
    const players = this.#session.roster?.players ?? [];
    return players.filter((player) => isPerson(player) && player.presence !== 'away').length;
  }

  /** Takes in messages and packets, and runs one tick. @param nowMs when it is due. */
  tick(nowMs: number): void {
    this.#session.tick(nowMs, NOBODY);
    this.#wasHost ||= this.#session.hosting !== null;
    if (this.people > 0) this.#emptySince = null;
    else this.#emptySince ??= nowMs;
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
