import type { BodyId } from '../base/ids.ts';

/**
 * The graph of bodies that touch or that a joint ties together [J1], as lists of neighbours. The engine reports where
 * contacts begin and end, so that a tick costs only as much as changed. The floor is no neighbour.
 */
export class ContactGraph {
  /** For each body the bodies that touch it, and those that joints tie it to, in no order. Read only; the lists change with `add` and `remove`. */
  readonly neighbours: readonly (readonly BodyId[])[];
  /** Pairs that began to touch in the last step, flat: a, b, a, b… Valid up to `startedCount`. */
  readonly started: BodyId[] = [];
  startedCount = 0;
  /** Bodies that began to touch the floor in the last step. Valid up to `landedCount`. */
  readonly landed: BodyId[] = [];
  landedCount = 0;
  /**
   * 1 for a body whose neighbours have changed; the first `changedCount` of `changedBodies` are these bodies.
   * RestDetector resets them, so a graph can serve only one RestDetector.
   */
  readonly changed: Uint8Array;
  readonly changedBodies: Int16Array;
  changedCount = 0;
  readonly #lists: BodyId[][];
  /** The pairs that joints tie together, as `a * count + b` with a < b, and how many joints do. */
  readonly #tied = new Map<number, number>();
  /** The tied pairs that touch besides. */
  readonly #tiedTouching = new Set<number>();

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#lists = Array.from({ length: count }, () => []);
    this.neighbours = this.#lists;
    this.changed = new Uint8Array(count);
    this.changedBodies = new Int16Array(count);
  }

  /** Forgets which contacts are new; the engine calls it before a step. */
  beginStep(): void {
    this.startedCount = 0;
    this.landedCount = 0;
  }

  /** [J1] A joint ties two bodies together from now on. */
  tie(a: BodyId, b: BodyId): void {
    const pair = this.#pairOf(a, b);
    if (!this.#tied.has(pair) && this.touching(a, b)) this.#tiedTouching.add(pair);
    this.#tied.set(pair, (this.#tied.get(pair) ?? 0) + 1);
    this.#link(a, b);
  }

  /** [J1] A joint is no more. Two bodies that touch besides still do. */
  untie(a: BodyId, b: BodyId): void {
    const pair = this.#pairOf(a, b);
    const left = (this.#tied.get(pair) ?? 0) - 1;
    if (left > 0) this.#tied.set(pair, left);
    else {
      this.#tied.delete(pair);
      if (!this.#tiedTouching.delete(pair)) this.remove(a, b);
    }
  }

  #pairOf(a: BodyId, b: BodyId): number {
    return Math.min(a, b) * this.#lists.length + Math.max(a, b);
  }

  #link(a: BodyId, b: BodyId): void {
    if (this.touching(a, b)) return;
    this.#lists[a].push(b);
    this.#lists[b].push(a);
    this.#change(a, b);
  }

  /** Two bodies have come to touch; does nothing if they touched already. */
  add(a: BodyId, b: BodyId): void {
    const pair = this.#pairOf(a, b);
    if (this.#tied.has(pair)) this.#tiedTouching.add(pair);
    else if (this.touching(a, b)) return;
    this.#link(a, b);
    this.started[this.startedCount++] = a;
    this.started[this.startedCount++] = b;
  }

  /** A body has come to touch the floor. */
  land(body: BodyId): void {
    this.landed[this.landedCount++] = body;
  }

  /** Two bodies touch no more. A joint between them still ties them. */
  remove(a: BodyId, b: BodyId): void {
    const pair = this.#pairOf(a, b);
    if (this.#tied.has(pair)) {
      this.#tiedTouching.delete(pair);
      return;
    }
    removeFrom(this.#lists[a], b);
    removeFrom(this.#lists[b], a);
    this.#change(a, b);
  }

  /** A body is no more: nothing touches it, and its joints are gone. */
  clear(body: BodyId): void {
    for (const other of this.#lists[body]) {
      this.#tied.delete(this.#pairOf(body, other));
      this.#tiedTouching.delete(this.#pairOf(body, other));
    }
    while (this.#lists[body].length > 0) this.remove(body, this.#lists[body][0]);
  }

  #change(a: BodyId, b: BodyId): void {
    this.#changeOne(a);
    this.#changeOne(b);
  }

  #changeOne(body: BodyId): void {
    if (this.changed[body] === 1) return;
    this.changed[body] = 1;
    this.changedBodies[this.changedCount++] = body;
  }

  /** True if a body touches one that no joint ties it to. @internal */
  touchesUntied(body: BodyId): boolean {
    const list = this.#lists[body];
    for (let i = 0; i < list.length; i++) if (!this.#tied.has(this.#pairOf(body, list[i]))) return true;
    return false;
  }

  /** True if two bodies touch, or a joint ties them. */
  touching(a: BodyId, b: BodyId): boolean {
    return this.#lists[a].includes(b);
  }
}

function removeFrom(list: BodyId[], body: BodyId): void {
  const index = list.indexOf(body);
  if (index < 0) return;
  list[index] = list[list.length - 1];
  list.pop();
}
