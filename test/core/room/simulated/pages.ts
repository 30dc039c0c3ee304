import type { ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import type { GuestEffect, GuestRoomOptions } from '../../../../src/core/room/guest/guest-options.ts';
import { GuestRoom } from '../../../../src/core/room/guest/guest-room.ts';
import type { HostEffect, HostRoomOptions } from '../../../../src/core/room/host/host-options.ts';
import { HostRoom } from '../../../../src/core/room/host/host-room.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { LineFailure, LineId } from '../../../../src/core/room/line.ts';
import type { LevelReference } from '../../../../src/core/world/level-reference.ts';
import { signatureOf } from '../../../support/keys.ts';
import type { End } from './lines.ts';

/** Fails a run unless it is so. @throws Error with the text; the run adds its seed and the time. */
export function check(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(what);
}

/** A player's place at the host's page, by its effects. */
type Place = { readonly end: End | null; readonly connection: ConnectionId };

/** A page of a simulated house: it has lines, and may be stalled. */
abstract class Page {
  readonly ends = new Map<LineId, End>();
  now = 0;
  stalledUntil = 0;

  add(end: End): void {
    this.ends.set(end.id, end);
  }

  /** @returns false while the page is stalled. */
  awake(now: number): boolean {
    if (now < this.stalledUntil) return false;
    this.now = now;
    return true;
  }

  protected poll(events: Parameters<End['poll']>[1]): void {
    for (const [id, end] of this.ends) if (!end.poll(this.now, events)) this.ends.delete(id);
  }

  protected say(line: LineId, text: string): void {
    this.ends.get(line)?.say(this.now, text);
  }
}

/** Owns a HostRoom as the real page does, and checks each effect. */
export class HostPage extends Page {
  readonly room: HostRoom;
  readonly places = new Map<Slot, Place>();
  /** Lines to which a connection has moved from another line. */
  readonly movedTo = new WeakSet<End>();
  readonly #heardAt = new Map<Slot, number>();
  #lastConnection = 0;

  readonly key: PublicKey;

  constructor(options: HostRoomOptions) {
    super();
    this.key = options.key;
    this.room = new HostRoom(options);
  }

  tick(now: number): void {
    if (!this.awake(now)) return;
    this.poll({
      opened: (line, { page }) => {
        const key = this.ends.get(line)?.key;
        if (key !== undefined) this.room.lineOpened(line, { page, key });
      },
      message: (line, text) => this.room.receive(line, text),
      closed: (line) => this.room.lineClosed(line),
    });
    for (const [slot, { end, connection }] of this.places) {
      if (end?.hears(now, connection) === true) this.#heardAt.set(slot, now);
    }
    this.room.tick(now, {
      lastPacketMs: (slot) => this.#heardAt.get(slot) ?? -Infinity,
      roundTripMs: (slot) => 10 * slot + Math.floor(now / 5000),
    });
    this.drain();
    for (const { end, connection } of this.places.values()) end?.sendPacket(now, connection);
  }

  drain(): void {
    let count = 0;
    this.room.drain((effect) => {
      this.#apply(effect);
      count++;
    });
    check(count < 500, `${count} effects in one tick`);
    for (const [slot, { end }] of this.places) check(end?.isClosed === false, `${slot} sits on no line`);
  }

  #apply(effect: HostEffect): void {
    switch (effect.kind) {
      case 'send':
        this.say(effect.line, effect.text);
        break;
      case 'close':
        this.ends.get(effect.line)?.close(this.now);
        break;
      case 'seat':
        check(!this.places.has(effect.slot), `${effect.slot} is seated twice`);
        check(effect.connection > this.#lastConnection, 'a connection has an old number');
        this.#lastConnection = effect.connection;
        this.#place(effect.slot, effect.line, effect.connection);
        this.#heardAt.delete(effect.slot);
        break;
      case 'move': {
        const place = this.places.get(effect.slot);
        check(place !== undefined, `${effect.slot} is moved, but not seated`);
        this.#place(effect.slot, effect.line, place.connection);
        const end = this.ends.get(effect.line);
        if (end !== undefined) this.movedTo.add(end);
        break;
      }
      case 'dial':
        // There is no other host in these rooms.
        check(false, `the host calls ${effect.page}`);
        break;
      case 'sign':
        this.room.signed(effect.text, signatureOf(this.key, effect.text));
        break;
      case 'door':
        break;
      case 'unseat':
        check(this.places.delete(effect.slot), `${effect.slot} is unseated, but not seated`);
        break;
    }
  }

  #place(slot: Slot, line: LineId, connection: ConnectionId): void {
    // A line may have ended in the same poll in which its hello came; then `unseat` follows.
    const end = this.ends.get(line) ?? null;
    for (const [other, place] of this.places)
      check(other === slot || place.end !== end, 'two sit on one line');
    this.places.set(slot, { end, connection });
  }

  /** A new level is a new world, in which nobody is seated yet. */
  setLevel(level: LevelReference): void {
    this.drain();
    this.places.clear();
    this.room.setLevel(level);
    this.drain();
  }
}

/** A line that is being opened to the host; or the reason why it can't be, and when that is known. */
export type Dialling = { readonly end: End } | { readonly why: LineFailure; readonly at: number };

/** Owns a GuestRoom as the real page does. */
export class GuestPage extends Page {
  readonly room: GuestRoom;
  place: (Place & { readonly slot: Slot; readonly goesOn: boolean }) | null = null;
  /** Since when its status is `here`; Infinity while it is not. */
  hereSince = Infinity;
  entered = { anew: 0, goingOn: 0 };
  readonly #dial: (guest: GuestPage) => Dialling;
  #dialling: Dialling | null = null;
  #wantsLine = false;
  #heardAt = -Infinity;

  readonly key: PublicKey;

  constructor(options: GuestRoomOptions, key: PublicKey, ring: (guest: GuestPage) => Dialling) {
    super();
    this.key = key;
    this.room = new GuestRoom(options);
    this.#dial = ring;
  }

  get isOver(): boolean {
    return this.room.status.kind === 'ended' || this.room.claim !== null;
  }

  tick(now: number): void {
    if (!this.awake(now) || this.room.claim !== null) return;
    const wasOver = this.isOver;
    this.#watch();
    this.poll({
      opened: (line) => {
        if (this.#isDialling(line)) this.#dialling = null;
        this.room.attemptOpened(line);
      },
      message: (line, text) => this.room.receive(line, text),
      closed: (line, wasOpen) => {
        if (wasOpen) this.room.lineClosed(line);
        else if (this.#isDialling(line)) this.#failed('blocked');
      },
    });
    if (this.place?.end?.hears(now, this.place.connection) === true) this.#heardAt = now;
    this.room.tick(now, this.#heardAt);
    // There are no lines between guests here: a guest that becomes host is alone, and leaves this house.
    if (this.room.claim !== null) this.room.leave(false);
    this.drain();
    if (this.place !== null) this.place.end?.sendPacket(now, this.place.connection);
    check(!wasOver || this.isOver, 'a guest came back after its end');
    check(
      [...this.ends.values()].filter((end) => !end.isClosed).length <= 2,
      'a guest has more than two lines',
    );
    if (this.room.status.kind !== 'here') this.hereSince = Infinity;
    else this.hereSince = Math.min(this.hereSince, now);
  }

  #isDialling(line: LineId): boolean {
    return this.#dialling !== null && 'end' in this.#dialling && this.#dialling.end.id === line;
  }

  #watch(): void {
    if (this.#wantsLine) {
      this.#wantsLine = false;
      if (this.#dialling !== null && 'end' in this.#dialling) this.#dialling.end.close(this.now);
      this.#dialling = this.#dial(this);
      if ('end' in this.#dialling) this.add(this.#dialling.end);
    } else if (this.#dialling !== null && 'why' in this.#dialling && this.#dialling.at <= this.now) {
      this.#failed(this.#dialling.why);
    }
  }

  #failed(why: LineFailure): void {
    this.#dialling = null;
    this.room.attemptFailed(why);
  }

  drain(): void {
    this.room.drain((effect) => this.#apply(effect));
  }

  #apply(effect: GuestEffect): void {
    switch (effect.kind) {
      case 'open':
        this.#wantsLine = true;
        break;
      case 'dial':
        break;
      case 'sign':
        this.room.signed(effect.text, signatureOf(this.key, effect.text));
        break;
      case 'send':
        this.say(effect.line, effect.text);
        break;
      case 'close':
        this.ends.get(effect.line)?.close(this.now);
        break;
      case 'enter':
        this.#enter(effect);
        break;
      case 'level':
        check(this.place !== null, 'a level, but no place');
        this.place = { ...this.place, connection: effect.connection };
        this.entered.anew++;
        break;
    }
  }

  #enter({ line, welcome, goesOn }: Extract<GuestEffect, { kind: 'enter' }>): void {
    const end = this.ends.get(line) ?? null;
    if (goesOn) check(this.place?.slot === welcome.slot, 'a guest goes on in another slot');
    this.entered[goesOn ? 'goingOn' : 'anew']++;
    this.place = { end, connection: welcome.connection, slot: welcome.slot, goesOn };
  }
}
