import { DEDICATED_SLOT } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { Member } from '../core/room/member.ts';

/** Milliseconds that a dedicated host has to learn the room's world: some packets bring the largest one. */
const LEARNS_WITHIN_MS = 2500;

/** The part of a world that says of whom packets have come. */
type HeardWorld = { readonly peer: Pick<Peer, 'lastReceivedMs'> };

/** [N3.2] A player that is host gives the room back to its dedicated host, which is a guest meanwhile. */
export class ReturnOfDedicated {
  /** Since when packets of the dedicated host have come, on the clock of `tick`; null while none come. */
  #heardSinceMs: number | null = null;

  /** Call it once a tick. @param nowMs milliseconds. */
  tick(nowMs: number, member: Pick<Member, 'host' | 'roster' | 'giveTo'>, world: HeardWorld | null): void {
    const slot = DEDICATED_SLOT as Slot;
    const { host, roster } = member;
    const mayGive = host !== null && roster?.host !== slot;
    const dedicated = roster?.players.find((player) => player.slot === slot);
    // [N3.3]
    const isOurs = dedicated !== undefined && dedicated.key === host?.tenure.lineage.founder;
    const isHeard =
      isOurs && dedicated.presence === 'here' && (world?.peer.lastReceivedMs(slot) ?? -Infinity) > -Infinity;
    if (!mayGive || !isHeard) this.#heardSinceMs = null;
    else this.#heardSinceMs ??= nowMs;
    const sinceMs = this.#heardSinceMs ?? nowMs;
    if (nowMs - sinceMs >= LEARNS_WITHIN_MS) member.giveTo(slot);
  }
}
