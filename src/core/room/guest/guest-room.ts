import type { Slot } from '../../base/ids.ts';
import type { LevelReference } from '../../world/level-reference.ts';
import { ConnectionAttempt } from './connection-attempt.ts';
import type { GuestEffect, GuestEnd, GuestRoomOptions, GuestStatus } from './guest-options.ts';
import type { GuestState, Here, Lost } from './guest-state.ts';
import {
  ended,
  entered,
  followedBy,
  hearsAgain,
  hostLineOf,
  isInLargeRoom,
  isInRoom,
  newStay,
  playLineOf,
  receiveFromHost,
  goesOnBy,
  joinOf,
  lineLost,
  mayHearHost,
  mayLeadAgain,
  silenceMeasured,
  statusOf,
  stayOf,
  turnedBack,
  turnedTo,
} from './guest-state.ts';
import type { LineFailure, LineId } from '../line.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { Signature } from '../identity/key.ts';
import type { HostMessage, Roster, Welcome } from '../messages.ts';
import type { Profile } from '../profile.ts';
import { readHostMessage } from '../messages.ts';
import { Outbox } from '../outbox.ts';
import { LOST_AFTER_MS, SEAT_KEPT_MS, Silence, StepClock } from '../silence.ts';
import { LevelGate } from './level-gate.ts';
import { StandbyLines } from './standby.ts';
import { standingOf } from './standing.ts';
import type { Claim } from './claim.ts';
import { claimOf } from './claim.ts';
import { isForeign, judgeWelcome, receiveEvidence } from './judge-welcome.ts';
import { answerTo, meaningOf } from './answers.ts';

/** Milliseconds of silence after which another line is tried, beside the one that is there. */
const RETRY_AFTER_MS = 3000;

/**
 * The guest's side of a room: it comes in, comes back, and knows why it could not. It has no clock and no line:
 * its owner reports what happens, and carries out the effects that `drain` hands out.
 */
export class GuestRoom {
  #options: GuestRoomOptions;
  readonly #outbox = new Outbox<GuestEffect>();
  readonly #standby = new StandbyLines({
    dial: (page) => this.#outbox.push({ kind: 'dial', page }),
    close: (line) => this.#outbox.close(line),
    send: (line, message) => this.#outbox.send(line, message),
  });
  readonly #attempt = new ConnectionAttempt();
  readonly #clock = new StepClock();
  /** The host's silence; before the welcome it counts from the beginning. */
  readonly #silence = new Silence();
  readonly #levels = new LevelGate();
  #state: GuestState = { kind: 'joining' };
  /** True while the guest is to come in once more, and can't yet. */
  #wantsToRejoin = false;

  constructor(options: GuestRoomOptions) {
    this.#options = options;
    const { back = null, heir = null } = options;
    if (heir !== null) this.#attempt.awaitOn(back, heir);
    else if (back !== null) this.#greet(back);
    else this.#open();
  }

  /** Messages that were rejected, counted by reason. */
  get rejected(): Readonly<Record<string, number>> {
    return this.#outbox.rejected;
  }

  get status(): GuestStatus {
    return statusOf(this.#state);
  }

  /** The host's last roster; null before the welcome. A new object whenever it changes. */
  get roster(): Roster | null {
    return stayOf(this.#state)?.roster ?? null;
  }

  /** The level of the room; null before the welcome. */
  get level(): LevelReference | null {
    return stayOf(this.#state)?.level ?? null;
  }

  /** The host's last welcome; null before the first. */
  get welcome(): Welcome | null {
    return stayOf(this.#state)?.welcome ?? null;
  }

  /** [F4] The secret that opens the room's door; null before the welcome. */
  get door(): string | null {
    return stayOf(this.#state)?.door ?? null;
  }

  /** [F4] Not null if this guest is to be the host from now on. */
  get claim(): Claim | null {
    const stay = stayOf(this.#state);
    const hasLine = hostLineOf(this.#state) !== null;
    return stay?.decision.kind === 'become host' ? claimOf(stay, stay.decision, hasLine) : null;
  }

  /** How it waits for a line to its host, or for the welcome on it; null if it does not. `forMs`: its silence, in milliseconds. */
  get attempt(): { readonly kind: 'opening' | 'greeted'; readonly forMs: number } | null {
    if (this.#state.kind !== 'joining' && this.#state.kind !== 'lost') return null;
    return { kind: this.#attempt.line === null ? 'opening' : 'greeted', forMs: this.#silence.ms };
  }

  /** True while the owner is to open lines to the room's door. */
  get wantsLine(): boolean {
    return this.#attempt.isOpening;
  }

  /** [F3.9] True while this guest asks to come in on the next line that is there. */
  get takesLine(): boolean {
    return this.#attempt.takesLine;
  }

  /** Every line but that of a running attempt. */
  lines(): LineId[] {
    return [...this.#standby.lines(), ...playLineOf(this.#state)];
  }

  /** Hands out the owner's tasks, in order, and forgets them. */
  drain(apply: (effect: GuestEffect) => void): void {
    this.#outbox.drain(apply);
  }

  /** A standby line is open, whichever page asked for it. @param other the page at the other end. */
  lineOpened(line: LineId, other: Other): void {
    if (isInLargeRoom(this.#state)) this.#outbox.close(line);
    else this.#standby.lineOpened(line, other);
  }

  /** A line that was asked for is there. If it is taken, it replaces the one before [F3.9]; else it is closed. */
  attemptOpened(line: LineId): void {
    this.#outbox.close(this.takesLine ? this.#attempt.line : line);
    if (this.takesLine) this.#greet(line, this.#state.kind === 'joining');
  }

  /** The line that was asked for is not open yet. @param why why it fails if it ends now. */
  attemptStands(why: LineFailure): void {
    this.#attempt.stands(why);
  }

  /** The line that was asked for can't be opened. */
  attemptFailed(why: LineFailure): void {
    if (!this.#attempt.keepGreeted()) this.#attemptOver(why);
  }

  #attemptOver(why: LineFailure): void {
    if (this.#attempt.goesOnBeside()) return;
    this.#attempt.fail(why);
    const followed = followedBy(this.#state);
    if (followed !== null) stayOf(this.#state)?.succession.notLetIn(followed);
    const mayGoOn = this.#attempt.mayGoOn(why, this.#silence.ms, this.#options);
    if (this.#state.kind === 'joining' && !mayGoOn) this.#end(why);
  }

  /** The page at the door has another version. */
  attemptRefused(): void {
    if (this.#state.kind === 'joining' && !mayLeadAgain(this.#state, this.#options)) this.#end('version');
    else this.#attemptOver('no answer');
  }

  /** The answer to the effect `sign`. @param signature null if it could not be signed. */
  signed(text: string, signature: Signature | null): void {
    stayOf(this.#state)?.ballots.signed(text, signature);
  }

  /** A line has broken, or the host closed it. */
  lineClosed(line: LineId): void {
    this.#standby.lineClosed(line);
    if (this.#attempt.line === line) this.#attemptOver('blocked');
    const state = this.#state;
    if (hostLineOf(state) !== line || !isInRoom(state)) return;
    this.#state = lineLost(state);
    this.#silence.atLeast(LOST_AFTER_MS);
  }

  /** Takes in a message. Never throws, whatever the text is. */
  receive(line: LineId, text: string): void {
    const message = readHostMessage(text);
    if (message === null) this.#receiveJoin(line, text);
    else if (message.kind === 'standing') {
      this.#standby.receive(line, message);
      if (this.#attempt.awaitsOn(line, message.host)) this.#greet(line, this.#attempt.isOpening);
    } else if (message.kind === 'roster' && this.#standby.has(line))
      receiveEvidence(stayOf(this.#state), message.roster);
    else if (line === this.#attempt.line) this.#receiveAnswer(line, message);
    else if (line === hostLineOf(this.#state)) this.#receiveFromHost(message);
  }

  #receiveJoin(line: LineId, text: string): void {
    const answer = answerTo(text, this.#state);
    if (answer === 'malformed') this.#outbox.reject(answer);
    else if (answer !== null) this.#outbox.send(line, answer);
  }

  #receiveAnswer(line: LineId, message: HostMessage): void {
    if (message.kind === 'welcome') return this.#receiveWelcome(line, message);
    const answer = meaningOf(message, this.#state, this.#options);
    if (answer?.kind === 'end') this.#end(answer.why);
    else if (answer !== null) {
      if (!this.#standby.has(line)) this.#outbox.close(line);
      this.#attemptOver(answer.why);
    }
  }

  /** [P3] [P6] Enters, if the host is one that this guest may follow. In a foreign room it frees its seat at once. */
  #receiveWelcome(line: LineId, welcome: Welcome): void {
    const verdict = judgeWelcome(this.#state, welcome, this.#options, this.#silence.ms);
    if (isForeign(verdict)) this.#outbox.send(line, { kind: 'bye', returns: false });
    if (verdict === 'enter') this.#enter(line, welcome);
    else if (verdict === 'not now') this.dropAttempt();
    else if (isForeign(verdict) && !mayLeadAgain(this.#state, this.#options)) this.#end(verdict);
    else {
      this.#outbox.reject(verdict);
      this.#outbox.close(line);
      this.#attemptOver('not found');
    }
  }

  #enter(line: LineId, welcome: Welcome): void {
    const before = stayOf(this.#state);
    const goesOn = goesOnBy(welcome, this.#state, this.#options);
    const follows = goesOn && before?.welcome.term !== welcome.term;
    this.#standby.lineClosed(line);
    this.#outbox.close(hostLineOf(this.#state));
    const stay = newStay(welcome, this.#standby, (text) => this.#outbox.sign(text));
    this.#state = entered(line, stay);
    this.#attempt.succeed();
    if (!goesOn) {
      this.#wantsToRejoin = false;
      this.#levels.drop();
    }
    this.#silence.end();
    this.#outbox.push({ kind: 'enter', line, welcome, goesOn, follows });
  }

  #receiveFromHost(message: HostMessage): void {
    const stay = stayOf(this.#state);
    const news = stay === null ? null : receiveFromHost(stay, message);
    if (news === 'level') {
      // The new level is the new beginning that the guest wished for.
      this.#wantsToRejoin = false;
      this.#levels.choose();
      this.#beginLevel(0);
    } else if (news === 'roster of another room') this.#outbox.reject(news);
    else if (news !== null) this.#end(news);
  }

  /**
   * Call it once a tick, after the messages were taken in.
   * @param nowMs milliseconds on the owner's clock.
   * @param lastPacketMs when the host's last packet came, on the same clock; -Infinity before the first.
   */
  tick(nowMs: number, lastPacketMs: number): void {
    const step = this.#clock.step(nowMs);
    if (this.#state.kind === 'ended') return;
    this.#silence.tick(step, lastPacketMs, mayHearHost(this.#state));
    if (this.#attempt.tick(step)) {
      this.#outbox.close(this.#attempt.line);
      this.#attemptOver(this.#attempt.failureInTime);
    }
    if (this.#state.kind === 'joining') return this.#joinOn();
    this.#beginLevel(step);
    this.#judgeSilence();
    this.#rejoinIfWanted();
    if (isInRoom(this.#state) && !isInLargeRoom(this.#state)) this.#settleHost(this.#state, step);
  }

  /** [F3.6] */
  #joinOn(): void {
    const next = this.#attempt.joinOn(this.#silence.ms);
    if (next === 'end') this.#end(this.#attempt.failureNow);
    else if (next === 'open') this.#outbox.push({ kind: 'open' });
  }

  #beginLevel(step: number): void {
    const next = this.#levels.next(step, stayOf(this.#state), this.#options.levels);
    if (next === 'other level' || next === 'other rate') this.#end(next);
    else if (next !== null) this.#outbox.push({ kind: 'level', ...next });
  }

  /** [F3] */
  #judgeSilence(): void {
    if (!isInRoom(this.#state)) return;
    const { ms } = this.#silence;
    this.#state = silenceMeasured(this.#state, ms);
    if (this.#state.kind === 'here') return this.#attempt.forgetFailure();
    if (ms >= SEAT_KEPT_MS) this.#end('lost');
    else if (this.#attempt.isDue && (hostLineOf(this.#state) === null || ms >= RETRY_AFTER_MS)) this.#open();
  }

  /** [F4] Agrees with the other guests on a host, where this guest's host is absent or theirs is another. */
  #settleHost(state: Here | Lost, step: number): void {
    const { stay } = state;
    const { roster, succession, ballots } = stay;
    const { slot: self, term, home } = stay.welcome;
    const missesHost = succession.hasLeft || (state.kind === 'lost' && !hearsAgain(state, this.#silence.ms));
    const now = { missesHost, silentMs: this.#silence.ms, failure: this.#attempt.failureNow };
    stay.decision = succession.decide(step, { self, term, home, roster, ballots, ...now });
    if (stay.decision.kind === 'follow') this.#follow(stay.decision.host, state);
    else this.#followNobody(state);
    if (missesHost && ballots.roster !== null) this.#standby.shareRoster(ballots.roster);
    this.#standby.tick(step, roster, self, standingOf(stay, missesHost));
  }

  /** [F4] Turns to a newer host, and keeps the line to the host before as a standby line. */
  #follow(host: Slot, state: Here | Lost): void {
    if (followedBy(this.#state) === host) return;
    this.dropAttempt();
    for (const line of playLineOf(state)) this.#standby.putHost(state.stay.roster, line);
    this.#state = turnedTo(host, state);
    this.#open();
  }

  /** [F4] Nobody is to be followed any more: back to the line to the host, if it is still there. */
  #followNobody(state: Here | Lost): void {
    if (state.kind === 'here' || followedBy(this.#state) === null) return;
    this.dropAttempt();
    this.#state = turnedBack(this.#standby.take(state.stay.roster.host), state);
  }

  /** Gives up the line that is being opened, if there is one: this guest is the host from now on, or goes elsewhere. */
  dropAttempt(): void {
    const { line } = this.#attempt;
    if (line !== null && !this.#standby.has(line)) this.#outbox.close(line);
    this.#attempt.drop();
  }

  /** [P8] This guest's profile; the host passes it on. */
  setProfile(profile: Profile): void {
    this.#options = { ...this.#options, profile };
    for (const line of new Set([hostLineOf(this.#state), this.#attempt.line]))
      if (line !== null) this.#outbox.send(line, { kind: 'profile', ...profile });
  }

  /**
   * Comes in once more, under a new connection and without a world: now, or when it is back. It makes one attempt.
   * @param wanted false takes back an earlier wish that had no effect yet.
   */
  rejoin(wanted = true): void {
    this.#wantsToRejoin = wanted;
    this.#rejoinIfWanted();
  }

  #rejoinIfWanted(): void {
    if (!this.#wantsToRejoin || this.#state.kind !== 'here' || this.#attempt.isUnderWay) return;
    this.#wantsToRejoin = false;
    this.#state.stay.connection = null;
    this.#open();
  }

  /**
   * Says goodbye, so that the host need not wait for the silence.
   * @param returns false: the guest won't come back, and the host need not keep the seat.
   */
  leave(returns: boolean): void {
    const line = hostLineOf(this.#state);
    if (line !== null) this.#outbox.send(line, { kind: 'bye', returns });
    this.#closeAll();
    if (isInRoom(this.#state)) this.#state = lineLost(this.#state);
  }

  /** Looks for the host: over the standby line to the host that it follows, else at the room's door. */
  #open(): void {
    const followed = followedBy(this.#state);
    const line = followed === null ? null : this.#standby.lineTo(followed);
    this.#attempt.begin();
    if (line === null) this.#outbox.push({ kind: 'open' });
    else this.#greet(line);
  }

  /** @param isBeside other lines are opened meanwhile. */
  #greet(line: LineId, isBeside = false): void {
    this.#attempt.greet(line, isBeside);
    this.#outbox.send(line, joinOf(this.#state, this.#options));
  }

  #end(why: GuestEnd): void {
    this.#closeAll();
    this.#state = ended(this.#state, why);
  }

  #closeAll(): void {
    for (const line of new Set([...this.lines(), this.#attempt.line])) this.#outbox.close(line);
    this.#attempt.drop();
  }
}
