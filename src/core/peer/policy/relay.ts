import type { BodyId, Slot } from '../../base/ids.ts';
import { STRIDE } from '../../base/state.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { putState } from '../../world/record.ts';

/** [T3] The newest state of each body as it arrived from the guest that has authority: what the host relays. */
export class Relay {
  /** The guest that each state came from; -1: there is none to relay. */
  readonly author: Int8Array;
  /** The tick of each state, in its author's count. */
  readonly tick: Int32Array;
  /** 1 if the state is at rest. */
  readonly resting: Uint8Array;
  /** As in Records. */
  readonly restPlaces: Uint16Array;
  /** 1 for a body of which the newest state that came was not believed [H9]. */
  readonly doubted: Uint8Array;
  /** STRIDE whole numbers a body. */
  readonly state: Int32Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.author = new Int8Array(count).fill(-1);
    this.tick = new Int32Array(count);
    this.resting = new Uint8Array(count);
    this.restPlaces = new Uint16Array(count);
    this.doubted = new Uint8Array(count);
    this.state = new Int32Array(count * STRIDE);
  }

  /** Drops all states. */
  clear(): void {
    this.author.fill(-1);
  }

  /** Drops a body's state, since the body has another author now. */
  drop(body: BodyId): void {
    this.author[body] = -1;
  }

  /** [H6] Drops the states of a player that has left: the next player in its slot counts other ticks. */
  forget(author: Slot): void {
    for (let body = 0; body < this.author.length; body++) {
      if (this.author[body] === author) this.author[body] = -1;
    }
  }

  /** [H9] The state of an update is not believed. If a newer one of the same author is there, that one counts. */
  doubt({ body, tick }: Readonly<BodyUpdate>, author: Slot): void {
    if (this.author[body] !== author || tick > this.tick[body]) this.doubted[body] = 1;
  }

  /** Copies a state, unless a newer one of the same author is there. */
  keep(update: Readonly<BodyUpdate>, author: Slot): void {
    const { body } = update;
    if (this.author[body] === author && update.tick <= this.tick[body]) return;
    this.author[body] = author;
    this.tick[body] = update.tick;
    this.doubted[body] = 0;
    putState(this, body, update.kind === 'rest', update.state);
  }
}
