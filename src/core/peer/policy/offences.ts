import type { Slot } from '../../base/ids.ts';
import type { PeerState } from '../peer-state.ts';

/** The offences of one packet that only a broken page, or a page that is not ours, sends: few of them are enough. */
const MALFORMED = 5;
/**
 * How much each reason counts as an offence; reasons that are not here count nothing. The packets of an honest peer
 * are not rejected for these reasons, whatever the network does to them, with two exceptions of some packets once in
 * a while: H2, when two players grab at once, and H1, for a commit that comes late.
 */
const OFFENCES: Readonly<Record<string, number>> = {
  'too long': MALFORMED,
  'truncated or out of range': MALFORMED,
  'trailing bits': MALFORMED,
  'unknown baseline': MALFORMED,
  'speaks for another': MALFORMED,
  flood: 1,
  A9: 1,
  H1: 1,
  H2: 1,
  H5: 1,
  H9: 1,
  S2: 1,
  V5: 1,
  E3: 1,
};

/**
 * Counts a rejected packet or claim by its reason.
 * @param from the sender, to which the offence is counted if the reason is one; omitted if nobody is to blame.
 */
export function reject(peer: PeerState, reason: string, from?: Slot): void {
  peer.rejections[reason] = (peer.rejections[reason] ?? 0) + 1;
  const link = from === undefined ? null : peer.links[from];
  if (link !== null && link !== undefined) link.offences += OFFENCES[reason] ?? 0;
}
