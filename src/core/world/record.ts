import type { BodyId, Existence, Hold, Sequence, Slot } from '../base/ids.ts';
import { KEPT, NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { BodiesUnlike } from '../base/bodies-unlike.ts';
import { AS_AT_START } from './existence.ts';
import { Islands } from './joints/islands.ts';
import { copyState, sameState, STRIDE } from '../base/state.ts';

/** The part of a record that packets carry: who has authority over a body, which hand holds it, and the sequences. */
export type Claim = {
  authority: Slot;
  /** The hand of `authority` that holds the body, or NOT_HELD. */
  hold: Hold;
  ownershipSequence: Sequence;
  authoritySequence: Sequence;
  /** [S1] */
  existence: Existence;
};

/**
 * One peer's records of all bodies, in typed arrays: the claim, the peer's own notes on it, and the quantised state of
 * the body (STATE in base/state.ts).
 */
export class Records {
  readonly count: number;
  /** [J2] The bodies that joints tie together: they share a claim. */
  readonly islands: Islands;
  /** The slot that has authority, or NO_SLOT. */
  readonly authority: Int8Array;
  /** The hand of `authority` that holds the body, or NOT_HELD. */
  readonly hold: Uint8Array;
  readonly ownershipSequence: Uint16Array;
  readonly authoritySequence: Uint16Array;
  /** [S1] See existence.ts. */
  readonly existence: Uint16Array;
  /** 1 if the host has agreed to this peer's authority. */
  readonly confirmed: Uint8Array;
  /** 1 if this guest has given the body back and the host has not yet taken it. */
  readonly pendingCommit: Uint8Array;
  /** Host only, [H3]: the ownership sequence in the last accepted claim of the player that has authority. */
  readonly acceptedOwnership: Uint16Array;
  /** Guest only, [H8]: 1 if the host's next ruling is to be taken over whole. */
  readonly stale: Uint8Array;
  /** 1 if the body is at rest [R2]: its state is frozen. */
  readonly resting: Uint8Array;
  /** Counts how often the body has come to rest, or rests at another place. Every writer of rest counts. Wraps. */
  readonly restPlaces: Uint16Array;
  /** Ticks since the body came to rest, or was last touched by an awake body of its authority; saturates. */
  readonly restTicks: Uint16Array;
  /** STRIDE whole numbers a body, laid out as STATE. */
  readonly state: Int32Array;
  /** The bodies that are under a player. */
  readonly owned: BodiesUnlike;
  /** The bodies that a player holds or keeps. */
  readonly held: BodiesUnlike;
  /** The bodies whose record is not at rest. */
  readonly notAtRest: BodiesUnlike;
  /** [A15] For each body, as bits, actions that its template forbids guests: see forbiddenBy. It is not on the wire. */
  readonly forbidden: Uint8Array;

  /**
   * @param count bodies in the world.
   * @param islands of the same bodies; by default all are loose.
   */
  constructor(count: number, islands = new Islands(count, [])) {
    this.count = count;
    this.islands = islands;
    this.authority = new Int8Array(count).fill(NO_SLOT);
    this.hold = new Uint8Array(count);
    this.ownershipSequence = new Uint16Array(count);
    this.authoritySequence = new Uint16Array(count);
    this.existence = new Uint16Array(count).fill(AS_AT_START);
    this.confirmed = new Uint8Array(count);
    this.pendingCommit = new Uint8Array(count);
    this.acceptedOwnership = new Uint16Array(count);
    this.stale = new Uint8Array(count);
    this.resting = new Uint8Array(count);
    this.forbidden = new Uint8Array(count);
    this.restPlaces = new Uint16Array(count);
    this.restTicks = new Uint16Array(count);
    this.state = new Int32Array(count * STRIDE);
    this.owned = new BodiesUnlike(this.authority, NO_SLOT);
    this.held = new BodiesUnlike(this.hold, NOT_HELD);
    this.notAtRest = new BodiesUnlike(this.resting, 1);
  }

  /** Puts every body under nobody, with all sequences 0 and all states 0; the caller fills the states. */
  clear(): void {
    this.authority.fill(NO_SLOT);
    for (const field of [
      this.hold,
      this.confirmed,
      this.pendingCommit,
      this.stale,
      this.resting,
      this.forbidden,
    ])
      field.fill(0);
    for (const field of [this.ownershipSequence, this.authoritySequence, this.acceptedOwnership])
      field.fill(0);
    this.existence.fill(AS_AT_START);
    this.restPlaces.fill(0);
    this.restTicks.fill(0);
    this.state.fill(0);
  }
}

/**
 * Copies a body's state to where states are kept, and counts a new place of rest.
 * @param state the first STRIDE numbers.
 */
export function putState(
  to: Pick<Records, 'resting' | 'restPlaces' | 'state'>,
  body: BodyId,
  rests: boolean,
  state: Int32Array,
): void {
  const at = body * STRIDE;
  const restsOn = to.resting[body] === 1 && sameState(state, 0, to.state, at);
  if (rests && !restsOn) to.restPlaces[body]++;
  to.resting[body] = rests ? 1 : 0;
  copyState(state, 0, to.state, at);
}

/** A new claim: of nobody, with sequences 0. */
export function claim(): Claim {
  return {
    authority: NO_SLOT,
    hold: NOT_HELD,
    ownershipSequence: 0 as Sequence,
    authoritySequence: 0 as Sequence,
    existence: AS_AT_START,
  };
}

/** Fills `out` with the claim in a body's record; returns it. */
export function readClaim(records: Records, body: BodyId, out: Claim): Claim {
  out.authority = records.authority[body] as Slot;
  out.hold = records.hold[body] as Hold;
  out.ownershipSequence = records.ownershipSequence[body] as Sequence;
  out.authoritySequence = records.authoritySequence[body] as Sequence;
  out.existence = records.existence[body] as Existence;
  return out;
}

/**
 * [J2.1] After a change of a body's claim: gives the other parts of its island the same authority and sequences, and the
 * notes on them. What hands hold stays per part; but an island is kept whole or not at all, and changes hands whole.
 */
export function shareClaim(records: Records, body: BodyId): void {
  const { islands } = records;
  if (!islands.hasOthers(body)) return;
  const parts = islands.parts[body];
  const { authority, hold, ownershipSequence, authoritySequence, acceptedOwnership } = records;
  const { confirmed, pendingCommit, stale } = records;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === body) continue;
    if (hold[body] === KEPT) hold[part] = KEPT;
    else if (hold[part] === KEPT || authority[part] !== authority[body]) hold[part] = NOT_HELD;
    authority[part] = authority[body];
    ownershipSequence[part] = ownershipSequence[body];
    authoritySequence[part] = authoritySequence[body];
    acceptedOwnership[part] = acceptedOwnership[body];
    confirmed[part] = confirmed[body];
    pendingCommit[part] = pendingCommit[body];
    stale[part] = stale[body];
  }
}

/** [J2.2] How an island is held: as this body is, or else as one of its other parts; NOT_HELD if none of them is. */
export function holdOfIsland({ hold, islands }: Records, body: BodyId): Hold {
  if (hold[body] !== NOT_HELD || !islands.hasOthers(body)) return hold[body] as Hold;
  const parts = islands.parts[body];
  for (let i = 0; i < parts.length; i++) if (hold[parts[i]] !== NOT_HELD) return hold[parts[i]] as Hold;
  return NOT_HELD;
}

/** Writes a claim to a body's record; the rest of the record stays, and so do the other parts of its island. */
export function writeClaim(from: Readonly<Claim>, records: Records, body: BodyId): void {
  records.authority[body] = from.authority;
  records.hold[body] = from.hold;
  records.ownershipSequence[body] = from.ownershipSequence;
  records.authoritySequence[body] = from.authoritySequence;
  records.existence[body] = from.existence;
}

/** Copies a claim; returns `out`. */
export function copyClaim(from: Readonly<Claim>, out: Claim): Claim {
  out.authority = from.authority;
  out.hold = from.hold;
  out.ownershipSequence = from.ownershipSequence;
  out.authoritySequence = from.authoritySequence;
  out.existence = from.existence;
  return out;
}

/** True if two claims are equal in all fields. */
export function sameClaim(a: Readonly<Claim>, b: Readonly<Claim>): boolean {
  return (
    a.authority === b.authority &&
    a.hold === b.hold &&
    a.ownershipSequence === b.ownershipSequence &&
    a.authoritySequence === b.authoritySequence &&
    a.existence === b.existence
  );
}
