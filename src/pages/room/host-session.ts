import type { Slot } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { Recorder } from '../../core/peer/recorder.ts';
import { saveWorld } from '../../core/peer/restart.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { HostEffect } from '../../core/room/host-room.ts';
import { HostRoom } from '../../core/room/host-room.ts';
import type { Roster, VoiceState } from '../../core/room/messages.ts';
import { Offences } from '../../core/room/offences.ts';
import type { LineId } from '../../core/room/seats.ts';
import type { SavedWorld } from '../../core/wire/saved-world.ts';
import type { SceneChoice } from '../../core/world/scene.ts';
import type { Station } from '../../transport/webrtc/station.ts';
import type { Session, SessionStatus } from './session.ts';
import { World } from './world.ts';

export type HostOptions = {
  readonly code: RoomCode;
  readonly slot: Slot;
  readonly name: string;
  readonly scene: SceneChoice;
  /** Players at most, this one included. */
  readonly capacity: number;
  /** Whether it is locked from the start. */
  readonly locked: boolean;
  /** Another code may be taken if this one is another room's. */
  readonly anotherCode: (() => RoomCode) | null;
  /** A world of the scene to begin from. */
  readonly saved: SavedWorld | null;
};

/** Milliseconds between two attempts at a door that is taken: a reloaded page may still stand in it itself. */
const TAKEN_RETRY_MS = 1000;
const TAKEN_TRIES = 4;

/** The host's part in a room: the world that counts, and who may come in. */
export class HostSession implements Session {
  readonly station: Station;
  readonly hosting = this;
  readonly seat = null;
  readonly slot: Slot;
  readonly #options: HostOptions;
  readonly #room: HostRoom;
  readonly #offences = new Offences();
  #code: RoomCode;
  #world: World;
  #status: SessionStatus = { kind: 'opening' };
  #recorder: Recorder | null = null;
  #takenTries = 0;
  #takenAt = 0;

  /** The station's door is to be open, or opening, at the code already; the engine is to be loaded. */
  constructor(station: Station, options: HostOptions) {
    const { slot, name, scene, capacity, code } = options;
    this.#options = options;
    this.#code = code;
    this.slot = slot;
    this.station = station;
    const { id } = station;
    this.#room = new HostRoom({ slot, name, id, scene, capacity, secret: () => crypto.randomUUID() });
    if (options.locked) this.#room.lock(true);
    this.#world = this.#createWorld(scene, options.saved);
  }

  get code(): RoomCode {
    return this.#code;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  get world(): World {
    return this.#world;
  }

  get roster(): Roster {
    return this.#room.roster;
  }

  tick(nowMs: number, input: PlayerInput): void {
    if (this.#status.kind === 'opening') this.#watchDoor(nowMs);
    this.station.lines.poll(this.#lineEvents);
    this.#world.receive(nowMs);
    this.#sendAwayWhoCheats(nowMs);
    this.#room.tick(nowMs, this.#world.peer);
    this.#room.drain(this.#obey);
    this.#world.tick(nowMs, input);
  }

  /** [F1] */
  #sendAwayWhoCheats(nowMs: number): void {
    const { peer } = this.#world;
    for (const slot of this.#offences.judge(nowMs, (of) => peer.offences(of)))
      this.#room.remove(slot, 'rules');
  }

  readonly #lineEvents = {
    opened: (line: LineId, page: string): void => this.#room.opened(line, page),
    message: (line: LineId, text: string): void => this.#room.receive(line, text),
    closed: (line: LineId): void => this.#room.closed(line),
  };

  /** Once the door is open the room is; what happens to the broker then disturbs nobody who plays. */
  #watchDoor(nowMs: number): void {
    const { state } = this.station;
    if (state === 'open') this.#status = { kind: 'here' };
    else if (state === 'unreachable') this.#status = { kind: 'ended', why: 'no broker' };
    else if (state === 'taken') this.#tryAnotherDoor(nowMs);
  }

  #tryAnotherDoor(nowMs: number): void {
    const { anotherCode } = this.#options;
    if (anotherCode !== null) this.#code = anotherCode();
    else if (nowMs - this.#takenAt < TAKEN_RETRY_MS) return;
    this.#takenAt = nowMs;
    if (++this.#takenTries > TAKEN_TRIES) this.#status = { kind: 'ended', why: 'code taken' };
    else this.station.openDoor(this.#code);
  }

  readonly #obey = (effect: HostEffect): void => {
    const { lines, transport } = this.station;
    switch (effect.kind) {
      case 'send':
        lines.get(effect.line)?.sendMessage(effect.text);
        break;
      case 'close':
        lines.close(effect.line);
        break;
      case 'seat':
        transport.bind(effect.slot, lines.get(effect.line));
        this.#world.peer.connect(effect.slot, effect.connection);
        break;
      case 'move':
        transport.bind(effect.slot, lines.get(effect.line));
        break;
      case 'unseat':
        transport.bind(effect.slot, null);
        this.#world.peer.disconnect(effect.slot);
        break;
    }
  };

  setVoice(voice: VoiceState): void {
    this.#room.setVoice(voice);
  }

  lock(locked: boolean): void {
    this.#room.lock(locked);
  }

  setCapacity(capacity: number): void {
    this.#room.setCapacity(capacity);
  }

  remove(slot: Slot): void {
    this.#room.remove(slot);
  }

  setScene(scene: SceneChoice, saved: SavedWorld | null = null): void {
    this.#world.dispose();
    this.#world = this.#createWorld(scene, saved);
    this.#room.setScene(scene);
  }

  record(recorder: Recorder | null): void {
    this.#recorder = recorder;
    const { choice, peer } = this.#world;
    if (recorder !== null) this.setScene(choice, saveWorld(peer.state, choice, 0));
  }

  restart(): void {
    this.#world.peer.restart();
  }

  leave(): void {
    this.#room.close();
    this.#room.drain(this.#obey);
    this.station.close();
    this.#world.dispose();
  }

  #createWorld(scene: SceneChoice, saved: SavedWorld | null): World {
    const { slot, name } = this.#options;
    const start = { saved, recorder: this.#recorder };
    return new World(scene, { slot, host: slot, name }, this.station.transport, start);
  }
}
