import type { Standing } from '../messages.ts';
import type { Stay } from './guest-state.ts';

/**
 * [F4] The standing of a guest after its decision: which host it has, and for whom it votes.
 * @param missesHost it does not hear that host, or the host has left.
 */
export function standingOf(stay: Stay, missesHost: boolean): Standing {
  const { ballots, decision, roster, succession, welcome } = stay;
  const { term } = welcome;
  const { vote } = succession;
  // A guest that becomes host proves it by its vote.
  const ballot =
    decision.kind === 'become host' ? ballots.ballot : ballots.vote(missesHost ? vote : null, term);
  return { kind: 'standing', host: roster.host, term, hears: !missesHost, vote, ballot };
}
