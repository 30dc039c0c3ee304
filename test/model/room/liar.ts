import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import type { Signature } from '../../../src/core/room/identity/key.ts';
import { extended, newLineage } from '../../../src/core/room/identity/lineage.ts';
import type { Lineage } from '../../../src/core/room/identity/lineage.ts';
import { voteText } from '../../../src/core/room/identity/statements.ts';
import { Member } from '../../../src/core/room/member.ts';
import type { Ballot, GuestMessage, HostMessage, Roster } from '../../../src/core/room/messages.ts';
import { PROTOCOL_VERSION, writeMessage } from '../../../src/core/room/messages.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import { signatureOf } from '../../support/keys.ts';
import type { End } from './network.ts';
import { STEPS_A_SECOND } from './network.ts';
import { Page } from './page.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

/** The level of a liar's messages. It takes a while to make. */
const LIARS_LEVEL = chooseLevel({ id: 'pile', seed: 7 });

/** The term in a false standing, beside the term of the player that hears it. */
export const TERMS = ['older', 'same', 'newer'] as const;

/** A standing that is a lie. */
export type Lie = {
  readonly host: Slot;
  readonly term: (typeof TERMS)[number];
  readonly hears: boolean;
  readonly vote: Slot | null;
};

/** The messages that the liar sends once. */
export const FORGERIES = [
  'host left, follow me',
  'host left, follow nobody',
  'removed',
  'refused',
  'welcome by me',
  'roster of mine',
  'roster without you',
  'level',
  'elsewhere',
  'elsewhere with the room’s lineage',
  'welcome with a forged lineage',
  'join again',
  'goodbye',
  'noise',
] as const;
/** One of FORGERIES. */
export type Forgery = (typeof FORGERIES)[number];

/**
 * A guest whose page says what it likes. Its member goes on as an honest one does, so that it keeps its seat; what
 * the member says on a line is replaced where the liar lies.
 */
export class LiarPage extends Page {
  /** By player: the standing that it hears from the liar, once a second. */
  readonly #lies = new Map<number, Lie>();
  #saidAt = 0;
  /** The line to the host and the line of a player between which it stands; null while it has none. */
  #between: { readonly victim: number; readonly toHost: End; toVictim: End | null } | null = null;

  /** From now on a player hears this standing instead of the true one; null: the true one. */
  lieTo(player: number, lie: Lie | null): void {
    if (lie === null) this.#lies.delete(player);
    else this.#lies.set(player, lie);
    this.#sayLies();
  }

  override tick(): void {
    super.tick();
    const { now } = this.around.network;
    if (now < this.stalledUntil || now - this.#saidAt < STEPS_A_SECOND) return;
    this.#sayLies();
  }

  /** Sends a forged message on every line to a player. */
  forge(forgery: Forgery, player: number): void {
    for (const end of this.#endsTo(player)) end.say(this.#textOf(forgery, player));
  }

  /** The liar takes itself for the host, under a new term, and welcomes everybody that says hello. */
  crown(): void {
    const { guest, roster } = this.member;
    const welcome = guest?.welcome ?? null;
    if (welcome === null || roster === null) return;
    const { slot, door, level, term } = welcome;
    const tenure = { term: nextTerm(term, slot), lineage: this.#forgedLineage(), door, home: null };
    const options = { slot, level, capacity: roster.capacity, tenure, inherits: roster };
    this.member = new Member(this.memberOptions, { role: 'host', options });
    this.leads();
    for (const end of this.ends.values()) if (end.isOpen) this.member.lineOpened(end.id, end.end);
  }

  /**
   * [P2] Stands between the host and a player that calls it: each reads the other's introduction, and then the liar
   * asks to come in as that player. A player in a higher slot calls again when its line to the liar breaks.
   */
  standBetween(victim: number): void {
    const host = this.around.playing(0);
    if (host === null || this.around.playing(victim) === null) return;
    for (const end of this.#endsTo(victim)) end.break();
    this.#between = { victim, toHost: this.connect(host), toVictim: null };
  }

  /** True for a player that it stands before: it answers nothing that this player says on a new line. */
  standsBefore(player: number): boolean {
    return this.#between?.victim === player;
  }

  protected override opened(end: End): void {
    const between = this.#between;
    if (between === null || (end !== between.toHost && end.there !== between.victim)) super.opened(end);
    else if (end !== between.toHost) between.toVictim = end;
  }

  protected override hear(end: End, text: string): void {
    const between = this.#between;
    if (between === null || (end !== between.toHost && end !== between.toVictim)) super.hear(end, text);
    else if (end === between.toHost) this.#passOn(between.toVictim, text, end);
    else {
      between.toHost.say(text);
      if (text.startsWith('{"kind":"proof"')) between.toHost.say(this.#textOf('join again', between.victim));
    }
  }

  /** The host speaks first: what it says waits until the victim has called. */
  #passOn(to: End | null, text: string, from: End): void {
    if (to !== null) to.say(text);
    else from.reach({ kind: 'said', text, at: this.around.network.now + 1 });
  }

  protected override say(end: End, text: string): void {
    const lie = this.#lies.get(end.there);
    if (lie === undefined || !text.startsWith('{"kind":"standing"')) super.say(end, text);
  }

  #sayLies(): void {
    this.#saidAt = this.around.network.now;
    for (const [player, lie] of this.#lies) {
      const text = this.#standing(player, lie);
      if (text !== null) for (const end of this.#endsTo(player)) end.say(text);
    }
  }

  #endsTo(player: number): End[] {
    return [...this.ends.values()].filter((end) => end.there === player && end.wasOpened && !end.isClosed);
  }

  /** @returns null for a player that is in no room. */
  #standing(player: number, { host, term, hears, vote }: Lie): string | null {
    const victim = this.around.playing(player);
    const theirs = victim?.term ?? null;
    if (theirs === null) return null;
    const terms = { older: (theirs + 0xfff8) & 0xffff, same: theirs, newer: nextTerm(theirs, host) };
    const ballot = this.#ballotFor(vote, terms[term]);
    return writeMessage({ kind: 'standing', host, term: terms[term], hears, vote, ballot });
  }

  /** The liar really signs its votes: it may vote as it likes, and as often. */
  #ballotFor(vote: Slot | null, term: number): Ballot | null {
    const { roster, room } = this.member;
    const candidate = roster?.players.find(({ slot }) => slot === vote)?.key;
    if (candidate === undefined || roster === null || room === null || roster.term !== term) return null;
    const { epoch } = roster;
    return { epoch, candidate, signature: this.#sign(voteText(room, { term, epoch, candidate })) };
  }

  #sign(text: string): Signature {
    return signatureOf(this.key, text);
  }

  /** The lineage of the room, with the liar as the next host, as if the host had signed it. */
  #forgedLineage(): Lineage {
    const { guest } = this.member;
    const welcome = guest?.welcome ?? null;
    if (welcome === null) return newLineage(this.key, 'a salt');
    const term = nextTerm(welcome.term, welcome.slot);
    return extended(welcome.lineage, {
      kind: 'handover',
      term,
      key: this.key,
      signature: this.#sign('handover'),
    });
  }

  #textOf(forgery: Forgery, player: number): string {
    const self = this.slot ?? (this.player as Slot);
    const victim = player as Slot;
    const { roster, guest } = this.member;
    const level = LIARS_LEVEL;
    const connection = 1 as ConnectionId;
    const mine: Roster = { ...(roster ?? NO_ROSTER), host: self };
    const write = (message: GuestMessage | HostMessage): string => writeMessage(message);
    const welcome = guest?.welcome;
    const term = welcome?.term ?? 0;
    switch (forgery) {
      case 'host left, follow me':
        return write({ kind: 'bye', reason: 'host left', next: self, handover: this.#sign('handover') });
      case 'host left, follow nobody':
        return write({ kind: 'bye', reason: 'host left', next: null, handover: null });
      case 'removed':
        return write({ kind: 'bye', reason: 'removed', next: null, handover: null });
      case 'refused':
        return write({ kind: 'refuse', reason: 'full', version: PROTOCOL_VERSION });
      case 'welcome by me': {
        const lineage = newLineage(this.key, 'a salt', nextTerm(term, self));
        return this.#welcome(victim, lineage, mine);
      }
      case 'welcome with a forged lineage':
        return this.#welcome(victim, this.#forgedLineage(), mine);
      case 'roster of mine':
        return write({ kind: 'roster', roster: mine });
      case 'roster without you': {
        const players = (roster ?? NO_ROSTER).players.filter(({ slot }) => slot !== victim);
        return write({ kind: 'roster', roster: { ...(roster ?? NO_ROSTER), players } });
      }
      case 'level':
        return write({ kind: 'level', level, connection, why: 'choice' });
      case 'elsewhere':
        return write({ kind: 'elsewhere', lineage: newLineage(this.key, 'a salt') });
      case 'elsewhere with the room’s lineage':
        return write({ kind: 'elsewhere', lineage: welcome?.lineage ?? this.#forgedLineage() });
      case 'join again':
        return write({
          kind: 'join',
          ...newProfile('liar'),
          colour: null,
          keeps: { connection, term, host: 'x' },
        });
      case 'goodbye':
        return write({ kind: 'bye', returns: false });
      case 'noise':
        return '{"kind":';
    }
  }

  #welcome(slot: Slot, lineage: Lineage, roster: Roster): string {
    if (slot === this.slot) return '{}';
    const term = nextTerm(this.member.guest?.welcome?.term ?? 0, this.slot ?? (0 as Slot));
    const keeps = { slot, connection: 1 as ConnectionId, goesOn: true, term, lineage, door: '', home: null };
    const level = LIARS_LEVEL;
    return writeMessage({ kind: 'welcome', ...keeps, level, roster: { ...roster, term } });
  }

  /** The lies that are told, as text; for the state. */
  get liesNote(): string {
    const between = this.#between === null ? '' : `between ${this.#between.victim} `;
    return between + [...this.#lies].map(([player, lie]) => `${player}${JSON.stringify(lie)}`).join('');
  }
}

const NO_ROSTER: Roster = {
  host: 0 as Slot,
  capacity: 4,
  locked: false,
  players: [],
  term: 0,
  epoch: 0,
  signature: null,
};
