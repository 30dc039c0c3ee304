import type { BodyId } from '../../core/base/ids.ts';
import type { ContactGraph } from '../../core/world/contacts.ts';

/**
 * The colliders that touch shared bodies and are not shared: of driven bodies [K1], of a project's platforms, and of its other
 * bodies. A body must not be put to sleep on a platform that moves: the engine would wake it, without a motion, in each tick
 * anew, and the platform would pass through it.
 */
export class Others {
  readonly #isMoving: (handle: number) => boolean;
  /** For each body the handles of the colliders. */
  readonly #touching = new Map<BodyId, Set<number>>();

  /** The answers of `carry` since the last step. A whole heap that falls asleep asks for each of its bodies. */
  readonly #answers = new Map<BodyId, boolean>();

  /** @param isMoving true for the handle of a collider that moves. */
  constructor(isMoving: (handle: number) => boolean) {
    this.#isMoving = isMoving;
  }

  /** A shared body has come to touch a collider of others, or has parted from it. */
  note(body: BodyId, handle: number, started: boolean): void {
    const handles = this.#touching.get(body) ?? new Set<number>();
    if (started) handles.add(handle);
    else handles.delete(handle);
    if (handles.size > 0) this.#touching.set(body, handles);
    else this.#touching.delete(body);
  }

  /** True if a collider of others touches a body. */
  touch(body: BodyId): boolean {
    return this.#touching.has(body);
  }

  /** Calls `visit` for the bodies that something touches that moves. Call it before each step. */
  eachMoved(visit: (body: BodyId) => void): void {
    this.#answers.clear();
    for (const body of this.#touching.keys()) if (this.move(body)) visit(body);
  }

  /** A shared body is no more. */
  clear(body: BodyId): void {
    this.#touching.delete(body);
  }

  /** True if something that moves touches a body, or a body that it touches, and so on: islands sleep as a whole. */
  carry(body: BodyId, { neighbours }: Pick<ContactGraph, 'neighbours'>): boolean {
    if (this.#touching.size === 0) return false;
    const known = this.#answers.get(body);
    if (known !== undefined) return known;
    const island = new Set([body]);
    let moves = false;
    for (const each of island) {
      moves ||= this.move(each);
      for (const other of neighbours[each]) island.add(other);
    }
    for (const each of island) this.#answers.set(each, moves);
    return moves;
  }

  /** True if something that moves touches a body. */
  move(body: BodyId): boolean {
    for (const handle of this.#touching.get(body) ?? NONE) if (this.#isMoving(handle)) return true;
    return false;
  }
}

const NONE: readonly number[] = [];
