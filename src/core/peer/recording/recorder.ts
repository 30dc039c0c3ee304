import type { BodyId, ConnectionId, Slot } from '../../base/ids.ts';
import { MAX_PACKET_BYTES } from '../../base/constants.ts';
import { encodeName } from '../../base/text.ts';
import type { PlayerInput } from '../../hands/hand-input.ts';
import { PROTOCOL_VERSION } from '../../room/messages.ts';
import { ByteWriter } from '../../wire/files/bytes.ts';
import { wrapFile } from '../../wire/files/file.ts';
import type { SavedWorld } from '../../wire/files/saved-world.ts';
import { codeReference, codeWorld } from '../../wire/files/saved-world.ts';
import { codeSchemaHash, codeWords } from '../../wire/files/shared-words.ts';
import type { EntryId } from '../../shared/layout.ts';
import type { SharedSchema } from '../../shared/schema.ts';
import type { LevelReference } from '../../world/level-reference.ts';
import type { BodyAction } from '../actions/body-action.ts';
import { codeAction, codeSpawn } from './recorded-action.ts';
import { InputCoder } from './recorded-input.ts';
import type { Spawn, SpawnRefusal } from '../actions/spawning.ts';

/** The numbers of the events of a recording; FILES.md describes the bytes after each. */
export const EVENTS = {
  /** The events after it happen at this moment. */
  time: 0,
  /** A peer begins, in the place of an earlier one in its slot. */
  begin: 1,
  connect: 2,
  disconnect: 3,
  reset: 4,
  receive: 5,
  tick: 6,
  /** The packets that it skips and sends come next. */
  poll: 7,
  skip: 8,
  sent: 9,
  lead: 10,
  follow: 11,
  act: 12,
  spawn: 13,
  despawn: 14,
  /** [V], [E] The peer's owner writes an entry, or emits an event. */
  shared: 15,
} as const;
/**
 * An event's number and its peer's slot share a byte: number + SLOT_STEP * slot. From LATE_SLOT on that byte has
 * LATE_SLOT, and the slot follows in a byte of its own.
 */
export const SLOT_STEP = 16;
export const LATE_SLOT = 15;

/** [V1] Added to the byte that says whether a peer has an avatar, if the hash of its schema follows its level. */
export const HAS_SCHEMA = 2;

/** Bytes that are recorded of one packet at the most: enough of a packet that is too long to reject it again. */
export const MAX_RECORDED_BYTES = 2 * MAX_PACKET_BYTES;

/** The options with which a peer began. */
export type RecordedPeer = {
  readonly slot: Slot;
  readonly host: Slot;
  readonly name: string;
  readonly level: LevelReference;
  /** [T1.4] False for a peer without an avatar; true if not given. */
  readonly avatar?: boolean;
  /** [V1] Null, or not given, without shared state. */
  readonly schema?: SharedSchema | null;
};

/** The default limit of a recording in bytes: a quarter of an hour of fast play by four players. */
const MAX_BYTES = 32 * 2 ** 20;

/**
 * Records everything that peers on one clock are given, and the packets that they send. A Playback has the peers do the
 * same again from it. A recorder changes nothing in its peers.
 */
export class Recorder {
  readonly #writer = new ByteWriter();
  readonly #maxBytes: number;
  #nowMs = Number.NaN;
  #beganMs = Number.NaN;
  /** Bytes up to the end of the last whole moment. */
  #whole = 0;
  #isFull = false;

  /** @param maxBytes the limit of the recording; it is exceeded by one moment at the most. */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
    this.#writer.u16(PROTOCOL_VERSION);
  }

  /** True once nothing more is recorded: it is finished, or it has reached its limit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** True once a moment was recorded. */
  get hasBegun(): boolean {
    return !Number.isNaN(this.#beganMs);
  }

  /** Seconds from the first moment to the last; 0 before the first. */
  get seconds(): number {
    return (this.#nowMs - this.#beganMs) / 1000 || 0;
  }

  /** A moment begins, by the clock of `receive` and `poll`, in milliseconds: a step of a playback. */
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

  /** A peer begins now. @returns the recorder that is to be among its options. */
  begin({ slot, host, name, level, avatar = true, schema = null }: RecordedPeer): PeerRecorder {
    const recorder = new PeerRecorder(this, slot);
    const writer = this.event(EVENTS.begin, slot);
    if (writer !== null) {
      const bytes = encodeName(name);
      writer.u8(host);
      writer.bytes(bytes, writer.u8(bytes.length));
      writer.u8((avatar ? 1 : 0) + (schema === null ? 0 : HAS_SCHEMA));
      codeReference(writer, level);
      if (schema !== null) codeSchemaHash(writer, schema.hash);
    }
    return recorder;
  }

  /**
   * Begins an event.
   * @param number one of EVENTS.
   * @param nowMs its moment; without it, that of the event before.
   * @returns the writer for the rest of the event; null if the recording is full.
   */
  event(number: number, slot: Slot, nowMs = this.#nowMs): ByteWriter | null {
    this.at(nowMs);
    if (this.#isFull) return null;
    this.#writer.u8(number + SLOT_STEP * Math.min(slot, LATE_SLOT));
    if (slot >= LATE_SLOT) this.#writer.u8(slot);
    return this.#writer;
  }

  /** Ends the recording. @returns it as a file, up to the last whole moment. */
  finish(): Uint8Array<ArrayBuffer> {
    if (!this.#isFull) this.#whole = this.#writer.length;
    this.#isFull = true;
    return wrapFile('recording', this.#writer.finish(this.#whole));
  }
}

/** Records one peer, which calls a method for everything that it is given, and for each packet that it sends. */
export class PeerRecorder {
  readonly #recorder: Recorder;
  readonly #slot: Slot;
  readonly #inputs = new InputCoder();

  /** @param recorder of the room. @param slot of the peer. */
  constructor(recorder: Recorder, slot: Slot) {
    this.#recorder = recorder;
    this.#slot = slot;
  }

  /** The peer connects to another. */
  connect(to: Slot, connection: ConnectionId): void {
    const writer = this.#event(EVENTS.connect);
    writer?.u8(to);
    writer?.u32(connection);
  }

  /** The peer disconnects from another. */
  disconnect(from: Slot): void {
    this.#event(EVENTS.disconnect)?.u8(from);
  }

  /** [F4] The peer becomes the host. */
  lead(term: number, waitsFor: readonly Slot[]): void {
    const writer = this.#event(EVENTS.lead);
    writer?.u16(term);
    writer?.u32(waitsFor.reduce((slots, slot) => (slots | (1 << slot)) >>> 0, 0));
  }

  /** [F4] The peer follows another host. */
  follow(host: Slot, connection: ConnectionId): void {
    const writer = this.#event(EVENTS.follow);
    writer?.u8(host);
    writer?.u32(connection);
  }

  /** [A13] The peer's owner asks for an action, and it is not refused at once. */
  act(action: BodyAction): void {
    const writer = this.#event(EVENTS.act);
    if (writer !== null) codeAction(writer, action);
  }

  /**
   * [S2] The peer's owner has asked for a body.
   * @param result as `spawn` returned it. A wish that is refused for its numbers or its template can't be written, and
   * has changed nothing.
   * @param template its index in the level.
   */
  spawn(result: BodyId | SpawnRefusal, template: number, wish: Spawn): void {
    if (result === 'bounds' || result === 'not allowed' || result === 'no template') return;
    const writer = this.#event(EVENTS.spawn);
    if (writer !== null) codeSpawn(writer, template, wish);
  }

  /** [S3] The peer's owner has taken a body out of the world. */
  despawn(body: BodyId): void {
    this.#event(EVENTS.despawn)?.u16(body);
  }

  /** [V] The peer's owner writes an entry. */
  write(entry: EntryId, words: Int32Array): void {
    const writer = this.#event(EVENTS.shared);
    writer?.u8(0);
    writer?.u16(entry);
    if (writer !== null) codeWords(writer, words);
  }

  /** [E] The peer's owner emits an event. @param kind its index in the schema. */
  emit(kind: number, words: Int32Array): void {
    const writer = this.#event(EVENTS.shared);
    writer?.u8(1);
    writer?.u16(kind);
    if (writer !== null) codeWords(writer, words);
  }

  /** The peer resets the level. @param saved the world from which it begins, or null for the start. */
  reset(saved: SavedWorld | null): void {
    const writer = this.#event(EVENTS.reset);
    writer?.u8(saved === null ? 0 : 1);
    if (writer !== null && saved !== null) codeWorld(writer, saved);
  }

  /** The peer is given a packet. */
  receive(nowMs: number, from: Slot, bytes: Uint8Array): void {
    this.#packet(this.#event(EVENTS.receive, nowMs), from, bytes);
  }

  /** The peer ticks with this input. */
  tick(input: Readonly<PlayerInput>): void {
    const writer = this.#event(EVENTS.tick);
    if (writer !== null) this.#inputs.write(writer, input);
  }

  /** The peer is polled; what it skips and sends comes next. */
  poll(nowMs: number, sendEvery: number): void {
    this.#event(EVENTS.poll, nowMs)?.u8(sendEvery);
  }

  /** The peer skips a receiver whose channel is not ready. */
  skip(to: Slot): void {
    this.#event(EVENTS.skip)?.u8(to);
  }

  /** The peer has sent a packet. */
  sent(to: Slot, bytes: Uint8Array): void {
    this.#packet(this.#event(EVENTS.sent), to, bytes);
  }

  #packet(writer: ByteWriter | null, slot: Slot, packet: Uint8Array): void {
    const bytes = packet.subarray(0, MAX_RECORDED_BYTES);
    writer?.u8(slot);
    writer?.bytes(bytes, writer.u16(bytes.length));
  }

  #event(number: number, nowMs?: number): ByteWriter | null {
    return this.#recorder.event(number, this.#slot, nowMs);
  }
}
