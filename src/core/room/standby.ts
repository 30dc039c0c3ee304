import type { Slot } from '../base/ids.ts';
import type { Voter } from './election.ts';
import type { Roster, RosterPlayer, Standing } from './messages.ts';
import type { LineId } from './line.ts';

/** Milliseconds between two words on a standby line, and after which one who says nothing does not count. */
const SAY_EVERY_MS = 1000;
const COUNTS_FOR_MS = 2500;
/** Milliseconds after which a line that did not come to be is asked for again. */
const DIAL_AGAIN_MS = 8000;
/** The same to one who is away: each attempt at a page that is gone counts for a while among those that are opening. */
const DIAL_AWAY_AGAIN_MS = 12_000;
/** Milliseconds for which a line from a page that is not in the roster waits: the roster may come later. */
const STRANGER_WAITS_MS = 5000;
/** Lines that may wait so. */
const MOST_STRANGERS = 8;

/** The line to another player, and when it was last heard on it. */
type Standby = { readonly line: LineId; readonly page: string; standing: Standing | null; silentMs: number };

/** What there is to do on standby lines. */
export type StandbyActions = {
  /** A line to this page is wanted. */
  dial(page: string): void;
  close(line: LineId): void;
  send(line: LineId, standing: Standing): void;
};

/**
 * [F4] A guest's lines to the other players, over which they settle who is host when theirs is absent. Of two
 * guests the one in the higher slot opens the line, as soon as it knows of the other.
 */
export class StandbyLines {
  readonly #lines = new Map<Slot, Standby>();
  readonly #strangers = new Map<LineId, { readonly page: string; waitedMs: number }>();
  readonly #dialledMs = new Map<Slot, number>();
  /** Whose line was closed, by them or by the network. */
  readonly #gone = new Set<Slot>();
  readonly #deeds: StandbyActions;
  #said = '';
  #saidMs = 0;

  constructor(deeds: StandbyActions) {
    this.#deeds = deeds;
  }

  /** @param page the id at the broker of the page at the other end. */
  lineOpened(line: LineId, page: string): void {
    this.#strangers.set(line, { page, waitedMs: 0 });
    if (this.#strangers.size <= MOST_STRANGERS) return;
    const [oldest] = this.#strangers.keys();
    this.#turnAway(oldest);
  }

  /** A player's line is this one, whatever page the broker has at its other end. */
  put(slot: Slot, line: LineId, page: string): void {
    this.#strangers.delete(line);
    this.#gone.delete(slot);
    const before = this.#lines.get(slot);
    if (before !== undefined && before.line !== line) this.#deeds.close(before.line);
    this.#lines.set(slot, { line, page, standing: null, silentMs: 0 });
    this.#said = '';
  }

  lineClosed(line: LineId): void {
    this.#strangers.delete(line);
    for (const [slot, standby] of this.#lines) {
      if (standby.line !== line) continue;
      this.#lines.delete(slot);
      this.#gone.add(slot);
    }
  }

  receive(line: LineId, standing: Standing): void {
    for (const standby of this.#lines.values()) {
      if (standby.line !== line) continue;
      standby.standing = standing;
      standby.silentMs = 0;
    }
  }

  /** True for a player who may be there, though nothing is heard of it. */
  mayBeThere({ slot, presence }: RosterPlayer): boolean {
    return presence !== 'away' && !this.#gone.has(slot);
  }

  lineTo(slot: Slot): LineId | null {
    return this.#lines.get(slot)?.line ?? null;
  }

  /** Every line to a player, and its page. */
  *all(): Iterable<readonly [Slot, LineId, string]> {
    for (const [slot, { line, page }] of this.#lines) yield [slot, line, page];
  }

  /** Who has been heard just now. */
  voters(): Voter[] {
    const voters: Voter[] = [];
    for (const [slot, { standing, silentMs }] of this.#lines) {
      if (standing !== null && silentMs <= COUNTS_FOR_MS) voters.push({ slot, standing });
    }
    return voters;
  }

  /** Brings the lines in accord with who is there, and says on them how this guest stands. */
  tick(step: number, roster: Roster, self: Slot, standing: Standing): void {
    for (const standby of this.#lines.values()) standby.silentMs += step;
    this.#admit(step, roster);
    for (const [slot, { line, page }] of this.#lines) {
      if (roster.players.some((player) => player.slot === slot && player.id === page)) continue;
      this.#lines.delete(slot);
      this.#deeds.close(line);
    }
    for (const player of roster.players) if (isOwed(player, roster, self)) this.#dial(player, step);
    this.#say(step, standing);
  }

  #admit(step: number, roster: Roster): void {
    for (const [line, stranger] of this.#strangers) {
      const player = roster.players.find(({ id }) => id === stranger.page);
      stranger.waitedMs += step;
      if (player !== undefined) this.put(player.slot, line, stranger.page);
      else if (stranger.waitedMs > STRANGER_WAITS_MS) this.#turnAway(line);
    }
  }

  #dial({ slot, id, presence }: RosterPlayer, step: number): void {
    const dialledMs = (this.#dialledMs.get(slot) ?? Infinity) + step;
    this.#dialledMs.set(slot, dialledMs);
    const again = presence === 'away' ? DIAL_AWAY_AGAIN_MS : DIAL_AGAIN_MS;
    if (this.#lines.has(slot) || dialledMs < again) return;
    this.#dialledMs.set(slot, 0);
    this.#deeds.dial(id);
  }

  #say(step: number, standing: Standing): void {
    const text = JSON.stringify(standing);
    this.#saidMs += step;
    if (text === this.#said && this.#saidMs < SAY_EVERY_MS) return;
    this.#said = text;
    this.#saidMs = 0;
    for (const { line } of this.#lines.values()) this.#deeds.send(line, standing);
  }

  #turnAway(line: LineId): void {
    this.#strangers.delete(line);
    this.#deeds.close(line);
  }
}

/** True for a guest to whom this one is to open the line; one who is away may be in the room under another host. */
function isOwed({ slot }: RosterPlayer, { host }: Roster, self: Slot): boolean {
  return slot !== host && slot < self;
}
