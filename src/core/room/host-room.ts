import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PLAYERS, TICK_RATE } from '../base/constants.ts';
import type { SceneChoice } from '../world/scene.ts';
import type { Ending, GuestMessage, Hello, HostMessage, Refusal, Roster, VoiceState } from './messages.ts';
import { MAX_ROUND_TRIP_MS, PROTOCOL_VERSION, readGuestMessage, writeMessage } from './messages.ts';
import type { Guest, LineId } from './seats.ts';
import { AWAY_AFTER_MS, LOST_AFTER_MS, rosterPlayer, SEAT_KEPT_MS, Seats } from './seats.ts';

/** What the owner of a room is to do, in this order. */
export type HostEffect =
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  /** A player plays on this line, under a new connection. */
  | { readonly kind: 'seat'; readonly slot: Slot; readonly line: LineId; readonly connection: ConnectionId }
  /** The same connection goes on over another line: nothing is lost. */
  | { readonly kind: 'move'; readonly slot: Slot; readonly line: LineId }
  /** A player is absent [F3]: its bodies fall free [H6]. */
  | { readonly kind: 'unseat'; readonly slot: Slot };

export type HostRoomOptions = {
  readonly slot: Slot;
  readonly name: string;
  /** The host page's id at the broker. */
  readonly id: string;
  readonly scene: SceneChoice;
  /** Players at most, the host included. */
  readonly capacity: number;
  /** Makes a secret that nobody can guess. */
  readonly secret: () => string;
};

/** What the owner knows of a player's packets. */
export type Hearing = {
  /** When a packet of this slot was last heard, on the clock of `tick`. */
  heardAt(slot: Slot): number;
  /** Milliseconds, 0 before it is known. */
  roundTripMs(slot: Slot): number;
};

/** Milliseconds in which a line has to say hello. */
const HELLO_WITHIN_MS = 10_000;
/** Lines that may be there before they have said hello. */
const MAX_STRANGERS = 16;
/** Messages that a line may send within a second: a person can't, a flood does. */
const MAX_MESSAGES_A_SECOND = 20;
/** Milliseconds between two rosters that only bring new round trips. */
const ROSTER_INTERVAL_MS = 1000;
/** Milliseconds: more than this between two ticks was the host's own pause, not anybody's silence. */
const LONGEST_STEP_MS = 250;

/** The page at a line's other end; how long it has waited with its hello; its messages in the running second. */
type LineState = { readonly page: string; waitedMs: number; messages: number };

/**
 * The host's side of a room: who may come in, in which slot, who is silent, who comes back. It has no clock and
 * no line: its owner tells it what happens, and does what stands in `effects`.
 */
export class HostRoom {
  readonly #options: HostRoomOptions;
  readonly #seats: Seats;
  readonly #lines = new Map<LineId, LineState>();
  readonly #effects: HostEffect[] = [];
  readonly #removed = new Set<string>();
  /** Messages that made no sense, by reason. */
  readonly rejected: Record<string, number> = {};
  #scene: SceneChoice;
  #connections = 0;
  #capacity: number;
  #locked = false;
  #voice: VoiceState = 'off';
  #roster: Roster;
  #rosterChanged = false;
  #rosterAt = 0;
  #tickedAt = Number.NaN;

  constructor(options: HostRoomOptions) {
    checkCapacity(options.capacity);
    this.#capacity = options.capacity;
    this.#options = options;
    this.#scene = options.scene;
    this.#seats = new Seats(options.slot);
    this.#roster = this.#makeRoster();
  }

  /** A new object whenever anything in it has changed. */
  get roster(): Roster {
    return this.#roster;
  }

  get scene(): SceneChoice {
    return this.#scene;
  }

  /** Hands out what is to be done, and forgets it. */
  drain(apply: (effect: HostEffect) => void): void {
    for (const effect of this.#effects.splice(0)) apply(effect);
  }

  /**
   * A page has opened a line.
   * @param page its id at the broker, by which others call it: as the broker vouches for it, not as it says itself.
   */
  opened(line: LineId, page: string): void {
    const strangers = [...this.#lines.keys()].filter((other) => this.#seats.onLine(other) === null);
    // The one that has been silent for longest makes room: a friend says hello at once.
    if (strangers.length >= MAX_STRANGERS) this.#drop(strangers[0]);
    this.#lines.set(line, { page, waitedMs: 0, messages: 0 });
  }

  /** A line has broken, or the other end closed it: whoever played on it is absent [F3]. */
  closed(line: LineId): void {
    this.#lines.delete(line);
    const guest = this.#seats.onLine(line);
    if (guest !== null) this.#leave(guest);
  }

  /** Takes in a message. Never throws on what it is given. */
  receive(line: LineId, text: string): void {
    const state = this.#lines.get(line);
    if (state === undefined) return;
    if (++state.messages > MAX_MESSAGES_A_SECOND) {
      this.#reject('flood');
      this.#drop(line);
      return;
    }
    const message = readGuestMessage(text);
    const guest = this.#seats.onLine(line);
    if (message === null) {
      this.#reject('malformed');
      if (guest === null) this.#drop(line);
    } else if (message.kind === 'hello') {
      if (guest === null) this.#greet(line, message);
      else this.#reject('second hello');
    } else if (guest === null) {
      this.#reject('no hello');
      this.#drop(line);
    } else this.#hear(guest, line, message);
  }

  #hear(guest: Guest, line: LineId, message: Exclude<GuestMessage, Hello>): void {
    if (message.kind === 'voice') {
      guest.voice = message.voice;
      this.#rosterChanged = true;
      return;
    }
    this.#drop(line);
    if (!message.returns) this.#seats.clear(guest.slot);
  }

  /** Judges silence, lets seats go that waited for too long, and tells everyone of changes. */
  tick(nowMs: number, hearing: Hearing): void {
    const step = Math.min(LONGEST_STEP_MS, Math.max(0, nowMs - this.#tickedAt)) || 0;
    this.#tickedAt = nowMs;
    for (const guest of this.#seats.all()) this.#judge(guest, step, hearing);
    for (const [line, state] of this.#lines) {
      if (this.#seats.onLine(line) !== null) continue;
      state.waitedMs += step;
      if (state.waitedMs > HELLO_WITHIN_MS) this.#drop(line);
    }
    this.#rosterAt += step;
    if (this.#rosterAt >= ROSTER_INTERVAL_MS) this.#eachSecond(hearing);
    if (this.#rosterChanged) this.#tellRoster();
  }

  #judge(guest: Guest, step: number, hearing: Hearing): void {
    const heardAt = hearing.heardAt(guest.slot);
    guest.silentMs = guest.line !== null && heardAt > guest.heardAt ? 0 : guest.silentMs + step;
    guest.heardAt = Math.max(guest.heardAt, heardAt);
    if (guest.line === null) {
      if (guest.silentMs >= SEAT_KEPT_MS) {
        this.#seats.clear(guest.slot);
        this.#rosterChanged = true;
      }
      return;
    }
    if (guest.silentMs >= AWAY_AFTER_MS) {
      const { line } = guest;
      this.#leave(guest);
      this.#drop(line);
      return;
    }
    const presence = guest.silentMs >= LOST_AFTER_MS ? 'lost' : 'here';
    if (presence === guest.presence) return;
    guest.presence = presence;
    this.#rosterChanged = true;
  }

  #eachSecond(hearing: Hearing): void {
    this.#rosterAt = 0;
    for (const state of this.#lines.values()) state.messages = 0;
    for (const guest of this.#seats.all()) {
      const measured = guest.line === null ? 0 : Math.round(hearing.roundTripMs(guest.slot));
      const roundTripMs = Math.min(MAX_ROUND_TRIP_MS, measured);
      if (roundTripMs !== guest.roundTripMs) this.#rosterChanged = true;
      guest.roundTripMs = roundTripMs;
    }
  }

  /** The players play in this scene from now on, everyone under a new connection. */
  setScene(scene: SceneChoice): void {
    this.#scene = scene;
    for (const guest of this.#seats.all()) {
      const { line } = guest;
      if (line === null) continue;
      guest.connection = this.#nextConnection();
      this.#tell(line, { kind: 'scene', scene, connection: guest.connection });
      this.#effects.push({ kind: 'seat', slot: guest.slot, line, connection: guest.connection });
    }
  }

  /** Nobody new comes in; whoever is away may still come back. */
  lock(locked: boolean): void {
    this.#locked = locked;
    this.#changeRules();
  }

  /**
   * How many may play, the host included; never fewer than have a seat.
   * @throws RangeError if a room can't hold so many.
   */
  setCapacity(capacity: number): void {
    checkCapacity(capacity);
    this.#capacity = Math.max(capacity, this.#seats.count + 1);
    this.#changeRules();
  }

  #changeRules(): void {
    this.#roster = this.#makeRoster();
    this.#rosterChanged = true;
  }

  /** Sends a player away, by the host's wish or for breaking the rules; its seat won't open again. */
  remove(slot: Slot, reason: 'removed' | 'rules' = 'removed'): void {
    const guest = this.#seats.get(slot);
    if (guest === null) return;
    this.#removed.add(guest.secret);
    const { line } = guest;
    if (line !== null) this.#leave(guest);
    this.#seats.clear(slot);
    this.#rosterChanged = true;
    if (line !== null) this.#end(line, reason);
  }

  /** The host's own voice. */
  setVoice(voice: VoiceState): void {
    this.#voice = voice;
    this.#rosterChanged = true;
  }

  /** The host leaves: everyone is told. */
  close(): void {
    for (const line of [...this.#lines.keys()]) this.#end(line, 'host left');
  }

  #greet(line: LineId, hello: Hello): void {
    const known = this.#seats.provenBy(hello.seat);
    const refusal = this.#refusal(hello, known);
    if (refusal !== null) {
      this.#tell(line, { kind: 'refuse', reason: refusal, version: PROTOCOL_VERSION });
      this.#drop(line);
      return;
    }
    const guest = known ?? this.#newGuest(hello);
    const goesOn = known !== null && known.line !== null && hello.seat?.connection === known.connection;
    const before = guest.line;
    if (before !== null && !goesOn) this.#effects.push({ kind: 'unseat', slot: guest.slot });
    const page = this.#lines.get(line)?.page ?? '';
    const isSamePage = guest.id === page;
    guest.line = line;
    guest.name = hello.name;
    guest.id = page;
    guest.silentMs = 0;
    guest.presence = 'here';
    if (!goesOn) {
      guest.connection = this.#nextConnection();
      guest.voice = 'off';
    }
    if (before !== null) {
      // A page that has come over a better line needs no word about itself.
      if (isSamePage) this.#drop(before);
      else this.#end(before, 'opened elsewhere');
    }
    const { slot, connection } = guest;
    this.#effects.push(goesOn ? { kind: 'move', slot, line } : { kind: 'seat', slot, line, connection });
    this.#roster = this.#makeRoster();
    this.#rosterChanged = true;
    this.#welcome(line, guest);
  }

  #refusal(hello: Hello, known: Guest | null): Refusal | null {
    if (hello.version !== PROTOCOL_VERSION) return 'version';
    if (hello.seat !== null && this.#removed.has(hello.seat.secret)) return 'removed';
    if (known !== null) return null;
    if (this.#locked) return 'locked';
    return this.#seats.count + 1 >= this.#capacity ? 'full' : null;
  }

  #newGuest(hello: Hello): Guest {
    const guest: Guest = {
      slot: this.#seats.freeSlot(hello.colour),
      secret: this.#options.secret(),
      name: hello.name,
      id: '',
      line: null,
      connection: 0 as ConnectionId,
      presence: 'here',
      voice: 'off',
      roundTripMs: 0,
      heardAt: -Infinity,
      silentMs: 0,
    };
    this.#seats.put(guest);
    return guest;
  }

  #welcome(line: LineId, guest: Guest): void {
    const { slot, secret, connection } = guest;
    const scene = this.#scene;
    const roster = this.#roster;
    this.#tell(line, { kind: 'welcome', slot, secret, connection, scene, tickRate: TICK_RATE, roster });
  }

  /** [F3], [H6] */
  #leave(guest: Guest): void {
    guest.line = null;
    guest.presence = 'away';
    guest.voice = 'off';
    guest.roundTripMs = 0;
    guest.silentMs = 0;
    this.#effects.push({ kind: 'unseat', slot: guest.slot });
    this.#rosterChanged = true;
  }

  #end(line: LineId, reason: Ending): void {
    this.#tell(line, { kind: 'bye', reason });
    this.#drop(line);
  }

  #drop(line: LineId): void {
    const guest = this.#seats.onLine(line);
    if (guest !== null) this.#leave(guest);
    this.#lines.delete(line);
    this.#effects.push({ kind: 'close', line });
  }

  #tell(line: LineId, message: HostMessage): void {
    this.#effects.push({ kind: 'send', line, text: writeMessage(message) });
  }

  #tellRoster(): void {
    this.#rosterChanged = false;
    this.#roster = this.#makeRoster();
    for (const { line } of this.#seats.all()) {
      if (line !== null) this.#tell(line, { kind: 'roster', roster: this.#roster });
    }
  }

  #makeRoster(): Roster {
    const { slot, name, id } = this.#options;
    const capacity = this.#capacity;
    const host = { slot, name, id, presence: 'here', voice: this.#voice, roundTripMs: 0 } as const;
    const players = [host, ...this.#seats.all().map(rosterPlayer)].sort((a, b) => a.slot - b.slot);
    return { host: slot, capacity, locked: this.#locked, players };
  }

  #nextConnection(): ConnectionId {
    return ++this.#connections as ConnectionId;
  }

  #reject(reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
  }
}

function checkCapacity(capacity: number): void {
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= MAX_PLAYERS) return;
  throw new RangeError(`a room holds 1 to ${MAX_PLAYERS} players, not ${capacity}`);
}
