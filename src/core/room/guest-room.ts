import type { ConnectionId, Slot } from '../base/ids.ts';
import type { SceneChoice } from '../world/scene.ts';
import type {
  Ending,
  GuestMessage,
  HostMessage,
  Refusal,
  Roster,
  Seat,
  Standing,
  VoiceState,
  Welcome,
} from './messages.ts';
import { PROTOCOL_VERSION, readHostMessage, writeMessage } from './messages.ts';
import type { LineFailure, LineId } from './seats.ts';
import { AWAY_AFTER_MS, LONGEST_STEP_MS, LOST_AFTER_MS, SEAT_KEPT_MS } from './seats.ts';
import { StandbyLines } from './standby.ts';
import { Succession } from './succession.ts';

/** Why a guest is no longer in a room, or never came in. */
export type GuestEnd = Refusal | Exclude<Ending, 'host left'> | LineFailure | 'lost';

export type GuestStatus =
  | { readonly kind: 'joining' }
  | { readonly kind: 'here' }
  /** In the room, but nothing has come for a while; it is trying to come back. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly why: GuestEnd };

/** What the owner is to do, in this order. */
export type GuestEffect =
  /** Open a new line to the room's door, then say `answered` or `failed`. */
  | { readonly kind: 'open' }
  /** [F4] Open a standby line to a page, if that can be; then say `opened`. */
  | { readonly kind: 'dial'; readonly page: string }
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  /** In the room, on this line: a new world, unless the connection goes on. */
  | { readonly kind: 'enter'; readonly line: LineId; readonly welcome: Welcome; readonly goesOn: boolean }
  /** The host has chosen a scene: a new world. */
  | { readonly kind: 'scene'; readonly scene: SceneChoice; readonly connection: ConnectionId };

export type GuestRoomOptions = {
  readonly name: string;
  readonly colour: Slot | null;
  /** From an earlier visit of this tab. */
  readonly seat: { readonly slot: Slot; readonly secret: string } | null;
  /** For one who was the host until now: a line to the other that is open already, or null. */
  readonly back?: LineId | null;
};

/** Milliseconds that an attempt may take: slow networks and relays need some. */
const ATTEMPT_MS = 12_000;
/** Milliseconds of silence after which another line is tried, beside the one that is there. */
const RETRY_AFTER_MS = 3000;
/** Milliseconds between two attempts. */
const RETRY_EVERY_MS = 2000;
/** Milliseconds for which a reloaded page looks for its room: the host may be reloading, too. */
const FIND_WITHIN_MS = 10_000;

/** The line that is being opened: not there yet, or there, and hello was said. */
type Attempt = { line: LineId | null; takenMs: number };

/**
 * The guest's side of a room: coming in, coming back, and why not. It has no clock and no line: its owner tells
 * it what happens, and does what stands in `effects`.
 */
export class GuestRoom {
  readonly #options: GuestRoomOptions;
  readonly #effects: GuestEffect[] = [];
  readonly rejected: Record<string, number> = {};
  #status: GuestStatus = { kind: 'joining' };
  #welcome: Welcome | null = null;
  #roster: Roster | null = null;
  #line: LineId | null = null;
  #attempt: Attempt | null = null;
  #failure: LineFailure = 'blocked';
  #voice: VoiceState = 'off';
  #connection: ConnectionId | null = null;
  #scene: SceneChoice | null = null;
  readonly #standby = new StandbyLines({
    dial: (page) => this.#effects.push({ kind: 'dial', page }),
    close: (line) => this.#effects.push({ kind: 'close', line }),
    say: (line, standing) => this.#tell(line, standing),
  });
  readonly #succession = new Succession(this.#standby);
  /** The host to go on with, where it is not the one that this guest was with. */
  #following: Slot | null = null;
  #leads = false;
  /** True while this guest is to come in once more, and can't yet. */
  #wantsAnew = false;
  #pausedMs = 0;
  #silentMs = 0;
  #heardAt = -Infinity;
  #tickedAt = Number.NaN;

  constructor(options: GuestRoomOptions) {
    this.#options = options;
    const { back = null } = options;
    if (back === null) this.#open();
    else {
      this.#attempt = { line: back, takenMs: 0 };
      this.#greet(back);
    }
  }

  get status(): GuestStatus {
    return this.#status;
  }

  /** The host's last word on who is in the room; null before the welcome. A new object whenever it changes. */
  get roster(): Roster | null {
    return this.#roster;
  }

  get scene(): SceneChoice | null {
    return this.#scene;
  }

  /** This guest's place, which it may come back to; null before the welcome. */
  get seat(): Seat | null {
    if (this.#welcome === null) {
      const { seat } = this.#options;
      return seat === null ? null : { ...seat, connection: null, term: 0 };
    }
    const { slot, secret, term } = this.#welcome;
    return { slot, secret, connection: this.#connection, term };
  }

  /** What the host has let this guest know; null before the welcome. */
  get welcome(): Welcome | null {
    return this.#welcome;
  }

  /** [F4] True if this guest is to be the host from now on. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Every line to another player, with the page at its other end. */
  lines(): (readonly [LineId, string])[] {
    const lines = Array.from(this.#standby.all(), ([, line, page]) => [line, page] as const);
    const host = this.#roster?.players.find(({ slot }) => slot === this.#roster?.host);
    if (this.#line !== null && host !== undefined) lines.push([this.#line, host.id]);
    return lines;
  }

  drain(apply: (effect: GuestEffect) => void): void {
    for (const effect of this.#effects.splice(0)) apply(effect);
  }

  /**
   * A standby line is open, whoever asked for it.
   * @param page the id at the broker of the page at the other end.
   */
  opened(line: LineId, page: string): void {
    this.#standby.opened(line, page);
  }

  /** The line that was asked for is open. */
  answered(line: LineId): void {
    if (this.#attempt === null) {
      this.#effects.push({ kind: 'close', line });
      return;
    }
    this.#attempt.line = line;
    this.#greet(line);
  }

  #greet(line: LineId): void {
    const { name, colour } = this.#options;
    this.#tell(line, { kind: 'hello', version: PROTOCOL_VERSION, name, colour, seat: this.seat });
  }

  /** The line that was asked for can't be opened. */
  failed(why: LineFailure): void {
    this.#failure = why;
    this.#attempt = null;
    this.#pausedMs = 0;
    if (this.#status.kind !== 'joining') return;
    const { seat, back } = this.#options;
    const mayBeFound = seat !== null && why === 'not found' && this.#silentMs < FIND_WITHIN_MS;
    const mayComeBack = back !== undefined && this.#silentMs < SEAT_KEPT_MS;
    if (!mayBeFound && !mayComeBack) this.#end(why);
  }

  /** A line has broken, or the host closed it. */
  closed(line: LineId): void {
    this.#standby.closed(line);
    if (this.#attempt?.line === line) this.failed('blocked');
    if (this.#line !== line) return;
    this.#line = null;
    if (this.#status.kind !== 'here') return;
    this.#status = { kind: 'lost' };
    this.#silentMs = Math.max(this.#silentMs, LOST_AFTER_MS);
  }

  /** Takes in a message. Never throws on what it is given. */
  receive(line: LineId, text: string): void {
    const message = readHostMessage(text);
    if (message === null) this.rejected.malformed = (this.rejected.malformed ?? 0) + 1;
    else if (message.kind === 'standing') this.#standby.hear(line, message);
    else if (line === this.#attempt?.line) this.#hearAnswer(line, message);
    else if (line === this.#line) this.#hear(message);
  }

  #hearAnswer(line: LineId, message: HostMessage): void {
    if (message.kind === 'welcome') this.#enter(line, message);
    else if (message.kind === 'refuse') this.#end(message.reason);
    else if (message.kind === 'bye' && message.reason !== 'host left') this.#end(message.reason);
    else if (message.kind === 'bye') this.failed('not found');
  }

  #enter(line: LineId, welcome: Welcome): void {
    const goesOn = welcome.goesOn && this.#connection !== null;
    this.#standby.closed(line);
    if (this.#line !== null) this.#effects.push({ kind: 'close', line: this.#line });
    this.#line = line;
    this.#attempt = null;
    this.#welcome = welcome;
    this.#connection = welcome.connection;
    this.#scene = welcome.scene;
    this.#roster = welcome.roster;
    this.#silentMs = 0;
    this.#failure = 'blocked';
    this.#succession.begin();
    this.#following = null;
    this.#status = { kind: 'here' };
    if (!goesOn) this.#wantsAnew = false;
    this.#effects.push({ kind: 'enter', line, welcome, goesOn });
    if (this.#voice !== 'off') this.#tell(line, { kind: 'voice', voice: this.#voice });
  }

  #hear(message: HostMessage): void {
    switch (message.kind) {
      case 'roster':
        this.#roster = message.roster;
        break;
      case 'scene':
        this.#scene = message.scene;
        this.#connection = message.connection;
        this.#effects.push({ kind: 'scene', scene: message.scene, connection: message.connection });
        break;
      case 'bye':
        if (message.reason === 'host left') this.#succession.hostLeaves(message.next);
        else this.#end(message.reason);
        break;
      default:
        break;
    }
  }

  /** @param heardAt when the host's last packet came, on the clock of `nowMs`. */
  tick(nowMs: number, heardAt: number): void {
    const step = Math.min(LONGEST_STEP_MS, Math.max(0, nowMs - this.#tickedAt)) || 0;
    this.#tickedAt = nowMs;
    if (this.#status.kind === 'ended') return;
    this.#silentMs = this.#line !== null && heardAt > this.#heardAt ? 0 : this.#silentMs + step;
    this.#heardAt = Math.max(this.#heardAt, heardAt);
    if (this.#attempt !== null) this.#wait(this.#attempt, step);
    else this.#pausedMs += step;
    if (this.#status.kind === 'joining') {
      if (this.#attempt === null && this.#pausedMs >= RETRY_EVERY_MS) this.#open();
    } else if (this.#welcome !== null) {
      this.#judge();
      this.#openAnew();
      this.#settle(this.#welcome, step);
    }
  }

  #wait(attempt: Attempt, step: number): void {
    attempt.takenMs += step;
    if (attempt.takenMs < ATTEMPT_MS) return;
    if (attempt.line !== null) this.#effects.push({ kind: 'close', line: attempt.line });
    this.failed('blocked');
  }

  #judge(): void {
    const isLost = this.#line === null || this.#silentMs >= LOST_AFTER_MS;
    if (isLost !== (this.#status.kind === 'lost')) this.#status = { kind: isLost ? 'lost' : 'here' };
    if (!isLost) return;
    if (this.#silentMs >= SEAT_KEPT_MS) {
      this.#end('lost');
      return;
    }
    const isDue = this.#line === null || this.#silentMs >= RETRY_AFTER_MS;
    if (isDue && this.#attempt === null && this.#pausedMs >= RETRY_EVERY_MS) this.#open();
  }

  /** [F4] Settles with the others who is host, where this guest's own is absent, or theirs is another. */
  #settle({ slot: self, term }: Welcome, step: number): void {
    const roster = this.#roster;
    if (roster === null || this.#status.kind === 'ended') return;
    const { hasLeft } = this.#succession;
    const next = this.#succession.settle(step, {
      self,
      term,
      roster,
      misses: hasLeft || this.#status.kind === 'lost',
      isAbsent: this.#isAbsent,
      silentMs: this.#silentMs,
      failure: this.#failure,
    });
    if (next !== null && next !== self) this.#follow(next, roster);
    this.#leads = next === self;
    const { host } = roster;
    const standing: Standing = { kind: 'standing', host, term, hears: !this.#isAbsent };
    this.#standby.tick(step, roster, self, standing);
  }

  /** [F3] */
  get #isAbsent(): boolean {
    return this.#succession.hasLeft || this.#line === null || this.#silentMs >= AWAY_AFTER_MS;
  }

  #follow(host: Slot, roster: Roster): void {
    if (this.#following === host) return;
    this.#following = host;
    this.dropAttempt();
    const before = roster.players.find(({ slot }) => slot === roster.host);
    if (this.#line !== null && before !== undefined) this.#standby.put(before.slot, this.#line, before.id);
    this.#line = null;
    this.#status = { kind: 'lost' };
    this.#open();
  }

  /** Gives up the line that is being opened, if there is one: this guest is the host from now on, or goes elsewhere. */
  dropAttempt(): void {
    const line = this.#attempt?.line ?? null;
    if (line !== null) this.#effects.push({ kind: 'close', line });
    this.#attempt = null;
  }

  /** This guest's voice; the host tells the others. */
  setVoice(voice: VoiceState): void {
    this.#voice = voice;
    if (this.#line !== null) this.#tell(this.#line, { kind: 'voice', voice });
  }

  /**
   * Comes in once more, as one who knows nothing of the world: under a new connection, in the same place. A guest
   * that is lost, or is opening a line, does so when it is back. One attempt is made.
   * @param wanted false takes back an earlier wish, if nothing came of it yet.
   */
  rejoin(wanted = true): void {
    this.#wantsAnew = wanted;
    this.#openAnew();
  }

  #openAnew(): void {
    if (!this.#wantsAnew || this.#status.kind !== 'here' || this.#attempt !== null) return;
    this.#wantsAnew = false;
    this.#connection = null;
    this.#open();
  }

  /** Leaves with a word, so that the host need not wait for the silence, nor, for one who won't return, keep the seat. */
  leave(returns: boolean): void {
    if (this.#line !== null) this.#tell(this.#line, { kind: 'bye', returns });
    this.#closeAll();
  }

  #open(): void {
    const line = this.#following === null ? null : this.#standby.lineTo(this.#following);
    this.#attempt = { line, takenMs: 0 };
    if (line === null) this.#effects.push({ kind: 'open' });
    else this.#greet(line);
  }

  #end(why: GuestEnd): void {
    this.#status = { kind: 'ended', why };
    this.#closeAll();
  }

  #closeAll(): void {
    const standby = Array.from(this.#standby.all(), ([, line]) => line);
    for (const line of new Set([this.#line, this.#attempt?.line ?? null, ...standby])) {
      if (line !== null) this.#effects.push({ kind: 'close', line });
    }
    this.#line = null;
    this.#attempt = null;
  }

  #tell(line: LineId, message: GuestMessage): void {
    this.#effects.push({ kind: 'send', line, text: writeMessage(message) });
  }
}
