import type { Slot } from '../base/ids.ts';
import { NO_SLOT } from '../base/ids.ts';
import type { Decision } from './decide.ts';
import { absenceOf, generationOf } from './existence.ts';
import type { Claim } from './record.ts';

/** The two sides of a decision on whether a body exists. */
export type ExistenceClaim = {
  readonly local: Readonly<Claim>;
  readonly incoming: Readonly<Claim>;
  /** True if there is a body by the host's record; and by the claim. */
  readonly isHere: boolean;
  readonly isClaimed: boolean;
  /** True for an id that is set aside for spawning; and for one that is set aside for the sender. */
  readonly isForSpawning: boolean;
  readonly isSenders: boolean;
  readonly sender: Slot;
};

const spawn = { verdict: 'accept', rule: 'S2' } as const;
const refuse = { verdict: 'refuse', rule: 'S2' } as const;
const despawn = { verdict: 'accept', rule: 'S3' } as const;
const outdated = { verdict: 'override', rule: 'S4' } as const;

/**
 * [S2] to [S4] Decides on the host a claim of which the existence differs from the record's, or that wants to have an id
 * without a body.
 * @param bySequences the decision that the sequences alone lead to.
 * @param maySpawn true if the sender may spawn a body of this template and id now.
 */
export function decideExistence(
  { local, incoming, isHere, isClaimed, isForSpawning, isSenders, sender }: ExistenceClaim,
  bySequences: Decision,
  maySpawn: boolean,
): Decision {
  const isForAnother = incoming.authority !== sender && incoming.authority !== NO_SLOT;
  if (isForAnother || bySequences.rule === 'H5') return bySequences;
  const isNewer = bySequences.verdict === 'accept' && bySequences.rule !== 'A4';
  const generations = (generationOf(incoming.existence) - generationOf(local.existence)) & 0xff;
  if (!isHere && isClaimed && generations === 0 && incoming.authority === sender) {
    // The sequences are equal, but the claim was never accepted. If the host did not move on, both sides would reject
    // each other for ever.
    const isEqual = bySequences.rule === 'A4';
    if (!isNewer) return isEqual || bySequences.verdict === 'accept' ? outdated : bySequences;
    // A refusal begins a new generation. That would undo a spawn by the player whose id it is.
    if (!isSenders) return outdated;
    return maySpawn ? spawn : refuse;
  }
  const despawns =
    isHere && isForSpawning && generations === 1 && absenceOf(incoming.existence) === 'despawned';
  // [S3.1] A player may also despawn a body that it holds or keeps by the record.
  const mayDespawn = isNewer || bySequences.rule === 'A7';
  if (despawns && mayDespawn && incoming.authority === NO_SLOT) return despawn;
  const isOlder = bySequences.rule === 'A1' || bySequences.rule === 'A2';
  return bySequences.verdict === 'reject' && isOlder ? bySequences : outdated;
}
