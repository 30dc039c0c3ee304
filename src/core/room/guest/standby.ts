import type { Slot } from '../../base/ids.ts';
import type { Voter } from '../election.ts';
import { STANDING_COUNTS_MS } from '../election.ts';
import type { Roster, RosterPlayer, Standing } from '../messages.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { LineId } from '../line.ts';

/** Milliseconds between two standings on a standby line. */
const SEND_EVERY_MS = 1000;
/** Milliseconds after which a line that did not open is asked for again. */
const DIAL_AGAIN_MS = 8000;
/** The same for a player that is away: an attempt at a page that is gone stays among the opening lines for a while. */
const DIAL_AWAY_AGAIN_MS = 12_000;
/** Milliseconds for which a line from a page that is not in the roster waits: the roster may come later. */
const STRANGER_WAITS_MS = 5000;
/** Lines that may wait so at once. */
const MOST_STRANGERS = 8;

/** The line to another player, its last standing, and milliseconds since that came. */
type Standby = { readonly line: LineId; readonly other: Other; standing: Standing | null; silentMs: number };

/** [P4] A signed roster of the host, from one guest to another. */
export type SharedRoster = { readonly kind: 'roster'; readonly roster: Roster };

/** The owner of a StandbyLines carries these out. */
export type StandbyActions = {
  /** Open a line to the page with this id at the broker. */
  dial(page: string): void;
  close(line: LineId): void;
  send(line: LineId, message: Standing | SharedRoster): void;
};

/**
 * [F4] A guest's lines to the other guests, over which they agree on a host when theirs is absent. Of two guests
 * the guest in the higher slot opens the line, as soon as it knows of the other.
 */
export class StandbyLines {
  readonly #lines = new Map<Slot, Standby>();
  /** Lines from pages that are not in the roster yet. */
  readonly #strangers = new Map<LineId, { readonly other: Other; waitedMs: number }>();
  /** Milliseconds since each slot's page was last dialled. */
  readonly #dialledMs = new Map<Slot, number>();
  /** The slots whose line was closed, by the player or by the network. */
  readonly #gone = new Set<Slot>();
  readonly #actions: StandbyActions;
  /** [F4.23] The player that the host has named as it stepped down: this guest calls it in any case. */
  #expected: Slot | null = null;
  /** The last standing that was sent, as text, and milliseconds since then. */
  #sentText = '';
  #sentMs = 0;

  constructor(actions: StandbyActions) {
    this.#actions = actions;
  }

  /** A line has opened, and the page at its other end is known. */
  lineOpened(line: LineId, other: Other): void {
    this.#strangers.set(line, { other, waitedMs: 0 });
    if (this.#strangers.size <= MOST_STRANGERS) return;
    const [oldest] = this.#strangers.keys();
    this.#turnAway(oldest);
  }

  /** Makes this the line to a player, and closes the line before it, if there is one. */
  put(slot: Slot, line: LineId, other: Other): void {
    this.#strangers.delete(line);
    this.#gone.delete(slot);
    const before = this.#lines.get(slot);
    if (before !== undefined && before.line !== line) this.#actions.close(before.line);
    this.#lines.set(slot, { line, other, standing: null, silentMs: 0 });
    this.#sentText = '';
  }

  /** Makes the line to the host of a roster a standby line. */
  putHost({ host, players }: Roster, line: LineId): void {
    const player = players.find(({ slot }) => slot === host);
    if (player !== undefined) this.put(host, line, { key: player.key, page: player.id });
  }

  /** [F4.23] The host has stepped down for this player: this guest opens a line to it, if there is none. */
  expect(slot: Slot): void {
    this.#expected = slot;
    this.#dialledMs.delete(slot);
  }

  /** Gives up the line to a player without closing it. @returns null if there is none. */
  take(slot: Slot): LineId | null {
    const line = this.lineTo(slot);
    this.#lines.delete(slot);
    return line;
  }

  /** A line was closed, by the player or by the network; an unknown line is passed over. */
  lineClosed(line: LineId): void {
    this.#strangers.delete(line);
    for (const [slot, standby] of this.#lines) {
      if (standby.line !== line) continue;
      this.#lines.delete(slot);
      this.#gone.add(slot);
    }
  }

  /** A standing has come; from an unknown line it is passed over. */
  receive(line: LineId, standing: Standing): void {
    for (const standby of this.#lines.values()) {
      if (standby.line !== line) continue;
      standby.standing = standing;
      standby.silentMs = 0;
    }
  }

  /** True for a player that may be there, though nothing is heard of it. */
  mayBeThere({ slot, presence }: RosterPlayer): boolean {
    return presence !== 'away' && !this.#gone.has(slot);
  }

  /** The slots of the other guests that may be there, heard or not. */
  othersOf({ players, host }: Roster, self: Slot): Slot[] {
    const others = players.filter((player) => player.slot !== self && player.slot !== host);
    return others.filter((player) => this.mayBeThere(player)).map(({ slot }) => slot);
  }

  /** True for the line to a player. */
  has(line: LineId): boolean {
    return Array.from(this.#lines.values()).some((standby) => standby.line === line);
  }

  /** The line to a player; null if there is none. */
  lineTo(slot: Slot): LineId | null {
    return this.#lines.get(slot)?.line ?? null;
  }

  /** Every line, also to pages that are not in the roster yet. */
  *lines(): Iterable<LineId> {
    for (const { line } of this.#lines.values()) yield line;
    yield* this.#strangers.keys();
  }

  /** The players that have sent a standing of late. */
  voters(): Voter[] {
    const voters: Voter[] = [];
    for (const [slot, { standing, silentMs }] of this.#lines) {
      if (standing !== null && silentMs <= STANDING_COUNTS_MS) {
        voters.push({ slot, standing, ageMs: silentMs });
      }
    }
    return voters;
  }

  /**
   * Opens and closes lines as the roster says, and sends this guest's standing on them.
   * @param step milliseconds since the last tick.
   * @param self this guest's slot.
   */
  tick(step: number, roster: Roster, self: Slot, standing: Standing): void {
    for (const standby of this.#lines.values()) standby.silentMs += step;
    this.#admit(step, roster);
    for (const [slot, { line, other }] of this.#lines) {
      if (roster.players.some((player) => player.slot === slot && isPlayerAt(other, player))) continue;
      this.#lines.delete(slot);
      this.#actions.close(line);
    }
    for (const player of roster.players) {
      const { slot, presence } = player;
      if (slot === this.#expected || isOpenedByUs(player, roster, self)) this.#dial(player, step);
      // That player calls first, unless it is a host: a host calls no guests.
      else if (presence === 'away' && slot > self) this.#dial(player, step, DIAL_AWAY_AGAIN_MS / 2);
    }
    this.#sendStanding(step, standing);
  }

  #admit(step: number, roster: Roster): void {
    for (const [line, stranger] of this.#strangers) {
      const player = roster.players.find((one) => isPlayerAt(stranger.other, one));
      stranger.waitedMs += step;
      if (player !== undefined) this.put(player.slot, line, stranger.other);
      else if (stranger.waitedMs > STRANGER_WAITS_MS) this.#turnAway(line);
    }
  }

  /** @param waitedMs milliseconds that the first call seems to wait already. */
  #dial({ slot, id, presence }: RosterPlayer, step: number, waitedMs = Infinity): void {
    const dialledMs = (this.#dialledMs.get(slot) ?? waitedMs) + step;
    this.#dialledMs.set(slot, dialledMs);
    const again = presence === 'away' ? DIAL_AWAY_AGAIN_MS : DIAL_AGAIN_MS;
    if (this.#lines.has(slot) || dialledMs < again) return;
    this.#dialledMs.set(slot, 0);
    this.#actions.dial(id);
  }

  #sendStanding(step: number, standing: Standing): void {
    const text = JSON.stringify(standing);
    this.#sentMs += step;
    if (text === this.#sentText && this.#sentMs < SEND_EVERY_MS) return;
    this.#sentText = text;
    this.#sentMs = 0;
    for (const { line } of this.#lines.values()) this.#actions.send(line, standing);
  }

  /** [P4] Passes the last signed roster on to guests that vote by an older one, so that all votes count together. */
  shareRoster(roster: Roster): void {
    for (const { line, standing, silentMs } of this.#lines.values()) {
      const epoch = standing?.ballot?.epoch ?? roster.epoch;
      // Once for each standing that comes.
      if (silentMs === 0 && epoch < roster.epoch) this.#actions.send(line, { kind: 'roster', roster });
    }
  }

  #turnAway(line: LineId): void {
    this.#strangers.delete(line);
    this.#actions.close(line);
  }
}

/** True if a player is at the other end of a line: by its key, and on the page that the roster has. */
function isPlayerAt({ key, page }: Other, player: RosterPlayer): boolean {
  return player.key === key && player.id === page;
}

/** True if this guest opens the line to that player. A player that is away may be in the room under another host. */
function isOpenedByUs({ slot }: RosterPlayer, { host }: Roster, self: Slot): boolean {
  return slot !== host && slot < self;
}
