import type { Slot } from '../../base/ids.ts';
import { nextTerm } from '../term.ts';
import type { RoomId, Signature } from './key.ts';
import type { Lineage } from './lineage.ts';
import { extended, hostsOf, MAX_PARTS, partsOf, reignOf, roomIdOf } from './lineage.ts';
import { handoverText } from './statements.ts';

/** A new term of the present host, as long as nobody has signed it. */
export type Renewal = {
  readonly room: RoomId;
  readonly term: number;
  /** The host signs this text. */
  readonly text: string;
  /** @returns the lineage with the new term. */
  readonly signed: (signature: Signature) => Lineage;
};

/**
 * [N6.2] A host goes on in its room under a newer term: it hands the room over to itself. Its players follow it as they
 * follow any next host, and whoever has met it under the new term takes the old one for older.
 * @param slot of that host.
 */
export function renewalOf(lineage: Lineage, slot: Slot): Renewal {
  const room = roomIdOf(lineage);
  const term = nextTerm(reignOf(lineage).term, slot);
  const base = withPlace(lineage);
  const { key, term: before } = reignOf(base);
  return {
    room,
    term,
    text: handoverText(room, { term: before, next: term, heir: key }),
    signed: (signature) => extended(base, { kind: 'handover', term, key, signature }),
  };
}

/**
 * A lineage that is as long as it may be ends with the first reign of the present host: otherwise it would begin anew,
 * and links would lead to another room.
 */
function withPlace(lineage: Lineage): Lineage {
  if (partsOf(lineage.links) < MAX_PARTS) return lineage;
  const first = hostsOf(lineage).indexOf(reignOf(lineage).key);
  return { ...lineage, links: lineage.links.slice(0, first) };
}
