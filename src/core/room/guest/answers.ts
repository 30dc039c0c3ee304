import type { GuestEnd, GuestRoomOptions } from './guest-options.ts';
import type { GuestState } from './guest-state.ts';
import { followedBy, isInRoom, mayLeadAgain, stayOf } from './guest-state.ts';
import type { LineFailure } from '../line.ts';
import type { HostBye, HostMessage } from '../messages.ts';
import { readGuestMessage } from '../messages.ts';

/** The meaning of an answer to a guest that has asked to come in. */
export type Answer =
  /** The guest's part is over. */
  | { readonly kind: 'end'; readonly why: GuestEnd }
  /** Nothing comes of this line. */
  | { readonly kind: 'in vain'; readonly why: LineFailure };

/** @returns what another answer than a welcome means to a guest; null if it is no answer. */
export function meaningOf(message: HostMessage, state: GuestState, options: GuestRoomOptions): Answer | null {
  // A newer host that does not let this guest in ends nothing: the guest still has its own host, or waits for another.
  if (followedBy(state) !== null || mayLeadAgain(state, options))
    return { kind: 'in vain', why: 'not found' };
  // [F3.11] The next host may not know this guest yet, and a seat that waits for somebody is free soon.
  if (message.kind === 'refuse' && message.reason === 'full' && isInRoom(state))
    return { kind: 'in vain', why: 'no answer' };
  if (message.kind === 'refuse') return { kind: 'end', why: message.reason };
  if (message.kind !== 'bye') return null;
  // Another page may be host already.
  if (message.reason === 'host left') return { kind: 'in vain', why: 'no answer' };
  return { kind: 'end', why: message.reason };
}

/**
 * [F4.28] The answer to a page that asks a guest to come in: it is no host.
 * @returns null if that page has asked for nothing, or if this guest may be host in a moment.
 */
export function answerTo(text: string, state: GuestState): HostBye | 'malformed' | null {
  if (readGuestMessage(text)?.kind !== 'join') return 'malformed';
  const stay = stayOf(state);
  if (stay !== null && stay.succession.vote === stay.welcome.slot) return null;
  return { kind: 'bye', reason: 'host left', next: stay?.roster.host ?? null, handover: null };
}
