import { BodySet } from '../../core/base/body-set.ts';
import type { BodyId, Slot } from '../../core/base/ids.ts';
import { NO_SLOT } from '../../core/base/ids.ts';
import { MAX_PLAYERS } from '../../core/base/constants.ts';
import { sameState, STATE, STRIDE } from '../../core/base/state.ts';
import { BaselineStore } from '../../core/wire/bodies/baselines.ts';
import { BallisticCache } from '../../core/wire/bodies/flights.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import type { BodyUpdate } from '../../core/wire/bodies/update.ts';
import {
  bodyUpdate,
  codeBaseline,
  codeUpdate,
  isBaselineAge,
  updateCoderState,
} from '../../core/wire/bodies/update.ts';
import { codeUpdates } from '../../core/wire/bodies/updates.ts';
import { claim, copyClaim, sameClaim } from '../../core/world/record.ts';
import type { RecordedScene } from './recording.ts';

const HOST = 0 as Slot;

export type StreamOptions = {
  /** The age of every baseline in packets; one packet a tick. */
  readonly age: number;
  /** Whether updates contain authority. */
  readonly authority: boolean;
  /**
   * Ticks by which states are older than the packet's newest, as if they were another player's and relayed; 0:
   * none.
   */
  readonly relayed: number;
};

/**
 * The updates of a recording, packet by packet, as a sender chooses them whose packets all arrive and are all acked
 * `age` ticks later. The writing end and the reading end each have their own.
 */
export class RecordedStream {
  /** The updates of the last packet. */
  readonly updates: BodyUpdate[] = [];
  updateCount = 0;
  readonly #recording: RecordedScene;
  readonly #options: StreamOptions;
  readonly #store: BaselineStore;
  /** For each body its newest acked packet, or -1. */
  readonly #acked: Int32Array;
  readonly #context;
  readonly #picked: BodySet;
  readonly #baseline = bodyUpdate();
  readonly #update = bodyUpdate();

  constructor(recording: RecordedScene, options: StreamOptions) {
    this.#recording = recording;
    this.#options = options;
    this.#store = new BaselineStore(recording.count);
    this.#acked = new Int32Array(recording.count).fill(-1);
    this.#picked = new BodySet(recording.count);
    this.#context = updateCoderState(
      recording.count,
      new Int32Array(MAX_PLAYERS).fill(-1),
      new BallisticCache(recording.laws),
    );
  }

  /** The first packet with baselines. Before it, `skip` stores the states. */
  get first(): number {
    return this.#options.age;
  }

  /** Stores a tick of the recording, as if it had been sent without baselines. */
  skip(tick: number): void {
    for (let body = 0; body < this.#recording.count; body++) {
      this.#describe(tick, body as BodyId);
      this.#store.put(tick, this.#update);
    }
  }

  /** Writes the packet of a tick; or reads it, knowing nothing of it, and fills `updates`. */
  code(c: Coder, tick: number, way: 'write' | 'read'): void {
    const context = this.#context;
    const { age, relayed } = this.#options;
    context.sender = (relayed > 0 ? 1 : HOST) as Slot;
    context.authorTicks.fill(tick + relayed);
    this.updateCount = 0;
    for (let body = 0; body < this.#recording.count; body++)
      if (this.#store.kindIn(tick - age, body as BodyId) >= 0) this.#acked[body] = tick - age;
    this.#picked.clear();
    for (let body = 0; body < this.#recording.count; body++)
      if (way === 'write' && this.#isNeeded(tick, body as BodyId)) this.#picked.add(body);
    codeUpdates(c, context, age, this.#picked, {
      baselines: this.#store,
      base: tick - age,
      code: (body, kindInBase) => this.#code(c, tick, body, kindInBase),
    });
  }

  #code(c: Coder, tick: number, body: BodyId, kindInBase: number): void {
    const context = this.#context;
    const needed = this.#picked.has(body);
    if (this.updateCount === this.updates.length) this.updates.push(bodyUpdate());
    const update = this.updates[this.updateCount++];
    if (needed) this.#describe(tick, body, update);
    update.body = body;
    const last = needed ? this.#lastSaid(tick, body) : 0;
    const before = last > 0 && this.#store.get(tick - last, body, this.#baseline) ? this.#baseline : null;
    const age = codeBaseline(c, context, kindInBase, last, update, before);
    const known = age > 0 && this.#store.get(tick - age, body, this.#baseline);
    codeUpdate(c, context, update, known ? this.#baseline : null);
    this.#store.put(tick, update);
  }

  /** The age in packets of the body's newest acked update; 0 if none is of use. */
  #lastSaid(tick: number, body: BodyId): number {
    const age = tick - this.#acked[body];
    return this.#acked[body] >= 0 && isBaselineAge(age) ? age : 0;
  }

  /** A resting body is sent until it is acked. */
  #isNeeded(tick: number, body: BodyId): boolean {
    const { count, resting } = this.#recording;
    if (resting[tick * count + body] === 0) return true;
    const acked = tick - this.#options.age;
    this.#describe(tick, body);
    this.#describe(acked, body, this.#baseline);
    return !sameUpdate(this.#update, this.#baseline);
  }

  #describe(tick: number, body: BodyId, out = this.#update): void {
    const { count, states, resting, claims } = this.#recording;
    const at = tick * count + body;
    out.body = body;
    out.kind = resting[at] === 1 ? 'rest' : 'motion';
    out.tick = tick;
    for (let i = 0; i < STRIDE; i++) out.state[i] = states[at * STRIDE + i];
    if (out.kind === 'rest') out.state.fill(0, STATE.linear);
    copyClaim(this.#options.authority ? claims[at] : NOBODYS, out.claim);
    if (this.#options.relayed > 0) out.claim.authority = HOST;
    else if (!this.#options.authority) out.claim.authority = NO_SLOT;
  }
}

const NOBODYS = claim();

/** True if two updates have the same content, whatever their tick. */
export function sameUpdate(a: Readonly<BodyUpdate>, b: Readonly<BodyUpdate>): boolean {
  if (a.kind !== b.kind || !sameClaim(a.claim, b.claim)) return false;
  return a.kind === 'record' || sameState(a.state, 0, b.state, 0);
}
