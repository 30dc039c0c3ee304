import type { Slot } from '../core/base/ids.ts';
import type { Lineage } from '../core/room/identity/lineage.ts';
import { hostsOf } from '../core/room/identity/lineage.ts';
import type { Roster } from '../core/room/messages.ts';

/**
 * Returns the slots of the players who were host before the present host first became host, the first one first. Later
 * hosts are left out: otherwise two players could ask each other for the room for ever.
 */
export function formerHostsIn({ host, players }: Roster, lineage: Lineage): Slot[] {
  const slots = hostsOf(lineage).flatMap((key) => {
    const player = players.find((other) => other.key === key);
    return player === undefined ? [] : [player.slot];
  });
  const before = slots.includes(host) ? slots.slice(0, slots.indexOf(host)) : slots;
  return [...new Set(before)];
}
