import type { BodySet } from '../../core/base/body-set.ts';
import type { BodyId } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import type { ContactGraph } from '../../core/world/contacts.ts';
import type { RigidBody } from '../engine-types.ts';

/**
 * The bodies without gravity. While any body that it once touched is awake, the engine still integrates a sleeping body,
 * which would fall through its support. So a sleeping body has no gravity.
 */
export class Weights {
  /** 1 for a body without gravity since it was put to sleep. */
  readonly #weightless: Uint8Array;
  readonly #bodyOf: (id: BodyId) => RigidBody | null;
  readonly #contacts: ContactGraph;

  /** @param bodyOf the engine's body of an id. */
  constructor(count: number, contacts: ContactGraph, bodyOf: (id: BodyId) => RigidBody | null) {
    this.#weightless = new Uint8Array(count);
    this.#bodyOf = bodyOf;
    this.#contacts = contacts;
  }

  /** A body has gravity: it is new, or it was given back to the engine. */
  forget(id: BodyId): void {
    this.#weightless[id] = 0;
  }

  /** A body that falls asleep has no gravity any more. */
  takeFrom(id: BodyId): void {
    this.#bodyOf(id)?.setGravityScale(0, false);
    this.#weightless[id] = 1;
  }

  /**
   * Gives bodies that woke their gravity again before the step, and also the bodies that wake with them: all
   * that they touch, and on.
   */
  giveBack(awake: BodySet): void {
    for (let id = awake.next(NO_BODY); id !== NO_BODY; id = awake.next(id))
      if (this.#weightless[id] === 1) this.#giveTo(id);
  }

  #giveTo(id: BodyId): void {
    this.#bodyOf(id)?.setGravityScale(1, false);
    this.#weightless[id] = 0;
    const touching = this.#contacts.neighbours[id];
    for (let i = 0; i < touching.length; i++)
      if (this.#weightless[touching[i]] === 1) this.#giveTo(touching[i]);
  }
}
