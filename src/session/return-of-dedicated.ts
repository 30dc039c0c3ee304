import { DEDICATED_SLOT } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { Member } from '../core/room/member.ts';

/** [N3.2] Milliseconds for which the dedicated host must have been heard: others open their lines to it meanwhile. */
const HEARD_FOR_MS = 2500;
/** [N3.2] The same for a player who is alone with it. */
const HEARD_ALONE_MS = 500;
/** [N3.2] Milliseconds for which it must have acked every body: it shows the last of them a moment later. */
const KNOWS_FOR_MS = 500;

/** The part of a world that says of whom packets have come, and what has arrived there. */
type HeardWorld = { readonly peer: Pick<Peer, 'lastReceivedMs' | 'hasAcked'> };

/** [N3.2] A player that is host gives the room to its dedicated host, which is a guest meanwhile. */
export class ReturnOfDedicated {
  /** Since when packets of the dedicated host have come, on the clock of `tick`; null while none come. */
  #heardSinceMs: number | null = null;
  /** Since when it has acked every body; null while it has not. */
  #knowsSinceMs: number | null = null;

  /** Call it once a tick. @param nowMs milliseconds. */
  tick(nowMs: number, member: Pick<Member, 'host' | 'roster' | 'giveTo'>, world: HeardWorld | null): void {
    const slot = DEDICATED_SLOT as Slot;
    const { host, roster } = member;
    const mayGive = host !== null && roster?.host !== slot;
    const dedicated = roster?.players.find((player) => player.slot === slot);
    // [N3.3] [N3.4]
    const isOurs =
      dedicated !== undefined &&
      (dedicated.key === host?.tenure.lineage.founder || dedicated.key === host?.invited);
    const isHeard =
      isOurs && dedicated.presence === 'here' && (world?.peer.lastReceivedMs(slot) ?? -Infinity) > -Infinity;
    if (!mayGive || !isHeard) this.#heardSinceMs = null;
    else this.#heardSinceMs ??= nowMs;
    const heardForMs = nowMs - (this.#heardSinceMs ?? nowMs);
    const hasOthers = roster?.players.some(
      (player) => player.presence === 'here' && player.slot !== slot && player.slot !== roster.host,
    );
    const mostMs = hasOthers === false ? HEARD_ALONE_MS : HEARD_FOR_MS;
    // Only then is it worth asking every body.
    const knowsAll = heardForMs >= mostMs - KNOWS_FOR_MS && world?.peer.hasAcked(slot) === true;
    if (!knowsAll) this.#knowsSinceMs = null;
    else this.#knowsSinceMs ??= nowMs;
    const knowsForMs = nowMs - (this.#knowsSinceMs ?? nowMs);
    if (heardForMs >= mostMs && knowsForMs >= KNOWS_FOR_MS) member.giveTo(slot);
  }
}
