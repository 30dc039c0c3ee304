import { readGuestMessage } from '../../../src/core/room/messages.ts';
import { LOST_AFTER_MS } from '../../../src/core/room/silence.ts';
import { nameOf } from './actions.ts';
import { LiarPage } from './liar.ts';
import { STEPS_A_SECOND } from './network.ts';
import type { Page } from './page.ts';
import type { Room } from './room.ts';
import { PLAYERS } from './room.ts';

/** Steps after which all honest players follow one host, once every way is whole and every page awake. */
export const AGREED_WITHIN = 40 * STEPS_A_SECOND;
/** Steps for which two honest players that hear one another may follow different hosts. */
const DIFFER_AT_MOST = 20 * STEPS_A_SECOND;
/** Steps on a whole line to its host after which a guest plays. */
const BACK_WITHIN = 5 * STEPS_A_SECOND;
/** Steps for which the guests of a host that was there a moment ago may still name it. */
const RECENT = 5 * STEPS_A_SECOND;

/** Steps for which a vote counts. */
const VOTE_COUNTS = 6;

/** A page in the step before. */
type View = {
  readonly page: Page;
  readonly host: number | null;
  readonly term: number | null;
  /** It plays: as the host, or as a guest that hears its host. */
  readonly plays: boolean;
  readonly hearsPlayers: boolean;
  readonly isHost: boolean;
};

/**
 * Watches one room from its beginning, step by step. The liar plays as the others do, but the judge does not check what
 * happens to the liar itself.
 */
export class Judge {
  readonly #room: Room;
  #views: (View | null)[] = [];
  /** By player: how many steps its line to its host has been whole, and it did not play. */
  readonly #waits = Array.from({ length: PLAYERS }, () => 0);
  /** By pair: how many steps two that hear one another have followed different hosts. */
  readonly #differ = new Map<number, number>();
  /** The step in which a term last had a host with a guest. */
  readonly #ledAt = new Map<string, number>();
  /**
   * The honest pages that had the liar for their host, which may end their play as it likes, and those that found
   * nobody for 30 s but an impostor at the room's door.
   */
  readonly #atLiarsMercy = new Set<Page>();

  constructor(room: Room) {
    this.#room = room;
    this.#views = this.#look();
  }

  /** Call it after each step. @returns the fault; null if there is none. */
  step(): string | null {
    const room = this.#room;
    if (room.thrown !== null) return room.thrown;
    for (const page of room.present) {
      const { host } = page.member;
      if (host?.hasGuests === true) this.#ledAt.set(`${page.slot} ${page.term}`, room.network.now);
    }
    const before = this.#views;
    this.#views = this.#look();
    for (const page of room.honest) {
      const now = this.#views[page.player];
      const was = before[page.player];
      if (now === null || now === undefined) continue;
      if (now.host === room.liar) this.#atLiarsMercy.add(page);
      const fault = this.#judgePage(page, now, was?.page === page ? was : null);
      if (fault !== null) return `${this.#name(page.player)} ${fault}`;
    }
    return this.#judgePairs();
  }

  /**
   * @returns the disagreement that is left once all is quiet; null if all agree. Who has the liar for its host plays
   * apart: the liar lets in whom it likes, and may deny to all others that it is host. Who is alone goes to the page
   * at the door again and again, also if that is the liar, which need not let it in.
   */
  disagreement(): string | null {
    const honest = this.#room.honest;
    const hosts = new Set<string>();
    for (const page of honest) {
      const view = this.#views[page.player];
      if (page.member.guest?.status.kind === 'ended' && this.#atLiarsMercy.has(page)) continue;
      if (page.member.guest?.status.kind === 'joining' && this.#isLiarAtDoor) continue;
      if (view?.plays !== true) return `${this.#name(page.player)} does not play (${statusOf(page)})`;
      if (view.host !== this.#room.liar) hosts.add(`${view.host} in term ${view.term}`);
    }
    return hosts.size > 1 ? `honest players have ${[...hosts].join(' and ')} for hosts` : null;
  }

  /** True if a liar has the door: as the host, or because every player has the door's secret, and may take it. */
  get #isLiarAtDoor(): boolean {
    const page = this.#room.door?.page;
    return page instanceof LiarPage && page.member.host !== null;
  }

  #name(player: number): string {
    return nameOf(player, this.#room.liar);
  }

  #look(): (View | null)[] {
    return this.#room.pages.map((page) => {
      if (page === null) return null;
      const { host, guest, roster } = page.member;
      const plays = host !== null || guest?.status.kind === 'here';
      const hearsPlayers = this.#room.honest.some(
        ({ slot, member }) => slot !== null && member.guest?.status.kind === 'here' && isHeard(page, slot),
      );
      const isHost = host !== null;
      return { page, host: roster?.host ?? null, term: page.term, plays, hearsPlayers, isHost };
    });
  }

  #judgePage(page: Page, now: View, was: View | null): string | null {
    const { guest } = page.member;
    if (guest?.status.kind === 'ended') return this.#judgeEnd(page, guest.status.why);
    if (was?.isHost === false && now.isHost) {
      // [F4.19] A page without a roster stepped down before, and leads its own room again.
      const leadsAgain = was.host === null;
      const isChosen = leadsAgain || page.member.host?.tenure.home !== null || this.#isChosen(page, was);
      if (!isChosen) return 'becomes host, and no majority has voted for it';
    }
    const left = was?.isHost === true ? this.#judgeHost(page, was) : this.#judgeGuest(page, now, was);
    return left ?? this.#judgeWait(page, now);
  }

  /** A guest that hears its host keeps it. */
  #judgeGuest(page: Page, now: View, was: View | null): string | null {
    if (was === null || !was.plays || was.host === null || !isHeard(page, was.host)) return null;
    const isSame = now.term === was.term && now.host === was.host;
    if (isSame && (now.plays || !this.#hasLineTo(page, was.host))) return null;
    if (this.#saidGoodbye(page, was.host) || this.#isHostMoved(was)) return null;
    if ((page.member.guest?.welcome?.home ?? null) !== null) return null;
    return `leaves ${this.#name(was.host)}, whom it hears, ${isSame ? 'and follows nobody yet' : `for ${now.host}`}`;
  }

  /** A host that hears players steps down only for a host that is really there. */
  #judgeHost(page: Page, was: View): string | null {
    if (page.member.host !== null || !was.hearsPlayers) return null;
    // [F4.6] It has given the room away: its heir is host as soon as it hears of that.
    const given = page.marks.get('gives');
    if (given !== undefined && page.awake - given.at <= given.most) return null;
    const isReal = this.#room.present.some((other) => {
      const { slot, term } = other;
      if (other === page || slot === null) return false;
      const at = this.#ledAt.get(`${slot} ${term}`) ?? -Infinity;
      return other.member.host !== null && this.#room.network.now - at <= RECENT;
    });
    return isReal ? null : 'steps down, though it hears players and nobody else is host';
  }

  /** True if the host has named this player as it left, or a majority of the guests that it has lines to voted for it. */
  #isChosen(page: Page, was: View): boolean {
    if (was.host !== null && this.#saidGoodbye(page, was.host)) return true;
    const others = this.#room.pages.flatMap((_, player) =>
      player !== page.player && player !== was.host && this.#hasLineTo(page, player) ? [player] : [],
    );
    const votes = others.filter((player) => {
      const told = page.marks.get(`told ${player}`);
      if (told === undefined || page.awake - told.at > VOTE_COUNTS) return false;
      const standing = readGuestMessage(told.what);
      return standing?.kind === 'standing' && standing.term === was.term && standing.vote === page.slot;
    });
    return votes.length >= 1 && (votes.length + 1) * 2 > others.length + 1;
  }

  /** True if the host of a term has left it, so that nobody keeps it. */
  #isHostMoved({ host, term }: View): boolean {
    return !this.#room.present.some(
      (page) => page.member.host !== null && page.slot === host && page.term === term,
    );
  }

  #saidGoodbye(page: Page, host: number): boolean {
    const mark = page.marks.get(`goodbye ${host}`);
    return mark !== undefined && page.awake - mark.at <= 8 * STEPS_A_SECOND;
  }

  #hasLineTo(page: Page, host: number): boolean {
    return [...page.ends.values()].some((end) => end.there === host && end.isOpen);
  }

  #judgeEnd(page: Page, why: string): string | null {
    if (why === 'lost' && this.#isLiarAtDoor) this.#atLiarsMercy.add(page);
    if (this.#atLiarsMercy.has(page)) return null;
    return `has ended: ${why}`;
  }

  /** A guest whose host is there plays soon after its line to it is whole, unless that host is a liar that ignores it. */
  #judgeWait(page: Page, now: View): string | null {
    const host = now.host === null ? null : this.#room.playing(now.host);
    const isWhole =
      !now.plays &&
      host !== null &&
      host.member.host !== null &&
      !(host instanceof LiarPage && host.standsBefore(page.player)) &&
      host.term === now.term &&
      this.#hearOneAnother(page, host);
    this.#waits[page.player] = isWhole ? this.#waits[page.player] + 1 : 0;
    return this.#waits[page.player] > BACK_WITHIN
      ? `has a whole line to ${this.#name(host?.player ?? 0)}, its host, and does not play (${statusOf(page)})`
      : null;
  }

  #hearOneAnother(a: Page, b: Page): boolean {
    const { network } = this.#room;
    const isAwake = Math.max(a.stalledUntil, b.stalledUntil) <= network.now;
    return isAwake && !network.isCut(a.player, b.player) && this.#hasLineTo(a, b.player);
  }

  /** No two honest players that hear one another follow different honest hosts for long. */
  #judgePairs(): string | null {
    const { honest } = this.#room;
    for (const a of honest) {
      for (const b of honest) {
        if (a.player >= b.player) continue;
        const [one, other] = [this.#views[a.player], this.#views[b.player]];
        const { liar } = this.#room;
        const arePlaying = one?.plays === true && other?.plays === true;
        const differ = arePlaying && one.term !== other.term && one.host !== liar && other.host !== liar;
        const key = a.player * PLAYERS + b.player;
        const steps = differ && this.#hearOneAnother(a, b) ? (this.#differ.get(key) ?? 0) + 1 : 0;
        this.#differ.set(key, steps);
        if (steps > DIFFER_AT_MOST)
          return `${this.#name(a.player)} and ${this.#name(b.player)} hear one another, and have had hosts ${one?.host} and ${other?.host} for ${DIFFER_AT_MOST / STEPS_A_SECOND} s`;
      }
    }
    return null;
  }
}

function isHeard(page: Page, slot: number): boolean {
  for (const [kind] of page.marks) {
    if (kind === `heard ${slot}`) return page.silenceOf(slot as NonNullable<Page['slot']>) < LOST_AFTER_MS;
  }
  return false;
}

function statusOf({ member }: Page): string {
  const { host, guest } = member;
  if (host !== null) return 'host';
  return guest?.status.kind ?? '';
}
