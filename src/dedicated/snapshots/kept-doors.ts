import type { RoomCode } from '../../core/room/code.ts';
import type { PublicKey } from '../../core/room/identity/key.ts';

/** The door of a room that is kept. */
export type KeptDoor = {
  readonly code: RoomCode;
  /** The door's secret, which the room's players know, too; null while only the room's code is known. */
  readonly secret: string | null;
  /** [N4.1] The name of the network that has opened the room; null if it is not known. */
  readonly founder: string | null;
  /** [P1] The key of its dedicated host; null while only the room's code is known. */
  readonly key: PublicKey | null;
};

/** The part of a kept door that its room knows. */
type Known = Pick<KeptDoor, 'founder' | 'key'> & { readonly secret: string };

/** [N6.3] The doors of the rooms that a process keeps: open rooms, and those that are on their way back. */
export class KeptDoors {
  readonly #doors = new Map<RoomCode, Known>();
  readonly #tell: (doors: readonly KeptDoor[]) => void;

  /** @param tell is given all doors whenever one of them has changed. */
  constructor(tell: (doors: readonly KeptDoor[]) => void) {
    this.#tell = tell;
  }

  has(code: RoomCode): boolean {
    return this.#doors.has(code);
  }

  /** @returns the key of the room's dedicated host; null if the door is not kept. */
  keyOf(code: RoomCode): PublicKey | null {
    return this.#doors.get(code)?.key ?? null;
  }

  /** A door is kept from now on, or has another secret. @returns false if nothing has changed. */
  set(code: RoomCode, door: Known): boolean {
    const before = this.#doors.get(code);
    if (before?.secret === door.secret && before.key === door.key) return false;
    this.#doors.set(code, door);
    this.#tellAll();
    return true;
  }

  /** A room is kept no more. */
  delete(code: RoomCode): void {
    if (this.#doors.delete(code)) this.#tellAll();
  }

  /** All these doors are kept, too. They are told, also if there are none. */
  add(doors: readonly (Known & Pick<KeptDoor, 'code'>)[]): void {
    for (const { code, ...door } of doors) this.#doors.set(code, door);
    this.#tellAll();
  }

  #tellAll(): void {
    this.#tell(Array.from(this.#doors, ([code, known]) => ({ code, ...known })));
  }
}
