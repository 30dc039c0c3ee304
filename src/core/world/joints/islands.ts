import type { BodyId } from '../../base/ids.ts';
import { pose } from '../../base/math.ts';
import type { Joint } from './joint.ts';
import { MAX_PARTS } from './joint-faults.ts';

/** A body and whatever joints tie it to are its island. A body without joints is an island of its own. */
export class Islands {
  /** By their numbers: the level's, and after them those that players make [J5]. One that is gone stays as it was last. */
  readonly joints: Joint[];
  /** For each body the numbers of its joints that are there. */
  readonly jointsOf: number[][];
  /** [J4] For each joint 1 if it is not there: it was removed, is broken or was not made; [J5.5] or it has no room. Read only. */
  readonly isGone: Uint8Array;
  /** For each joint 1 if it is to be there. */
  readonly #isWanted: Uint8Array;
  /** For each body the parts of its island, in ascending order, the body itself among them. Lists are never changed. */
  readonly parts: (readonly BodyId[])[];
  /** The joints of the level, which have the first numbers. */
  readonly #ofLevel: number;
  /** 1 for a body with a joint, to another body or to the world. */
  readonly isJointed: Uint8Array;
  /** [J2.6] 1 for a body that the level ties, also if its joints are gone. */
  readonly isTied: Uint8Array;

  /**
   * @param count ids of bodies in the world.
   * @param joints of the level.
   * @param made numbers that are set aside for joints that players make: at first there are none.
   */
  constructor(count: number, joints: readonly Joint[], made = 0) {
    this.#ofLevel = joints.length;
    this.joints = [...joints, ...Array.from({ length: made }, () => UNMADE)];
    this.jointsOf = Array.from({ length: count }, () => []);
    this.isGone = new Uint8Array(joints.length + made);
    this.#isWanted = new Uint8Array(joints.length + made).fill(1, 0, joints.length);
    this.isJointed = new Uint8Array(count);
    this.parts = Array.from({ length: count }, (_, body) => [body as BodyId]);
    this.find();
    this.isTied = this.isJointed.slice();
  }

  /** The joint of a number is this one from the next `find` on. @param joint null: it is gone, and stays known as it was. */
  set(number: number, joint: Joint | null): void {
    this.#isWanted[number] = joint === null ? 0 : 1;
    if (joint !== null) this.joints[number] = joint;
  }

  /**
   * Finds the islands anew. [J5.5] A joint that players made is not there if it would make an island of more than MAX_PARTS
   * bodies: words of joints may arrive in any order, and a host may break the rules.
   */
  find(): void {
    const { parts, jointsOf, isJointed, isGone } = this;
    isJointed.fill(0);
    for (let body = 0; body < parts.length; body++) {
      if (parts[body].length !== 1) parts[body] = [body as BodyId];
      jointsOf[body].length = 0;
    }
    this.joints.forEach(({ ends }, i) => {
      isGone[i] = 1;
      if (this.#isWanted[i] === 0) return;
      const [a, b] = [ends[0].body, ends[1].body];
      const isOne = a === null || b === null || parts[a] === parts[b];
      if (i >= this.#ofLevel && !isOne && parts[a].length + parts[b].length > MAX_PARTS) return;
      isGone[i] = 0;
      for (const { body } of ends) {
        if (body === null) continue;
        isJointed[body] = 1;
        jointsOf[body].push(i);
      }
      if (isOne) return;
      const merged = [...parts[a], ...parts[b]].sort((one, other) => one - other);
      for (const part of merged) parts[part] = merged;
    });
  }

  /** The lowest part of a body's island: it stands for the island where only one body can. */
  rootOf(body: BodyId): BodyId {
    return this.isJointed[body] === 0 ? body : this.parts[body][0];
  }

  /** True if joints tie a body to other bodies. */
  hasOthers(body: BodyId): boolean {
    return this.isJointed[body] === 1 && this.parts[body].length > 1;
  }
}

const WORLD = { body: null, frame: pose() };
/** Stands for a joint that nobody has made. */
const UNMADE: Joint = { kind: 'fixed', ends: [WORLD, WORLD], collides: false, removable: true };
