import type { AskedServices } from '../../room/config.ts';

/** @returns one line that tells the player which services the browser asks on the way to friends, and for what. */
export function askedSentence({ broker, stun, turn }: AskedServices): string {
  const asked = [
    ...(broker === null ? [] : [`${broker} who is in a room`]),
    ...(stun.length === 0 ? [] : [`${listed(stun)} for your address`]),
    ...(turn.length === 0 ? [] : [`${listed(turn)} to relay`]),
  ];
  if (asked.length === 0) return 'To reach friends, your browser asks this site’s server and nobody else.';
  return `To reach friends, your browser asks ${listed(asked)}.`;
}

/** @returns what players learn of each other. */
export function learntSentence({ relayOnly }: AskedServices): string {
  return relayOnly
    ? 'Players in a room connect through a relay, so they don’t learn each other’s network address.'
    : 'In rooms for up to eight, players connect directly, so they learn each other’s network address.';
}

/** @param parts at least one. */
function listed(parts: readonly string[]): string {
  const [last] = parts.slice(-1);
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
