import type { Slot } from '../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import { LOST_AFTER_MS } from '../../../src/core/room/silence.ts';
import type { HandoverPage } from '../../support/handover/handover-page.ts';
import type { HandoverRoom } from '../../support/handover/handover-room.ts';

/** Milliseconds: as long as the broker keeps the door of a page that is gone. */
const WAS_HOST_MS = 20_000;
/** Milliseconds that a host's last words may be on their way. */
const ON_ITS_WAY_MS = 1000;

/** The fates of a room's honest pages, counted. */
export type Fates = {
  /** New hosts. */
  elections: number;
  /** New hosts while the host before was there, and awake. */
  falseElections: number;
  /** Guests that heard their host, which was still host, and turned to another. */
  takeovers: number;
  /** Hosts that stepped down while they heard a guest. */
  steppedDown: number;
  /** Ticks in which a guest had taken in packets of another term than its host's. */
  otherTerms: number;
  /**
   * Pages that had come in, and whose play ended for good, by reason; not those whose host was the liar once, or
   * whom a liar has ended that was host.
   */
  readonly ended: Record<string, number>;
  /** [F4.8] Pages that had come in, and found nobody at the door but a liar that was host and did not let them in. */
  shutOut: number;
  /** Takeovers and ends in words. */
  readonly told: string[];
};

/** @returns nothing has happened yet. */
export function noFates(): Fates {
  return {
    elections: 0,
    falseElections: 0,
    takeovers: 0,
    steppedDown: 0,
    otherTerms: 0,
    ended: {},
    shutOut: 0,
    told: [],
  };
}

/** Adds the second to the first. */
export function addFates(
  sum: Fates,
  { elections, falseElections, takeovers, steppedDown, otherTerms, shutOut, ended }: Fates,
): void {
  sum.elections += elections;
  sum.falseElections += falseElections;
  sum.takeovers += takeovers;
  sum.steppedDown += steppedDown;
  sum.otherTerms += otherTerms;
  sum.shutOut += shutOut;
  for (const [why, count] of Object.entries(ended)) sum.ended[why] = (sum.ended[why] ?? 0) + count;
}

/** @returns the counts as lines of text. */
export function tableOf({
  elections,
  falseElections,
  takeovers,
  steppedDown,
  shutOut,
  ended,
}: Fates): string {
  const rows: readonly (readonly [string, number])[] = [
    ['new hosts', elections],
    ['of these while the host before was there and awake', falseElections],
    ['guests that turned from a host that they heard', takeovers],
    ['hosts that stepped down while they heard a guest', steppedDown],
    ['players that a liar which was host shut out', shutOut],
    ...Object.entries(ended).map(([why, count]) => [`players lost for good: ${why}`, count] as const),
  ];
  return rows.map(([what, count]) => `${String(count).padStart(6)}  ${what}`).join('\n');
}

type View = {
  readonly following: HandoverPage['following'];
  readonly isHost: boolean;
  readonly led: number;
};

/** Watches the honest pages of a room; the liar is free to do as it likes. */
export class Watch {
  readonly fates: Fates;
  readonly #room: HandoverRoom;
  readonly #views = new Map<HandoverPage, View>();
  /** When each page was last host, by its slot and term. */
  readonly #ruledMs = new Map<string, { readonly page: HandoverPage; ms: number }>();
  /** The ids of pages that are liars, or were. */
  readonly #liars = new Set<string>();
  /** Their keys: what a page says last may end the play of its own next page. */
  readonly #liarKeys = new Set<PublicKey>();
  /** When each page was last host, by its id. */
  readonly #ledMs = new Map<string, number>();
  /** Pages that had the liar for a host once. */
  readonly #served = new WeakSet<HandoverPage>();
  readonly #over = new WeakSet<HandoverPage>();

  /** @param fates counts go on from these. */
  constructor(room: HandoverRoom, fates: Fates) {
    this.fates = fates;
    this.#room = room;
  }

  /** Call it once a tick, before pages that have ended are closed. */
  step(): void {
    const { pages, now } = this.#room;
    for (const page of pages) {
      if (page.isLiar) {
        this.#liars.add(page.id);
        this.#liarKeys.add(page.key);
      }
      const { host } = page.member;
      if (host !== null) this.#ledMs.set(page.id, now);
      if (host !== null) this.#ruledMs.set(`${host.roster.host} ${host.tenure.term}`, { page, ms: now });
    }
    for (const page of pages) {
      const before = this.#views.get(page);
      const view = { following: page.following, isHost: page.isHost, led: page.led };
      this.#views.set(page, view);
      if (!page.isLiar) this.#judge(page, view, before);
    }
  }

  #judge(page: HandoverPage, { following, isHost, led }: View, before: View | undefined): void {
    const { now } = this.#room;
    if (following !== null && this.#hostOf(following)?.isLiar === true) this.#served.add(page);
    const host = hostKeyOf(page);
    if (host !== null && this.#liarKeys.has(host)) this.#served.add(page);
    const { status } = page.member.guest ?? {};
    if (status?.kind === 'ended' && !this.#over.has(page)) {
      this.#over.add(page);
      const wasIn = page.slot !== null && !this.#liarKeys.has(page.key);
      const { endedBy } = page;
      if (wasIn && status.why === 'lost' && this.#isLiarAtDoor()) this.fates.shutOut++;
      else if (wasIn && !this.#served.has(page) && !this.#isEndedByLiar(page)) {
        this.fates.ended[status.why] = (this.fates.ended[status.why] ?? 0) + 1;
        const by = endedBy === null ? '' : ` by ${endedBy}`;
        this.fates.told.push(`${(now / 1000).toFixed(2)} s: ${page.id} has ended: ${status.why}${by}`);
      }
    }
    const term = page.peer?.diagnostics.term ?? -1;
    if (following !== null && term >= 0 && term !== following.term) this.fates.otherTerms++;
    if (before === undefined) return;
    if (led > before.led) {
      this.fates.elections++;
      const old = before.following === null ? this.#lastHost(page) : this.#hostOf(before.following);
      if (old?.isHost === true && old !== page && this.#isAwake(old)) this.fates.falseElections++;
    }
    if (before.isHost && !isHost && this.#hearsGuest(page)) this.fates.steppedDown++;
    const was = before.following;
    if (was === null || now - was.heardMs > LOST_AFTER_MS) return;
    const hasLeft = isHost || (following !== null && following.term !== was.term);
    const old = this.#hostOf(was);
    if (!hasLeft || old === null || old.isLiar) return;
    if ((page.member.guest?.welcome?.home ?? null) !== null) return;
    this.fates.takeovers++;
    const to = isHost ? 'itself' : `slot ${following?.slot}`;
    this.fates.told.push(`${(now / 1000).toFixed(2)} s: ${page.id} leaves ${old.id} for ${to}`);
  }

  /** A liar has ended its play that was host a while ago: at the door, or its own. It may have begun to lie since. */
  #isEndedByLiar({ endedBy }: HandoverPage): boolean {
    if (endedBy === null || !this.#liars.has(endedBy)) return false;
    return this.#room.now - (this.#ledMs.get(endedBy) ?? -Infinity) <= WAS_HOST_MS;
  }

  #isLiarAtDoor(): boolean {
    const { page } = this.#room.door ?? {};
    return page?.isLiar === true && page.isHost;
  }

  /** The page that is host under this term, if it is still there and host, or was a moment ago. */
  #hostOf({ slot, term }: { readonly slot: Slot; readonly term: number }): HandoverPage | null {
    const rule = this.#ruledMs.get(`${slot} ${term}`);
    return rule !== undefined && this.#room.now - rule.ms < 1 ? rule.page : null;
  }

  #lastHost(page: HandoverPage): HandoverPage | null {
    const hosts = this.#room.pages.filter((other) => other !== page && other.isHost);
    return hosts.find((host) => this.#isAwake(host)) ?? null;
  }

  #isAwake(page: HandoverPage): boolean {
    return this.#room.now >= page.stalledUntil + ON_ITS_WAY_MS;
  }

  #hearsGuest(page: HandoverPage): boolean {
    const { now, pages } = this.#room;
    return pages.some(({ slot, isLiar, following }) => {
      if (slot === null || isLiar || following?.slot !== page.slot) return false;
      return now - (page.peer?.lastReceivedMs(slot) ?? -Infinity) <= LOST_AFTER_MS;
    });
  }
}

/**
 * The key of the host that has welcomed a guest last; null without one. A page that was asleep may read a welcome and
 * the end of its play in one tick.
 */
function hostKeyOf({ member }: HandoverPage): PublicKey | null {
  const roster = member.guest?.welcome?.roster;
  return roster?.players.find(({ slot }) => slot === roster.host)?.key ?? null;
}
