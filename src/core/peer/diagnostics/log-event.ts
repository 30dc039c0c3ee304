import type { BodyId, Slot } from '../../base/ids.ts';
import type { Rule } from '../../world/decide.ts';
import type { PeerState } from '../peer-state.ts';
import type { EventLog } from './event-log.ts';

/**
 * Adds an event of this tick to the peer's log.
 * @param rule the mark of the rule behind it; '' if it has none.
 * @param slot the player that it is about.
 */
export function logEvent(
  peer: PeerState,
  kind: Parameters<EventLog['add']>[1],
  rule: Rule | 'R4' | '',
  body: BodyId,
  slot: Slot,
): void {
  peer.log.add(peer.tick, kind, rule, body, slot);
}
