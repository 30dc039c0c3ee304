import { MAX_ROOM_PLAYERS, TICK_MS } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import type { PlayerInput } from '../../src/core/hands/hand-input.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import type { RoomCode } from '../../src/core/room/code.ts';
import type { LevelRecipe } from '../../src/core/world/level-reference.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import { createRapierSimulation } from '../../src/physics/rapier-simulation.ts';
import { createKeys, MemberKey } from '../../src/session/member-key.ts';
import { RoomSession } from '../../src/session/room-session.ts';
import type { Entry } from '../../src/session/session-state.ts';
import { TickClock } from '../../src/session/tick-clock.ts';
import type { NodeStationSettings } from '../../src/transport/node/node-station.ts';
import { NodeStation } from '../../src/transport/node/node-station.ts';

export const GAME = { levels: gameLevels, simulate: createRapierSimulation };

/** A player in this process that has come into a room by its code, or opened one; it ticks by itself until it is stopped. */
export class NodePlayer {
  readonly session: RoomSession<NodeStation>;
  readonly input: PlayerInput = playerInput();
  readonly #clock = new TickClock(performance.now());
  readonly #timer: NodeJS.Timeout;

  private constructor(session: RoomSession<NodeStation>, act: (player: NodePlayer) => void) {
    this.session = session;
    this.#timer = setInterval(() => {
      this.#clock.advance(
        () => performance.now(),
        (dueMs) => {
          act(this);
          session.tick(dueMs, this.input);
        },
      );
    }, TICK_MS / 2);
  }

  /**
   * @param place the address of the broker; or the whole network, if it is not that of this machine alone.
   * @param act fills the input before each tick.
   */
  static enter(
    place: string | NodeStationSettings,
    code: RoomCode,
    colour: number,
    act: (player: NodePlayer) => void = () => undefined,
  ): Promise<NodePlayer> {
    const entry = { role: 'guest', returns: false, room: null, orElse: null } as const;
    return NodePlayer.#begin(place, code, colour, entry, act);
  }

  /** Opens a room, as a browser does. @param act fills the input before each tick. */
  static open(
    url: string,
    code: RoomCode,
    scene: LevelRecipe,
    act: (player: NodePlayer) => void = () => undefined,
  ): Promise<NodePlayer> {
    const fresh = { anotherCode: null, lineage: null, saved: null, takenOver: false };
    const entry = { role: 'host', scene, capacity: MAX_ROOM_PLAYERS, locked: false, ...fresh } as const;
    return NodePlayer.#begin(url, code, 0, entry, act);
  }

  static async #begin(
    place: string | NodeStationSettings,
    code: RoomCode,
    colour: number,
    entry: Entry,
    act: (player: NodePlayer) => void,
  ): Promise<NodePlayer> {
    const network = typeof place === 'string' ? { broker: { url: place }, address: '127.0.0.1' } : place;
    const station = new NodeStation(network);
    const key = await MemberKey.of(await createKeys());
    const options = { game: GAME, code, name: `Guest ${colour}`, colour: colour as Slot, key, entry };
    return new NodePlayer(new RoomSession(station, options), act);
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.session.status.kind !== 'left') this.session.leave(false);
  }

  get isIn(): boolean {
    return this.session.status.kind === 'here' && this.session.world?.peer.hasWorld === true;
  }
}
