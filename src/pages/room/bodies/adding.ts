import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../../core/base/ids.ts';
import { TICK_RATE } from '../../../core/base/constants.ts';
import type { ReadonlyPose, Vector } from '../../../core/base/math.ts';
import { fromAxisAngle, quaternion, rotate, vector } from '../../../core/base/math.ts';
import type { SpawnRefusal } from '../../../core/peer/actions/spawning.ts';
import type { PeerEvent } from '../../../core/peer/diagnostics/event-log.ts';
import type { Peer } from '../../../core/peer/peer.ts';
import { firstIdOf, idsOf } from '../../../core/world/existence.ts';
import { halfSize, reachBelow } from '../../../core/world/extent/extent.ts';
import type { Level, Template } from '../../../core/world/level.ts';
import { spawnNamesOf } from '../../../levels/levels.ts';

/** A world in which a player adds and removes bodies. */
export type AddingWorld = { readonly peer: Peer; readonly level: Level };

/** The bodies that a player may add, and those that it has added. */
export type AddingState = {
  /** The names of what it may add, in the order of the level's templates. */
  readonly names: readonly string[];
  /** How many of its bodies are out, and how many may be. */
  readonly out: number;
  readonly most: number;
  /** The index of the name that was added last; 0 at first. */
  readonly last: number;
};

/** Said where the level allows no spawning. */
export const NOTHING_TO_ADD = 'In this scene nothing can be added or removed.';

/** Where a new body goes, seen from a player. */
export type Spot = {
  /** Metres along the floor from the head to the near side of the body, at least. */
  readonly away: number;
  /** Radians: a long body goes so far away that it takes no more than this across the view. */
  readonly across: number;
  /** Radians to the left or right at which its middle may be, at most. */
  readonly aside: number;
};

/** Metres above the floor from which a new body drops, and to what lies around it, at least. */
const DROP = 0.2;
const ROOM = 0.12;
/** The places that are tried in turn for a new body: radians to the left; and multiples of the usual distance. */
const ASIDE = [0, 0.35, -0.35, 0.7, -0.7] as const;
const FARTHER = [1, 1.35, 1.7] as const;
/** Metres by which a new body is put higher if something is in its place, and how often at the most. */
const HIGHER = 0.35;
const TRIES = 6;
/** Ticks to wait for the host to confirm that a guest has the body that it wants to remove. */
const PATIENCE = 3 * TICK_RATE;
const UP = vector(0, 1, 0);
const FORWARD = vector(0, 0, -1);

type Removal = { readonly body: BodyId; left: number; hasAsked: boolean };

/** [S2] [S3] Adds bodies before the player, removes them, and says in one sentence why not. */
export class Adding {
  readonly #say: (sentence: string) => void;
  readonly #nameOf: (slot: Slot) => string;
  #peer: Peer | null = null;
  #events = 0;
  #last = 0;
  /** The bodies that were added, the newest at the end; some are gone. */
  readonly #added: BodyId[] = [];
  #removals: Removal[] = [];

  /**
   * @param say shows a sentence to the player.
   * @param nameOf the name of another player.
   */
  constructor(say: (sentence: string) => void, nameOf: (slot: Slot) => string) {
    this.#say = say;
    this.#nameOf = nameOf;
  }

  /** Null where the level allows no spawning. */
  stateOf(world: AddingWorld): AddingState | null {
    const { level } = world;
    // Only the first slots have ids in most levels.
    if (idsOf(level, world.peer.diagnostics.slot) === 0) return null;
    return {
      names: spawnNamesOf(level),
      out: ownBodies(world).length,
      most: level.spawning.perPlayer,
      last: this.#last,
    };
  }

  /**
   * Adds a body before a head, above what lies there.
   * @param kind an index of the names; the last one that was added if it is left out.
   * @returns its id; NO_BODY if it was refused, which the player reads.
   */
  add({ peer, level }: AddingWorld, head: ReadonlyPose, spot: Spot, kind = this.#last): BodyId {
    const template = level.spawning.templates.at(kind);
    if (template === undefined) return NO_BODY;
    this.#last = kind;
    const pose = placeBefore(peer, head, spot, template);
    const added = peer.spawn({ template, pose, linear: vector(), angular: vector() });
    if (typeof added === 'string') {
      this.#say(refusalSentence(added, level.spawning.perPlayer));
      return NO_BODY;
    }
    this.#added.push(added);
    return added;
  }

  /** Removes a body that this player has added; the host may remove what anybody has added. */
  remove(world: AddingWorld, body: BodyId): void {
    const { peer, level } = world;
    const isAdded = body >= level.bodies.length;
    if (body === NO_BODY) this.#say('Point at something that you have added, to remove it.');
    else if (!isAdded) this.#say('This belongs to the scene, so it stays. You can remove what was added.');
    else if (!ownBodies(world).includes(body) && !peer.isHost)
      this.#say('Somebody else has added this. You can remove what you have added.');
    else if (!this.#removals.some((removal) => removal.body === body))
      this.#removals.push({ body, left: PATIENCE, hasAsked: false });
  }

  /** Removes the newest of this player's bodies. */
  removeLast(world: AddingWorld): void {
    const own = ownBodies(world);
    while (this.#added.length > 0 && !own.includes(this.#added[this.#added.length - 1])) this.#added.pop();
    const body = this.#added.pop() ?? own.at(-1);
    if (body === undefined) this.#say('You have nothing left to remove.');
    else this.remove(world, body);
  }

  removeAll(world: AddingWorld): void {
    const own = ownBodies(world);
    if (own.length === 0) this.#say('You have nothing left to remove.');
    for (const body of own) this.remove(world, body);
  }

  /** Call it in each tick: it removes bodies once that is allowed, and says what the host has refused. */
  tick({ peer }: AddingWorld): void {
    if (peer !== this.#peer) {
      this.#peer = peer;
      this.#events = peer.diagnostics.events.total;
      this.#added.length = 0;
      this.#removals = [];
    }
    peer.diagnostics.events.each(this.#events, this.#onEvent);
    this.#events = peer.diagnostics.events.total;
    if (this.#removals.length > 0)
      this.#removals = this.#removals.filter((each) => this.#isWaiting(peer, each));
  }

  /** Tries to remove a body. @returns true if it is to be tried again. */
  #isWaiting(peer: Peer, removal: Removal): boolean {
    const { body } = removal;
    const { authority } = peer.diagnostics.bodies.records;
    if (peer.despawn(body) !== 'not yours') return false;
    const has = authority[body] as Slot;
    if (has !== NO_SLOT && has !== peer.diagnostics.slot) {
      this.#say(`${this.#nameOf(has)} has it. Wait until it lies still.`);
      return false;
    }
    // [S3.1] A guest removes what it has, and the host has confirmed.
    if (has === NO_SLOT && !removal.hasAsked) removal.hasAsked = peer.act({ kind: 'take', body }) === null;
    if (--removal.left > 0) return true;
    this.#say('The host did not answer, so it stays.');
    return false;
  }

  readonly #onEvent = ({ kind, rule, slot }: Readonly<PeerEvent>): void => {
    if (kind === 'refuse' && rule === 'S2' && slot === this.#peer?.diagnostics.slot && !this.#peer.isHost)
      this.#say('The host took it back: you add things too fast, or it is not allowed.');
  };
}

/** The bodies under the ids of a world's player, ascending. */
function ownBodies({ peer, level }: AddingWorld): BodyId[] {
  const { slot, bodies } = peer.diagnostics;
  const first = firstIdOf(level, slot);
  return Array.from({ length: level.spawning.perPlayer }, (_, i) => (first + i) as BodyId).filter((body) =>
    bodies.exists(body),
  );
}

/** The sentence for a body that was not added. @param most bodies that a player may have out. */
export function refusalSentence(refusal: SpawnRefusal, most: number): string {
  switch (refusal) {
    case 'too many':
      return `You have added ${most}, and more are not allowed. Remove one first.`;
    case 'too fast':
      return 'Not so fast: wait a moment.';
    case 'bounds':
      return 'There is no room for it here.';
    case 'no world':
      return 'The world is not here yet. Try again in a moment.';
    case 'not allowed':
    case 'not yours':
    case 'no template':
    case 'no body':
    case 'jointed':
      return 'This scene does not allow it.';
  }
}

/**
 * A pose before a head, turned as the head is, above a free place of the floor: straight ahead, a little aside, or
 * farther away. Where all is full, it is above what lies there.
 */
function placeBefore(peer: Peer, head: ReadonlyPose, spot: Spot, { shape }: Template): ReadonlyPose {
  const ahead = rotate(head.rotation, FORWARD, vector());
  const yaw = Math.atan2(-ahead.x, -ahead.z);
  const rotation = fromAxisAngle(UP, yaw, quaternion());
  const half = halfSize(shape, vector());
  const radius = Math.min(0.4, Math.max(half.x, half.y, half.z));
  const low = reachBelow(shape, rotation);
  const far = Math.max(spot.away + half.z, (2 * half.x) / spot.across);
  const placeAt = (aside: number, distance: number): Vector => {
    const { x, z } = head.position;
    return vector(x - Math.sin(yaw + aside) * distance, low + DROP, z - Math.cos(yaw + aside) * distance);
  };
  for (const times of FARTHER)
    for (const aside of ASIDE) {
      if (Math.abs(aside) > spot.aside) continue;
      const position = placeAt(aside, far * times);
      if (peer.diagnostics.overlapSphere(position, radius + ROOM) === NO_BODY) return { position, rotation };
    }
  const position = placeAt(0, far);
  for (let i = 0; i < TRIES && peer.diagnostics.overlapSphere(position, radius) !== NO_BODY; i++)
    position.y += HIGHER;
  return { position, rotation };
}
