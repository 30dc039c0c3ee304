import type { Lineage, Link } from '../identity/lineage.ts';
import { extended, newLineage } from '../identity/lineage.ts';
import type { Home } from '../messages.ts';
import { nextTerm } from '../term.ts';
import type { Stay } from './guest-state.ts';
import type { Decision } from './succession.ts';

/** [P5] A guest that becomes host: under which term, and why it may. */
export type Claim = {
  readonly term: number;
  readonly lineage: Lineage;
  /** The last host with a majority; null if this one has a majority. */
  readonly home: Home | null;
  /** [F4.35] The host before has handed the room over, and comes, too. */
  readonly awaitsHost: boolean;
};

/**
 * @param hasLine the guest still has its line to the host before.
 * @returns the claim of a guest that has decided to become host.
 */
export function claimOf(
  stay: Stay,
  decision: Extract<Decision, { kind: 'become host' }>,
  hasLine: boolean,
): Claim | null {
  const { slot, lineage } = stay.welcome;
  const key = stay.roster.players.find((player) => player.slot === slot)?.key;
  if (key === undefined) return null;
  const term = nextTerm(stay.welcome.term, slot);
  const { home } = decision;
  const awaitsHost = hasLine && decision.by === 'handover' && stay.succession.hostStays;
  const link = linkOf(stay, decision, { key, term });
  // Without any evidence, its part of the room begins anew.
  return {
    term,
    home,
    awaitsHost,
    lineage: link === null ? newLineage(key, lineage.salt, term) : extended(lineage, link),
  };
}

function linkOf(
  { welcome, ballots, voters }: Stay,
  decision: Extract<Decision, { kind: 'become host' }>,
  { key, term }: Pick<Link, 'key' | 'term'>,
): Link | null {
  switch (decision.by) {
    case 'handover':
      return { kind: 'handover', term, key, signature: decision.handover };
    case 'votes':
      return ballots.linkByVotes(welcome.slot, key, term, voters());
    case 'alone':
      return ballots.linkAlone(key, term);
  }
}
