import type { ConnectionId, Slot } from '../../base/ids.ts';
import { MAX_PACKET_BYTES } from '../../base/constants.ts';
import { encodeName } from '../../base/text.ts';
import type { PlayerInput } from '../../hands/hand-input.ts';
import { PROTOCOL_VERSION } from '../../room/messages.ts';
import { ByteWriter } from '../../wire/files/bytes.ts';
import { wrapFile } from '../../wire/files/file.ts';
import type { SavedWorld } from '../../wire/files/saved-world.ts';
import { codeScene, codeWorld } from '../../wire/files/saved-world.ts';
import type { SceneChoice } from '../../world/scene.ts';
import { InputCoder } from './recorded-input.ts';

/** The events of a recording, by their numbers; FILES.md has what follows each. */
export const EVENTS = {
  /** What follows happens at this moment. */
  time: 0,
  /** A peer begins, in the place of an earlier one in its slot. */
  begin: 1,
  connect: 2,
  disconnect: 3,
  restart: 4,
  receive: 5,
  tick: 6,
  /** What it skips and sends comes next. */
  poll: 7,
  skip: 8,
  sent: 9,
  lead: 10,
  follow: 11,
} as const;
/** An event's number and its peer's slot share a byte. */
export const SLOT_STEP = 16;

/** Of one packet. */
export const MAX_RECORDED_BYTES = 2 * MAX_PACKET_BYTES;

/** With what a peer began. */
export type RecordedPeer = {
  readonly slot: Slot;
  readonly host: Slot;
  readonly name: string;
  readonly scene: SceneChoice;
};

/** Bytes of a recording unless its owner wants otherwise: a quarter of an hour of four, in fast play. */
const MAX_BYTES = 32 * 2 ** 20;

/**
 * Writes down all that some peers of one clock are told, and what they send: what it takes to have them do the
 * same again. It hears everything and says nothing.
 */
export class Recorder {
  readonly #writer = new ByteWriter();
  readonly #maxBytes: number;
  #nowMs = Number.NaN;
  #beganMs = Number.NaN;
  /** Bytes up to the last moment that was heard to its end. */
  #whole = 0;
  #isFull = false;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
    this.#writer.u16(PROTOCOL_VERSION);
  }

  /** True once no more is taken in. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** True once a moment was heard. */
  get hasBegun(): boolean {
    return !Number.isNaN(this.#beganMs);
  }

  /** Seconds from the first moment to the last. */
  get seconds(): number {
    return (this.#nowMs - this.#beganMs) / 1000 || 0;
  }

  /** A tick of the peers begins, at this moment on the clock of `receive` and `poll`: a step of a replay. */
  at(nowMs: number): void {
    if (this.#isFull || Object.is(nowMs, this.#nowMs)) return;
    const writer = this.#writer;
    this.#whole = writer.length;
    this.#isFull = writer.length > this.#maxBytes;
    if (this.#isFull) return;
    if (Number.isNaN(this.#beganMs)) this.#beganMs = nowMs;
    this.#nowMs = nowMs;
    writer.u8(EVENTS.time);
    writer.f64(nowMs);
  }

  /** For a peer that begins now: to be among its options. */
  begin({ slot, host, name, scene }: RecordedPeer): PeerRecorder {
    const recorder = new PeerRecorder(this, slot);
    const writer = this.event(EVENTS.begin, slot);
    if (writer !== null) {
      const bytes = encodeName(name);
      writer.u8(host);
      writer.bytes(bytes, writer.u8(bytes.length));
      codeScene(writer, scene);
    }
    return recorder;
  }

  /** Where to write what an event says; null if there is no room. For what belongs to a moment, at that moment. */
  event(number: number, slot: Slot, nowMs = this.#nowMs): ByteWriter | null {
    this.at(nowMs);
    if (this.#isFull) return null;
    this.#writer.u8(number + SLOT_STEP * slot);
    return this.#writer;
  }

  /** The recording as a file, up to the last whole moment. It takes no more after that. */
  finish(): Uint8Array<ArrayBuffer> {
    if (!this.#isFull) this.#whole = this.#writer.length;
    this.#isFull = true;
    return wrapFile('recording', this.#writer.finish(this.#whole));
  }
}

/** What one peer tells a recorder. */
export class PeerRecorder {
  readonly #recorder: Recorder;
  readonly #slot: Slot;
  readonly #inputs = new InputCoder();

  constructor(recorder: Recorder, slot: Slot) {
    this.#recorder = recorder;
    this.#slot = slot;
  }

  connect(to: Slot, connection: ConnectionId): void {
    const writer = this.#event(EVENTS.connect);
    writer?.u8(to);
    writer?.u32(connection);
  }

  disconnect(from: Slot): void {
    this.#event(EVENTS.disconnect)?.u8(from);
  }

  lead(term: number, waitsFor: readonly Slot[]): void {
    const writer = this.#event(EVENTS.lead);
    writer?.u16(term);
    writer?.u8(waitsFor.reduce((slots, slot) => slots | (1 << slot), 0));
  }

  follow(host: Slot, connection: ConnectionId): void {
    const writer = this.#event(EVENTS.follow);
    writer?.u8(host);
    writer?.u32(connection);
  }

  restart(saved: SavedWorld | null): void {
    const writer = this.#event(EVENTS.restart);
    writer?.u8(saved === null ? 0 : 1);
    if (writer !== null && saved !== null) codeWorld(writer, saved);
  }

  receive(nowMs: number, from: Slot, bytes: Uint8Array): void {
    this.#packet(this.#event(EVENTS.receive, nowMs), from, bytes);
  }

  tick(input: Readonly<PlayerInput>): void {
    const writer = this.#event(EVENTS.tick);
    if (writer !== null) this.#inputs.write(writer, input);
  }

  poll(nowMs: number, sendEvery: number): void {
    this.#event(EVENTS.poll, nowMs)?.u8(sendEvery);
  }

  skip(to: Slot): void {
    this.#event(EVENTS.skip)?.u8(to);
  }

  sent(to: Slot, bytes: Uint8Array): void {
    this.#packet(this.#event(EVENTS.sent), to, bytes);
  }

  /** Of what is too long for a packet, enough to be refused again. */
  #packet(writer: ByteWriter | null, slot: Slot, packet: Uint8Array): void {
    const bytes = packet.subarray(0, MAX_RECORDED_BYTES);
    writer?.u8(slot);
    writer?.bytes(bytes, writer.u16(bytes.length));
  }

  #event(number: number, nowMs?: number): ByteWriter | null {
    return this.#recorder.event(number, this.#slot, nowMs);
  }
}
