import type { ConnectionId, Slot } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { Recorder } from '../../core/peer/recorder.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { GuestEffect, GuestEnd, LineFailure } from '../../core/room/guest-room.ts';
import { GuestRoom } from '../../core/room/guest-room.ts';
import type { Roster, Seat, VoiceState, Welcome } from '../../core/room/messages.ts';
import type { LineId } from '../../core/room/seats.ts';
import type { SceneChoice } from '../../core/world/scene.ts';
import type { Station } from '../../transport/webrtc/station.ts';
import type { Failure } from './sentences.ts';
import type { Session, SessionStatus } from './session.ts';
import { World } from './world.ts';

export type GuestOptions = {
  readonly code: RoomCode;
  readonly name: string;
  readonly colour: Slot | null;
  /** From before this tab was reloaded. */
  readonly seat: { readonly slot: Slot; readonly secret: string } | null;
};

/** A guest's part in a room. */
export class GuestSession implements Session {
  readonly station: Station;
  readonly hosting = null;
  readonly code: RoomCode;
  readonly #name: string;
  readonly #room: GuestRoom;
  #world: World | null = null;
  #host: Slot | null = null;
  #slot: Slot | null = null;
  /** The line that is being opened; or that there is to be one, as soon as the broker has answered. */
  #opening: LineId | null = null;
  #wantsLine = false;
  #recorder: Recorder | null = null;

  /** The engine is to be loaded: who is welcomed begins to play at once. */
  constructor(station: Station, { code, name, colour, seat }: GuestOptions) {
    this.code = code;
    this.#name = name;
    this.station = station;
    this.#room = new GuestRoom({ name, colour, seat });
  }

  get status(): SessionStatus {
    const { status } = this.#room;
    if (status.kind === 'ended') return { kind: 'ended', why: failureOf(status.why) };
    return { kind: status.kind === 'joining' ? 'opening' : status.kind };
  }

  get slot(): Slot | null {
    return this.#slot;
  }

  get world(): World | null {
    return this.#world;
  }

  get roster(): Roster | null {
    return this.#room.roster;
  }

  /** What brings this player back to its place; null before it is in. */
  get seat(): Seat | null {
    return this.#room.seat;
  }

  tick(nowMs: number, input: PlayerInput): void {
    this.#watchDoor();
    this.station.lines.poll(this.#lineEvents);
    this.#world?.receive(nowMs);
    const heardAt = this.#host === null ? undefined : this.#world?.peer.heardAt(this.#host);
    this.#room.tick(nowMs, heardAt ?? -Infinity);
    this.#room.drain(this.#obey);
    this.#world?.tick(nowMs, input);
  }

  readonly #lineEvents = {
    opened: (line: LineId): void => {
      if (line === this.#opening) this.#opening = null;
      this.#room.opened(line);
    },
    message: (line: LineId, text: string): void => this.#room.receive(line, text),
    closed: (line: LineId, wasOpen: boolean): void => {
      if (wasOpen) this.#room.closed(line);
      else if (line === this.#opening) this.#failed();
    },
  };

  #watchDoor(): void {
    if (this.#wantsLine && this.station.state !== 'opening') this.#ring();
    const isAbsent = this.station.isAbsent(this.code);
    if (!isAbsent || this.#opening === null) return;
    this.station.lines.close(this.#opening);
    this.#failed('not found');
  }

  #ring(): void {
    this.#wantsLine = false;
    if (this.#opening !== null) this.station.lines.close(this.#opening);
    this.#opening = this.station.ring(this.code);
    if (this.#opening === null) this.#failed();
  }

  #failed(why?: LineFailure): void {
    this.#opening = null;
    this.#room.failed(why ?? (this.station.state === 'open' ? 'blocked' : 'no broker'));
  }

  readonly #obey = (effect: GuestEffect): void => {
    const { lines, transport } = this.station;
    switch (effect.kind) {
      case 'open':
        this.#wantsLine = true;
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
    }
  };

  #enter(welcome: Welcome, goesOn: boolean): void {
    this.#host = welcome.roster.host;
    this.#slot = welcome.slot;
    if (!goesOn) this.#begin(welcome.scene, welcome.connection);
  }

  /** A new world: a guest that returns without the host's having kept its place knows nothing of the present. */
  #begin(scene: SceneChoice, connection: ConnectionId): void {
    if (this.#slot === null || this.#host === null) return;
    this.#world?.dispose();
    const place = { slot: this.#slot, host: this.#host, name: this.#name };
    this.#world = new World(scene, place, this.station.transport, { recorder: this.#recorder });
    this.#world.peer.connect(this.#host, connection);
  }

  setVoice(voice: VoiceState): void {
    this.#room.setVoice(voice);
  }

  record(recorder: Recorder | null): void {
    this.#recorder = recorder;
    if (recorder !== null) this.#room.rejoin();
  }

  leave(returns: boolean): void {
    this.#room.leave(returns);
    this.#room.drain(this.#obey);
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
