import type { BodyId } from '../../base/ids.ts';
import type { Joint } from './joint.ts';

/** A body and whatever joints tie it to are its island. A body without joints is an island of its own. */
export class Islands {
  /** For each body the parts of its island, in ascending order, the body itself among them. */
  readonly parts: readonly (readonly BodyId[])[];
  /** 1 for a body with a joint, to another body or to the world. */
  readonly isJointed: Uint8Array;

  /**
   * @param count ids of bodies in the world.
   * @param joints of the level.
   */
  constructor(count: number, joints: readonly Joint[]) {
    this.isJointed = new Uint8Array(count);
    const parts = Array.from({ length: count }, (_, body) => [body as BodyId]);
    for (const { ends } of joints) {
      for (const { body } of ends) if (body !== null) this.isJointed[body] = 1;
      const [a, b] = [ends[0].body, ends[1].body];
      if (a === null || b === null || parts[a] === parts[b]) continue;
      const merged = [...parts[a], ...parts[b]].sort((one, other) => one - other);
      for (const part of merged) parts[part] = merged;
    }
    this.parts = parts;
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
