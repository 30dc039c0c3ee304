import type { RoomCode } from '../core/room/code.ts';
import type { DedicatedRoom } from './dedicated-room.ts';

/** Gets the pages that play in a large room; none once the room is gone. */
export type PlayersHandler = (code: RoomCode, pages: readonly string[]) => void;

/** [N8.6] Tells the server which pages play in each large room, whenever that has changed. */
export class ToldPlayers {
  readonly #tell: PlayersHandler;
  /** By room: the players of the last roster, and the pages that were told last. */
  readonly #told = new Map<DedicatedRoom, { players: unknown; pages: readonly string[] }>();

  constructor(tell: PlayersHandler) {
    this.#tell = tell;
  }

  /** Looks at a room; call it after its tick. */
  tick(room: DedicatedRoom): void {
    const { largePlayers } = room;
    const told = this.#told.get(room);
    if (largePlayers === (told?.players ?? null)) return;
    const present = (largePlayers ?? []).filter(({ presence }) => presence !== 'away');
    const pages = present.map(({ id }) => id);
    this.#told.set(room, { players: largePlayers, pages });
    if (pages.join() !== (told?.pages ?? []).join()) this.#tell(room.code, pages);
  }

  /** A room has ended. */
  end(room: DedicatedRoom): void {
    const told = this.#told.get(room);
    this.#told.delete(room);
    if (told !== undefined && told.pages.length > 0) this.#tell(room.code, []);
  }
}
