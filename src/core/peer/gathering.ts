import type { BodyId } from '../base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../base/ids.ts';
import { TICK_RATE } from '../base/constants.ts';
import { gather } from '../world/authority.ts';
import type { Records } from '../world/record.ts';
import type { PeerState } from './peer-state.ts';
import { note } from './peer-state.ts';

/** Ticks from look to look. */
const LOOK_TICKS = 10;
/**
 * Looks at unrest, five seconds: an island that is left alone is at rest long before. A look at rest takes half of one
 * off, since what sways rests a little at each end.
 */
const PATIENCE = (5 * TICK_RATE) / LOOK_TICKS;
const UNREST = 2;
const REST = 1;

/**
 * [A11] Bodies of several players that keep each other awake, each by word that is a round trip old, can sway for
 * ever. The host gathers them, with all that they touch: in one engine they come to rest.
 */
export class Gathering {
  /** For each body how long it has touched another player's, and one of the two was awake. */
  readonly #unrest: Uint8Array;
  readonly #island: Uint8Array;
  readonly #queue: Int32Array;

  constructor(count: number) {
    this.#unrest = new Uint8Array(count);
    this.#island = new Uint8Array(count);
    this.#queue = new Int32Array(count);
  }

  /** Host: call after each step. */
  run(peer: PeerState): void {
    if (peer.tick % LOOK_TICKS !== 0) return;
    const { records, simulation } = peer.bodies;
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      const before = this.#unrest[body];
      const restless =
        isGuests(records, body, peer.self) && isRestless(records, body, simulation.contacts.neighbours[body]);
      if (!restless && before === 0) continue;
      const now = restless ? Math.min(UNREST * PATIENCE, before + UNREST) : before - REST;
      this.#unrest[body] = now;
      if (restless && now === UNREST * PATIENCE) this.#gatherIsland(peer, body);
    }
  }

  /** Unless a hand is in it: whoever holds a part of it is still at it. */
  #gatherIsland(peer: PeerState, first: BodyId): void {
    const { records, simulation } = peer.bodies;
    const count = this.#findIsland(records, simulation.contacts.neighbours, first);
    for (let i = 0; i < count; i++) if (records.hold[this.#queue[i]] !== NOT_HELD) return;
    for (let i = 0; i < count; i++) {
      const body = this.#queue[i] as BodyId;
      this.#unrest[body] = 0;
      if (isGuests(records, body, peer.self)) gatherBody(peer, body);
    }
  }

  /** Writes to the queue what somebody has and touches the first, directly or through another. @returns how many. */
  #findIsland(records: Records, neighbours: readonly (readonly BodyId[])[], first: BodyId): number {
    this.#island.fill(0);
    this.#island[first] = 1;
    this.#queue[0] = first;
    let count = 1;
    for (let i = 0; i < count; i++) {
      for (const other of neighbours[this.#queue[i]]) {
        if (this.#island[other] === 1 || records.authority[other] === NO_SLOT) continue;
        this.#island[other] = 1;
        this.#queue[count++] = other;
      }
    }
    return count;
  }
}

/** [A11] The host takes a guest's body. */
export function gatherBody(peer: PeerState, body: BodyId): void {
  gather(peer.bodies.records, body, peer.self);
  // What was kept to be relayed is of the time before.
  peer.relay.author[body] = NO_SLOT;
  peer.bodies.takenHere(body);
  note(peer, 'take', 'A11', body, peer.self);
}

function isGuests({ authority, hold }: Records, body: BodyId, self: number): boolean {
  return authority[body] !== NO_SLOT && authority[body] !== self && hold[body] === NOT_HELD;
}

/** True if the body touches another player's, in no hand, and one of the two is awake. */
function isRestless(
  { authority, hold, resting }: Records,
  body: BodyId,
  neighbours: readonly BodyId[],
): boolean {
  for (let n = 0; n < neighbours.length; n++) {
    const other = neighbours[n];
    if (authority[other] === NO_SLOT || authority[other] === authority[body]) continue;
    if (hold[other] === NOT_HELD && (resting[body] === 0 || resting[other] === 0)) return true;
  }
  return false;
}
