import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { BodySet } from '../../base/body-set.ts';
import { ChangedBodies } from '../../base/changed-bodies.ts';
import type { PeerState } from '../peer-state.ts';

/** The bit at which the flags of a record begin, above the two slots. */
const RECORD_AT = 16;
/** The bit at which the count of rest places begins; the higher bits of the count do not fit. */
const PLACES_AT = 22;

/**
 * A version number for each body: it grows when what a peer may have to send of the body changes. It is computed once
 * a tick for all receivers. The records are compared with those of the last tick, so that no rule can forget to report
 * a change; only rest places are counted where they are written. The state of a moving body does not count: it is sent
 * in any case, or not at all.
 */
export class BodyVersions {
  /** The versions by body: counted from 0, and valid until the next update. */
  readonly versions: Int32Array;
  /** The bodies whose version grew at the last update. Read only. */
  readonly changed: BodySet;
  /** The first `movingCount` are the bodies that moved at the last update or the one before, as they are sent. */
  readonly moving: Int16Array;
  movingCount = 0;
  /** Authority, author of the relayed state, flags of the record, whether it has a joint, and rest place, as packed at the last update. */
  readonly #flags: Int32Array;
  /** Both sequences at the last update: ownership in the high half, authority in the low half. */
  readonly #sequences: Int32Array;
  /** The existences at the last update [S1]. */
  readonly #existences: Uint16Array;
  /** The bodies that are not at rest, as they are sent. */
  readonly #movers: BodySet;
  /** Scratch: the bodies that are looked at. */
  readonly #candidates: BodySet;
  /** The records and relayed states in which they may have changed. */
  readonly #watched: ChangedBodies;
  #policy: PeerState['policy'] | null = null;

  /** @param peer whose bodies they are. */
  constructor({ bodies: { count, records }, relay }: Pick<PeerState, 'bodies' | 'relay'>) {
    this.versions = new Int32Array(count);
    this.changed = new BodySet(count);
    this.moving = new Int16Array(count);
    this.#flags = new Int32Array(count);
    this.#sequences = new Int32Array(count);
    this.#existences = new Uint16Array(count);
    this.#movers = new BodySet(count);
    this.#candidates = new BodySet(count);
    this.#watched = new ChangedBodies([
      records.authority,
      records.hold,
      records.confirmed,
      records.pendingCommit,
      records.resting,
      records.restPlaces,
      records.ownershipSequence,
      records.authoritySequence,
      records.existence,
      records.islands.isJointed,
      relay.author,
      relay.resting,
      relay.restPlaces,
    ]);
  }

  /** Compares all bodies. With another policy, as after a host migration, every body has changed. */
  update({ bodies, relay, policy, self }: PeerState): void {
    const { authority, hold, confirmed, pendingCommit, resting, restPlaces } = bodies.records;
    const { ownershipSequence, authoritySequence, existence } = bodies.records;
    const { isJointed } = bodies.records.islands;
    const versions = this.versions;
    const knownFlags = this.#flags;
    const knownSequences = this.#sequences;
    const knownExistences = this.#existences;
    const isOther = this.#policy !== policy;
    this.#policy = policy;
    const movers = this.#movers;
    const candidates = this.#candidates;
    let moving = 0;
    this.changed.clear();
    candidates.clear();
    this.#watched.addTo(candidates);
    if (isOther) candidates.fill();
    candidates.addAll(movers);
    for (let body = candidates.next(NO_BODY); body !== NO_BODY; body = candidates.next(body)) {
      const has = authority[body];
      const isRelayed = policy.isHost && has !== NO_SLOT && has !== self;
      const rests = isRelayed ? relay.resting[body] : resting[body];
      const places = rests === 0 ? 0 : isRelayed ? relay.restPlaces[body] : restPlaces[body];
      const slots = (has & 0xff) | ((relay.author[body] & 0xff) << 8);
      // [W5.3] A body in a hand is sent while it has a joint, and no more once that is gone.
      const ties = (isJointed[body] << 5) | (hold[body] << 3);
      const bits = ties | (confirmed[body] << 2) | (pendingCommit[body] << 1) | rests;
      const flags = slots | (bits << RECORD_AT) | (places << PLACES_AT);
      const sequences = (ownershipSequence[body] << 16) | authoritySequence[body];
      if (rests === 0 || ((knownFlags[body] >> RECORD_AT) & 1) === 0) this.moving[moving++] = body;
      if (rests === 0) movers.add(body);
      else movers.delete(body);
      const isSame = flags === knownFlags[body] && sequences === knownSequences[body] && !isOther;
      if (isSame && existence[body] === knownExistences[body]) continue;
      knownExistences[body] = existence[body];
      knownFlags[body] = flags;
      knownSequences[body] = sequences;
      versions[body]++;
      this.changed.add(body);
    }
    this.movingCount = moving;
  }
}
