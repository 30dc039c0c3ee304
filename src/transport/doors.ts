import type { RoomCode } from '../core/room/code.ts';
import type { AddressState } from './station.ts';
import { CLOSE_AFTER_MS, doorId } from './station.ts';

/** An id at the broker as a station needs it, whatever makes its connections. */
export type OwnId = {
  readonly id: string;
  readonly state: AddressState;
  /** True while there are connections that were made through this id. */
  readonly isInUse: boolean;
  /** True if the broker has said since the last call of this method that nobody has this id. */
  isMissing(id: string): boolean;
  /** Gives up the id; connections that were made through it stay open. */
  release(): void;
  /** Gives up the id, and closes every connection that was made through it. */
  close(): void;
};

/** A station's own id at the broker, and the door at which it answers; for stations of all kinds. */
export class Doors<A extends OwnId> {
  readonly own: A;
  readonly #open: (id: string, token: string | undefined) => A;
  #door: A | null = null;
  /** Doors that were given up: lines that came through them may still be open. */
  #former: readonly A[] = [];

  /**
   * @param own the station's own id.
   * @param open asks the broker for the id of a door. With its token another member may take the door over.
   */
  constructor(own: A, open: (id: string, token: string | undefined) => A) {
    this.own = own;
    this.#open = open;
  }

  /** The state of the station's id; the state of its door, if it has one and the id is open. */
  get state(): AddressState {
    const own = this.own.state;
    return own === 'open' && this.#door !== null ? this.#door.state : own;
  }

  /** The state of the door; null without one. */
  get doorState(): AddressState | null {
    return this.#door?.state ?? null;
  }

  /** Answers at the door of this room from now on, instead of any other door. */
  open(code: RoomCode, token?: string): void {
    this.close();
    this.#door = this.#open(doorId(code), token);
  }

  /** Answers at no door any more; connections stay open. */
  close(): void {
    if (this.#door === null) return;
    this.#door.release();
    this.#former = [...this.#former.filter(({ isInUse }) => isInUse), this.#door];
    this.#door = null;
  }

  /** True if the broker has said since the last call of this method that nobody answers at this door. */
  isMissing(code: RoomCode): boolean {
    return this.own.isMissing(doorId(code));
  }

  /** Gives up all ids, once the last messages have gone out. */
  end(): void {
    setTimeout(() => {
      for (const address of [this.own, this.#door, ...this.#former]) address?.close();
    }, CLOSE_AFTER_MS);
  }
}
