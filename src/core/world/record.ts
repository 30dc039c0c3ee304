import type { BodyId, Hold, Sequence, Slot } from '../base/ids.ts';
import { NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { copyState, sameState, STRIDE } from '../base/state.ts';

/** What is said of a body: who has it, in which hand, and by which sequences. Packets carry this. */
export type Claim = {
  authority: Slot;
  /** The hand of `authority` that holds the body. */
  hold: Hold;
  ownershipSequence: Sequence;
  authoritySequence: Sequence;
};

/**
 * What one peer believes of every body, in typed arrays: the claim, what that peer alone needs to know
 * about it, and the quantised state of the body (STATE in base/state.ts).
 */
export class Records {
  readonly count: number;
  readonly authority: Int8Array;
  readonly hold: Uint8Array;
  readonly ownershipSequence: Uint16Array;
  readonly authoritySequence: Uint16Array;
  /** 1 if the host has agreed to this peer's authority. */
  readonly confirmed: Uint8Array;
  /** 1 if this guest has given the body back and the host has not yet taken it. */
  readonly pendingCommit: Uint8Array;
  /** Host only, [H3]: the ownership sequence in the last accepted claim of whoever has the body. */
  readonly acceptedOwnership: Uint16Array;
  /** Guest only, [H8]: 1 if the host's next word is to be adopted whole. */
  readonly stale: Uint8Array;
  /** 1 if the body is at rest [R2]: its state is frozen. */
  readonly resting: Uint8Array;
  /** Counts how often the body has come to rest, or rests elsewhere than before: who writes that counts. Wraps. */
  readonly restPlaces: Uint16Array;
  /** Ticks since the body came to rest, or was last touched by an awake body of its authority; saturates. */
  readonly restTicks: Uint16Array;
  /** STRIDE whole numbers a body. */
  readonly state: Int32Array;

  constructor(count: number) {
    this.count = count;
    this.authority = new Int8Array(count).fill(NO_SLOT);
    this.hold = new Uint8Array(count);
    this.ownershipSequence = new Uint16Array(count);
    this.authoritySequence = new Uint16Array(count);
    this.confirmed = new Uint8Array(count);
    this.pendingCommit = new Uint8Array(count);
    this.acceptedOwnership = new Uint16Array(count);
    this.stale = new Uint8Array(count);
    this.resting = new Uint8Array(count);
    this.restPlaces = new Uint16Array(count);
    this.restTicks = new Uint16Array(count);
    this.state = new Int32Array(count * STRIDE);
  }

  /** Back to the start: nobody has anything; states are the caller's to fill. */
  clear(): void {
    this.authority.fill(NO_SLOT);
    for (const field of [this.hold, this.confirmed, this.pendingCommit, this.stale, this.resting])
      field.fill(0);
    for (const field of [this.ownershipSequence, this.authoritySequence, this.acceptedOwnership])
      field.fill(0);
    this.restPlaces.fill(0);
    this.restTicks.fill(0);
    this.state.fill(0);
  }
}

/** Writes a state of a body there where states are kept; where it rests is counted. */
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

export function claim(): Claim {
  return {
    authority: NO_SLOT,
    hold: NOT_HELD,
    ownershipSequence: 0 as Sequence,
    authoritySequence: 0 as Sequence,
  };
}

/** The claim that stands in `records` for a body. */
export function readClaim(records: Records, body: BodyId, out: Claim): Claim {
  out.authority = records.authority[body] as Slot;
  out.hold = records.hold[body] as Hold;
  out.ownershipSequence = records.ownershipSequence[body] as Sequence;
  out.authoritySequence = records.authoritySequence[body] as Sequence;
  return out;
}

export function writeClaim(from: Readonly<Claim>, records: Records, body: BodyId): void {
  records.authority[body] = from.authority;
  records.hold[body] = from.hold;
  records.ownershipSequence[body] = from.ownershipSequence;
  records.authoritySequence[body] = from.authoritySequence;
}

export function copyClaim(from: Readonly<Claim>, out: Claim): Claim {
  out.authority = from.authority;
  out.hold = from.hold;
  out.ownershipSequence = from.ownershipSequence;
  out.authoritySequence = from.authoritySequence;
  return out;
}

export function sameClaim(a: Readonly<Claim>, b: Readonly<Claim>): boolean {
  return (
    a.authority === b.authority &&
    a.hold === b.hold &&
    a.ownershipSequence === b.ownershipSequence &&
    a.authoritySequence === b.authoritySequence
  );
}
