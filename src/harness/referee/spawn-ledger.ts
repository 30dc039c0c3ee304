import type { BodyId, Existence } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { AS_AT_START, generationOf } from '../../core/world/existence.ts';
import type { Level } from '../../core/world/level.ts';

/**
 * [I8] Lists the bodies that must exist, from the host's log alone: those of the level, and every spawn that the host
 * has accepted, until it is despawned. A reset to the level's start begins the list anew.
 */
export class SpawnLedger {
  readonly #host: Peer;
  readonly #level: Level;
  /** For each id 1 if there must be a body. */
  readonly #isHere: Uint8Array;
  /** For each id the existence that it has while there is a body, as it was first seen. */
  readonly #existence: Int32Array;
  /** For each id the last generation in which a spawn was accepted, or -1. */
  readonly #generation: Int32Array;
  /** For each id 1 if a spawn was accepted since the last check. */
  readonly #isNew: Uint8Array;
  #seen = 0;

  /** @param host all of whose events are still kept. */
  constructor(host: Peer, level: Level) {
    this.#host = host;
    this.#level = level;
    const { count } = host.diagnostics.bodies;
    this.#isHere = new Uint8Array(count);
    this.#isNew = new Uint8Array(count);
    this.#existence = new Int32Array(count);
    this.#generation = new Int32Array(count);
    this.#beginAnew();
  }

  /** Call after each step, while its events are still kept. Calls `say` for each spawn that is lost or doubled. */
  check(say: (body: BodyId, what: string) => void): void {
    const { bodies, events } = this.#host.diagnostics;
    events.each(this.#seen, ({ kind, body }) => {
      if (kind === 'reset') this.#beginAnew();
      else if (kind === 'despawn') this.#isHere[body] = 0;
      else if (kind === 'spawn') {
        if (this.#isHere[body] === 1) say(body, 'is spawned while it is there');
        this.#isHere[body] = 1;
        this.#isNew[body] = 1;
      }
    });
    this.#seen = events.total;
    for (let body = 0 as BodyId; body < bodies.count; body++) {
      const existence = bodies.records.existence[body] as Existence;
      const isHere = bodies.exists(body) ? 1 : 0;
      if (isHere !== this.#isHere[body]) say(body, isHere === 0 ? 'is lost' : 'is there unasked');
      else if (this.#isNew[body] === 1 && isHere === 1) this.#accept(body, existence, say);
      else if (isHere === 1 && existence !== this.#existence[body]) say(body, 'has become another body');
      this.#isHere[body] = isHere;
      this.#existence[body] = existence;
    }
    this.#isNew.fill(0);
  }

  #beginAnew(): void {
    this.#isNew.fill(0);
    this.#generation.fill(-1);
    this.#existence.fill(AS_AT_START);
    this.#isHere.fill(0).fill(1, 0, this.#level.bodies.length);
  }

  #accept(body: BodyId, existence: Existence, say: (body: BodyId, what: string) => void): void {
    const generation = generationOf(existence);
    if (this.#generation[body] === generation) say(body, 'is spawned twice in one generation');
    this.#generation[body] = generation;
  }
}
