import type { RoomCode } from '../../core/room/code.ts';

/** The door of a room that is kept. */
export type KeptDoor = {
  readonly code: RoomCode;
  /** The door's secret, which the room's players know, too; null while only the room's code is known. */
  readonly secret: string | null;
};

/** [N6.3] The doors of the rooms that a process keeps: open rooms, and those that are on their way back. */
export class KeptDoors {
  readonly #secrets = new Map<RoomCode, string>();
  readonly #tell: (doors: readonly KeptDoor[]) => void;

  /** @param tell is given all doors whenever one of them has changed. */
  constructor(tell: (doors: readonly KeptDoor[]) => void) {
    this.#tell = tell;
  }

  has(code: RoomCode): boolean {
    return this.#secrets.has(code);
  }

  /** A door is kept from now on, or has another secret. */
  set(code: RoomCode, secret: string): void {
    if (this.#secrets.get(code) === secret) return;
    this.#secrets.set(code, secret);
    this.#tellAll();
  }

  /** A room is kept no more. */
  delete(code: RoomCode): void {
    if (this.#secrets.delete(code)) this.#tellAll();
  }

  /** All these doors are kept, too. */
  add(doors: readonly (readonly [code: RoomCode, secret: string])[]): void {
    for (const [code, secret] of doors) this.#secrets.set(code, secret);
    this.#tellAll();
  }

  #tellAll(): void {
    this.#tell(Array.from(this.#secrets, ([code, secret]) => ({ code, secret })));
  }
}
