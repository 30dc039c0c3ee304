import type { BodyId } from '../../../src/core/base/ids.ts';
import { load } from './actor.ts';
import {
  CLAIM,
  DISPUTED,
  DOWN,
  KNOWN,
  MOTION_KIND,
  OLDER,
  TO_SAY,
  UP,
  UP_CLAIMS,
  WORD,
} from '../state/layout.ts';
import type { MoveContext } from './move-context.ts';
import type { Move } from './moves.ts';

/** A sender's knowledge: what its receiver has, and what must still be sent. */

const HOST = 0;
type Arrival = Extract<Move, { readonly kind: 'arrive' }>;

/** The sender knows what has arrived. The packet that carries the ack has answered every rejection. */
export function noteKnown(
  { layout, says }: MoveContext,
  next: Uint8Array,
  { guest, way, index }: Arrival,
  which: number,
): void {
  const at = index < 0 ? -1 : layout.packet(guest, way, index);
  const same = at < 0 ? which : next[at + OLDER.same];
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    if (((same >> body) & 1) === 0) continue;
    const cell = layout.known(guest, way, body);
    if (!isKept(says[way][guest], way, body)) next[cell] = TO_SAY;
    else if (at < 0 || next[cell] !== DISPUTED) next[cell] = KNOWN;
  }
  if (at >= 0) next.fill(0, at, at + OLDER.head + layout.sizeOf(way));
}

/** True for updates that are not sent again once acked: all but motion. */
function isKept(words: Uint8Array, way: number, body: number): boolean {
  if (way === DOWN) return words[body * WORD.size + WORD.kind] !== 1 + MOTION_KIND;
  const at = UP_CLAIMS + body * CLAIM.size;
  return words[at + CLAIM.said] === 1 && words[at + CLAIM.kind] !== MOTION_KIND;
}

/** The bodies that a sender has to send, as bits. */
export function neededIn({ layout, actors, says, before }: MoveContext, guest: number, way: number): number {
  if (!layout.poses) return -1;
  const { peer } = actors[way === UP ? guest : HOST];
  load(actors[way === UP ? guest : HOST], layout, before);
  let which = 0;
  for (let body = 0; body < layout.bodies; body++) {
    const known = before[layout.known(guest, way, body)];
    const insists = peer.policy.insists(peer, body as BodyId);
    if (known !== KNOWN || insists || !isKept(says[way][guest], way, body)) which |= 1 << body;
  }
  return which;
}
