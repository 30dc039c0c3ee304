import type { RoomCode } from '../core/room/code.ts';
import type { DedicatedRoom } from './dedicated-room.ts';

/** Is told which pages play in a large room: none when it is there no more. */
export type PlayersHandler = (code: RoomCode, pages: readonly string[]) => void;

/** [N8.6] Tells whoever has the voices of large rooms which pages play there, whenever that has changed. */
export class ToldPlayers {
  readonly #tell: PlayersHandler;
  /** By room, the pages that were told last, and the roster of which they are. */
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
