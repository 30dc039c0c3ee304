import type { Slot } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { Recorder } from '../../core/peer/recorder.ts';
import { saveWorld } from '../../core/peer/restart.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { GuestEnd } from '../../core/room/guest-room.ts';
import type { MemberEffect } from '../../core/room/member.ts';
import { Member } from '../../core/room/member.ts';
import type { Roster, VoiceState, Welcome } from '../../core/room/messages.ts';
import { Offences } from '../../core/room/offences.ts';
import type { LineFailure, LineId } from '../../core/room/seats.ts';
import type { SavedWorld } from '../../core/wire/saved-world.ts';
import type { SceneChoice } from '../../core/world/scene.ts';
import type { Station } from '../../transport/webrtc/station.ts';
import { Doorkeeper } from './doorkeeper.ts';
import type { Failure } from './sentences.ts';
import type { Hosting, Session, SessionStatus } from './session.ts';
import { World } from './world.ts';

/** What a host needs to open a room. */
export type Opening = {
  readonly scene: SceneChoice;
  /** Players at most, this one included. */
  readonly capacity: number;
  readonly locked: boolean;
  /** For a new room, in case the code is another's. */
  readonly anotherCode: (() => RoomCode) | null;
  /** A world of the scene to begin from. */
  readonly saved: SavedWorld | null;
};

/** How a player comes in. */
export type Entry =
  | ({ readonly role: 'host' } & Opening)
  | {
      readonly role: 'guest';
      /** From before this tab was reloaded. */
      readonly seat: { readonly slot: Slot; readonly secret: string } | null;
      /** It was the host: it is again, if nobody answers at the door. */
      readonly orElse: Opening | null;
    };

export type RoomOptions = {
  readonly code: RoomCode;
  readonly name: string;
  readonly colour: Slot;
  readonly entry: Entry;
};

/** A line that is being opened to whoever answers at the room's door. */
type Ring = { readonly line: LineId; readonly isProbe: boolean };

/** One page's part in a room, as host or guest; the one may become the other while it plays [F4]. */
export class RoomSession implements Session {
  readonly station: Station;
  readonly #options: RoomOptions;
  #code: RoomCode;
  #member: Member;
  #world: World | null = null;
  #slot: Slot | null = null;
  #door: Doorkeeper | null = null;
  #ring: Ring | null = null;
  /** There is to be a line to the door, as soon as the broker has answered. */
  #wantsLine = false;
  #isIn = false;
  #failure: Failure | null = null;
  #recorder: Recorder | null = null;
  #offences = new Offences();
  #orElse: Opening | null;

  /** The engine is to be loaded: who is welcomed begins to play at once. */
  constructor(station: Station, options: RoomOptions) {
    this.#options = options;
    this.#code = options.code;
    this.station = station;
    const { entry } = options;
    this.#orElse = entry.role === 'guest' ? entry.orElse : null;
    this.#member = entry.role === 'host' ? this.#openRoom(entry) : this.#joinRoom(entry.seat);
  }

  #openRoom({ scene, capacity, locked, anotherCode, saved }: Opening): Member {
    const { colour: slot, code } = this.#options;
    const options = { slot, scene, capacity };
    const member = new Member(this.#identity(), { role: 'host', options });
    const { host } = member;
    if (host === null) throw new Error('a host is none');
    if (locked) host.lock(true);
    this.#slot = slot;
    this.#world = this.#createWorld(scene, slot, slot, saved);
    this.#door = new Doorkeeper(this.station, code, host.tenure, null, anotherCode);
    return member;
  }

  #joinRoom(seat: { readonly slot: Slot; readonly secret: string } | null): Member {
    const { colour } = this.#options;
    return new Member(this.#identity(), { role: 'guest', options: { colour, seat } });
  }

  #identity(): ConstructorParameters<typeof Member>[0] {
    return { name: this.#options.name, id: this.station.id, secret: () => crypto.randomUUID() };
  }

  #createWorld(scene: SceneChoice, slot: Slot, host: Slot, saved: SavedWorld | null = null): World {
    const place = { slot, host, name: this.#options.name };
    return new World(scene, place, this.station.transport, { saved, recorder: this.#recorder });
  }

  get code(): RoomCode {
    return this.#door?.code ?? this.#code;
  }

  get status(): SessionStatus {
    if (this.#failure !== null) return { kind: 'ended', why: this.#failure };
    const { guest } = this.#member;
    if (guest === null) return { kind: this.#isIn ? 'here' : 'opening' };
    const { status } = guest;
    if (status.kind === 'ended') return { kind: 'ended', why: failureOf(status.why) };
    // One who comes back from being the host has the room still before its eyes.
    if (status.kind === 'joining') return { kind: this.#isIn ? 'lost' : 'opening' };
    return { kind: status.kind };
  }

  get slot(): Slot | null {
    return this.#slot;
  }

  get world(): World | null {
    return this.#world;
  }

  get roster(): Roster | null {
    return this.#member.roster;
  }

  get seat(): { readonly slot: Slot; readonly secret: string } | null {
    const { host, guest } = this.#member;
    if (host === null) return guest?.seat ?? null;
    return { slot: host.roster.host, secret: host.tenure.secret };
  }

  get hosting(): Hosting | null {
    return this.#member.host === null ? null : this.#hosting;
  }

  readonly #hosting: Hosting = {
    lock: (locked) => this.#member.host?.lock(locked),
    setCapacity: (capacity) => this.#member.host?.setCapacity(capacity),
    remove: (slot) => this.#member.host?.remove(slot),
    setScene: (scene, saved) => this.#setScene(scene, saved ?? null),
    restart: () => this.#world?.peer.restart(),
  };

  #setScene(scene: SceneChoice, saved: SavedWorld | null): void {
    const { host } = this.#member;
    if (host === null || this.#slot === null) return;
    this.#world?.dispose();
    this.#world = this.#createWorld(scene, this.#slot, this.#slot, saved);
    host.setScene(scene);
  }

  tick(nowMs: number, input: PlayerInput): void {
    this.#watchDoor(nowMs);
    this.station.lines.poll(this.#lineEvents);
    this.#world?.receive(nowMs);
    this.#sendAwayWhoCheats(nowMs);
    this.#member.tick(nowMs, {
      heardAt: (slot) => this.#world?.peer.heardAt(slot) ?? -Infinity,
      roundTripMs: (slot) => this.#world?.peer.roundTripMs(slot) ?? 0,
    });
    this.#member.drain(this.#obey);
    this.#openInstead();
    this.#world?.tick(nowMs, input);
  }

  /** [F1] */
  #sendAwayWhoCheats(nowMs: number): void {
    const { host } = this.#member;
    const peer = this.#world?.peer;
    if (host === null || peer === undefined) return;
    for (const slot of this.#offences.judge(nowMs, (of) => peer.offences(of))) host.remove(slot, 'rules');
  }

  readonly #lineEvents = {
    opened: (line: LineId, page: string): void => {
      if (line !== this.#ring?.line) this.#member.opened(line, page);
      else {
        this.#ring = null;
        this.#member.answered(line);
      }
    },
    message: (line: LineId, text: string): void => this.#member.receive(line, text),
    closed: (line: LineId, wasOpen: boolean): void => {
      if (wasOpen) this.#member.closed(line);
      else if (line === this.#ring?.line) this.#failed();
    },
  };

  #watchDoor(nowMs: number): void {
    const { host } = this.#member;
    if (host !== null && this.#door !== null) {
      const found = this.#door.tick(nowMs, host.hasGuests);
      this.#isIn ||= this.#door.wasOpen;
      if (this.#ring?.isProbe === true && this.station.door !== 'taken') this.#hangUp();
      if (found === 'look who is there') this.#ringDoor(true);
      else if (found !== null && !this.#isIn) this.#failure = found;
    }
    if (this.#wantsLine && this.station.state !== 'opening') this.#ringDoor(false);
    if (!this.station.isAbsent(this.code) || this.#ring === null) return;
    this.station.lines.close(this.#ring.line);
    this.#failed('not found');
  }

  #ringDoor(isProbe: boolean): void {
    this.#wantsLine = false;
    this.#hangUp();
    const line = this.station.ring(this.code);
    if (line !== null) this.#ring = { line, isProbe };
    else if (!isProbe) this.#member.failed(this.station.state === 'open' ? 'blocked' : 'no broker');
  }

  #hangUp(): void {
    if (this.#ring !== null) this.station.lines.close(this.#ring.line);
    this.#ring = null;
  }

  #failed(why?: LineFailure): void {
    const isProbe = this.#ring?.isProbe === true;
    this.#ring = null;
    if (!isProbe) this.#member.failed(why ?? (this.station.state === 'open' ? 'blocked' : 'no broker'));
  }

  /** A host whose page was loaded again finds nobody who has gone on with its room: it opens it anew. */
  #openInstead(): void {
    const { guest } = this.#member;
    if (this.#orElse === null || guest?.status.kind !== 'ended' || guest.status.why !== 'not found') return;
    this.#member = this.#openRoom(this.#orElse);
    this.#orElse = null;
  }

  readonly #obey = (effect: MemberEffect): void => {
    const { lines, transport } = this.station;
    switch (effect.kind) {
      case 'open':
        this.#wantsLine = true;
        break;
      case 'dial':
        this.station.dial(effect.page);
        break;
      case 'send':
        lines.get(effect.line)?.sendMessage(effect.text);
        break;
      case 'close':
        lines.close(effect.line);
        break;
      case 'enter':
        this.#enter(effect.welcome, effect.goesOn);
        transport.bind(effect.welcome.roster.host, lines.get(effect.line));
        break;
      case 'scene':
        this.#begin(effect.scene, effect.connection);
        break;
      case 'seat':
        transport.bind(effect.slot, lines.get(effect.line));
        this.#world?.peer.connect(effect.slot, effect.connection);
        break;
      case 'move':
        transport.bind(effect.slot, lines.get(effect.line));
        break;
      case 'unseat':
        transport.bind(effect.slot, null);
        this.#world?.peer.disconnect(effect.slot);
        break;
      case 'lead':
        this.#lead(effect);
        break;
      case 'yield':
        this.#yield();
        break;
    }
  };

  #enter(welcome: Welcome, goesOn: boolean): void {
    const { slot, connection, scene, roster } = welcome;
    this.#isIn = true;
    this.#slot = slot;
    this.#orElse = null;
    this.station.transport.unbindAll();
    const peer = this.#world?.peer;
    if (!goesOn || peer === undefined) this.#begin(scene, connection);
    else if (peer.state.host !== roster.host) peer.follow(roster.host, connection);
  }

  /** A new world: whoever was missed, or comes in, knows nothing of the present. */
  #begin(scene: SceneChoice, connection: Welcome['connection']): void {
    const host = this.#member.roster?.host;
    if (this.#slot === null || host === undefined) return;
    this.#world?.dispose();
    this.#world = this.#createWorld(scene, this.#slot, host);
    this.#world.peer.connect(host, connection);
  }

  /** [F4] */
  #lead({ tenure, before, awaits }: Extract<MemberEffect, { kind: 'lead' }>): void {
    this.#hangUp();
    this.#wantsLine = false;
    this.station.transport.unbindAll();
    this.#world?.peer.lead(tenure.term, awaits);
    this.#offences = new Offences();
    this.#door = new Doorkeeper(this.station, this.code, tenure, before);
  }

  /** [F4] */
  #yield(): void {
    this.#hangUp();
    this.#code = this.code;
    this.station.transport.unbindAll();
    this.station.leaveDoor();
    this.#door = null;
  }

  setVoice(voice: VoiceState): void {
    this.#member.setVoice(voice);
  }

  record(recorder: Recorder | null): void {
    this.#recorder = recorder;
    this.#member.guest?.rejoin(recorder !== null);
    if (recorder === null) return;
    if (this.hosting === null || this.#world === null) return;
    const { choice, peer } = this.#world;
    this.#setScene(choice, saveWorld(peer.state, choice, 0));
  }

  leave(returns: boolean): void {
    this.#member.leave(returns);
    this.#member.drain(this.#obey);
    this.station.close();
    this.#world?.dispose();
    this.#world = null;
  }
}

function failureOf(why: GuestEnd): Failure {
  switch (why) {
    case 'not found':
      return 'room not found';
    case 'full':
      return 'room full';
    case 'locked':
      return 'room locked';
    default:
      return why;
  }
}
