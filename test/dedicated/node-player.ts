import { MAX_ROOM_PLAYERS } from '../../src/core/base/constants.ts';
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
import { runTicks, TickClock } from '../../src/session/tick-clock.ts';
import type { NodeStationSettings } from '../../src/transport/node/node-station.ts';
import { NodeStation } from '../../src/transport/node/node-station.ts';

export const GAME = { levels: gameLevels, simulate: createRapierSimulation };

/** Fills the player's input before each tick. @param dueMs when the tick is due, on the clock of `performance.now`. */
type Act = (player: NodePlayer, dueMs: number) => void;

/** Opens both hands, and shows them no more. */
export function letGo(input: PlayerInput): void {
  for (const hand of input.hands) Object.assign(hand, { tracked: false, grip: 0, trigger: 0 });
}

/** A player in this process that has come into a room by its code, or opened one; it ticks by itself until it is stopped. */
export class NodePlayer {
  readonly session: RoomSession<NodeStation>;
  readonly input: PlayerInput = playerInput();
  readonly #stopTicks: () => void;

  private constructor(session: RoomSession<NodeStation>, act: Act) {
    this.session = session;
    this.#stopTicks = runTicks(new TickClock(performance.now()), (dueMs) => {
      act(this, dueMs);
      session.tick(dueMs, this.input);
    });
  }

  /**
   * @param place the address of the broker; or the whole network, if it is not that of this machine alone.
   */
  static enter(
    place: string | NodeStationSettings,
    code: RoomCode,
    colour: number,
    act: Act = () => undefined,
  ): Promise<NodePlayer> {
    const entry = { role: 'guest', returns: false, room: null, orElse: null } as const;
    return NodePlayer.#begin(place, code, colour, entry, act);
  }

  /** Opens a room, as a browser does. */
  static open(
    url: string,
    code: RoomCode,
    scene: LevelRecipe,
    act: Act = () => undefined,
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
    act: Act,
  ): Promise<NodePlayer> {
    const network = typeof place === 'string' ? { broker: { url: place }, address: '127.0.0.1' } : place;
    const station = new NodeStation(network);
    const key = await MemberKey.of(await createKeys());
    const options = { game: GAME, code, name: `Guest ${colour}`, colour: colour as Slot, key, entry };
    return new NodePlayer(new RoomSession(station, options), act);
  }

  stop(): void {
    this.#stopTicks();
    if (this.session.status.kind !== 'left') this.session.leave(false);
  }

  get isIn(): boolean {
    return this.session.status.kind === 'here' && this.session.world?.peer.hasWorld === true;
  }
}
