import type { Sequence } from '../../base/ids.ts';
import type { HostRecord } from '../../world/decide.ts';
import type { Claim } from '../../world/record.ts';
import { claim } from '../../world/record.ts';

/**
 * The two sides of a decision on one body, filled anew for each. A peer has one, so that a decision makes no garbage.
 */
export type DecisionContext = {
  /** This peer's record before the decision. On a guest `acceptedOwnership` is not filled. */
  readonly local: Claim & { acceptedOwnership: Sequence } & HostRecord;
  /** Host: the guest's claim. A guest reads the host's ruling from the packet. */
  readonly incoming: Claim;
};

/** A new context, of claims of nobody. */
export function decisionContext(): DecisionContext {
  return { local: { ...claim(), acceptedOwnership: 0 as Sequence }, incoming: claim() };
}
