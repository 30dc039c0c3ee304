import type { BodyId, ConnectionId, Slot } from '../../base/ids.ts';
import { MAX_NAME_BYTES, MAX_PLAYERS, MAX_TICK_RATE } from '../../base/constants.ts';
import { decodeName } from '../../base/text.ts';
import type { PlayerInput } from '../../hands/hand-input.ts';
import { playerInput } from '../../hands/hand-input.ts';
import { PROTOCOL_VERSION } from '../../room/messages.ts';
import { ByteReader } from '../../wire/files/bytes.ts';
import type { FileFault } from '../../wire/files/file.ts';
import { unwrapFile } from '../../wire/files/file.ts';
import type { SavedWorld } from '../../wire/files/saved-world.ts';
import { codeReference, codeWorld, faultOf, NO_WORLD } from '../../wire/files/saved-world.ts';
import { codeSchemaHash, codeWords } from '../../wire/files/shared-words.ts';
import type { EntryId, SharedLayout } from '../../shared/layout.ts';
import { sharedLayout } from '../shared/shared-world.ts';
import type { SharedSchema } from '../../shared/schema.ts';
import type { Level } from '../../world/level.ts';
import type { LevelSource } from '../../world/level-reference.ts';
import { isSameReference } from '../../world/level-reference.ts';
import type { BodyAction } from '../actions/body-action.ts';
import { codeAction, codeSpawn, NO_ACTION, NO_SPAWN } from './recorded-action.ts';
import { InputCoder } from './recorded-input.ts';
import { RecordedLevels } from './recorded-levels.ts';
import type { RecordedPeer } from './recorder.ts';
import { EVENTS, HAS_SCHEMA, LATE_SLOT, MAX_RECORDED_BYTES, SLOT_STEP } from './recorder.ts';
import type { Spawn } from '../actions/spawning.ts';

/** Something that a peer was given, or a packet that it sent. Bytes and inputs last until the next event is read. */
export type RecordedEvent =
  | { readonly kind: 'time'; readonly nowMs: number }
  | { readonly kind: 'begin'; readonly slot: Slot; readonly peer: RecordedPeer; readonly level: Level }
  | { readonly kind: 'connect'; readonly slot: Slot; readonly to: Slot; readonly connection: ConnectionId }
  | { readonly kind: 'disconnect'; readonly slot: Slot; readonly from: Slot }
  | { readonly kind: 'lead'; readonly slot: Slot; readonly term: number; readonly waitsFor: readonly Slot[] }
  | { readonly kind: 'follow'; readonly slot: Slot; readonly host: Slot; readonly connection: ConnectionId }
  | { readonly kind: 'reset'; readonly slot: Slot; readonly saved: SavedWorld | null }
  | { readonly kind: 'act'; readonly slot: Slot; readonly action: BodyAction }
  | {
      readonly kind: 'spawn';
      readonly slot: Slot;
      /** The index of the template in the level. */
      readonly index: number;
      readonly motion: Omit<Spawn, 'template'>;
    }
  | { readonly kind: 'despawn'; readonly slot: Slot; readonly body: BodyId }
  | { readonly kind: 'write'; readonly slot: Slot; readonly entry: EntryId; readonly words: Int32Array }
  | { readonly kind: 'emit'; readonly slot: Slot; readonly event: number; readonly words: Int32Array }
  | { readonly kind: 'receive'; readonly slot: Slot; readonly from: Slot; readonly bytes: Uint8Array }
  | { readonly kind: 'tick'; readonly slot: Slot; readonly input: PlayerInput }
  | { readonly kind: 'poll'; readonly slot: Slot; readonly sendEvery: number }
  | { readonly kind: 'skip'; readonly slot: Slot; readonly to: Slot }
  | { readonly kind: 'sent'; readonly slot: Slot; readonly to: Slot; readonly bytes: Uint8Array };

/** A recording whose events were all checked. */
export type Recording = {
  /** Its version and events; `EventReader` reads them. */
  readonly content: Uint8Array;
  /** Where its levels come from. */
  readonly levels: LevelSource;
  /** [V1] The schema of its peers; null if they had none. */
  readonly schema: SharedSchema | null;
  /** For each step of a playback, which is all that happened at one moment, the seconds since the first moment. */
  readonly seconds: Float64Array;
};

/**
 * [W6] Reads a recording from a file, and checks all of its events.
 * @param levels the levels that this page has.
 * @param schema the schema that this page has; null for none.
 * @returns it, or the reason why it is refused.
 */
export function readRecording(
  file: Uint8Array,
  levels: LevelSource,
  schema: SharedSchema | null = null,
): Recording | FileFault {
  const content = unwrapFile('recording', file);
  if (typeof content === 'string') return content;
  if (new ByteReader(content).u16() !== PROTOCOL_VERSION) return 'other version';
  const events = new EventReader(content, levels, schema);
  const moments: number[] = [];
  for (let event = events.next(); event !== null; event = events.next()) {
    if (event.kind === 'time') moments.push(event.nowMs);
  }
  if (events.fault !== null) return events.fault;
  if (moments.length === 0) return 'damaged';
  return {
    content,
    levels,
    schema,
    seconds: Float64Array.from(moments, (moment) => (moment - moments[0]) / 1000),
  };
}

/** Reads the events of a recording, one after the other. It never throws: on impossible bytes it fails. */
export class EventReader {
  readonly #reader: ByteReader;
  readonly #inputs: InputCoder[] = [];
  readonly #input = playerInput();
  /** For each slot the peer that began there last, as it is now. */
  readonly #peers: (RecordedPeer | undefined)[] = [];
  /** Packets in a row that were skipped or sent: a playback keeps those of a poll. */
  #packets = 0;
  #fault: FileFault | null = null;
  readonly #levels: RecordedLevels;
  readonly #schema: SharedSchema | null;
  /** For each slot the layout of its peer's entries; undefined without shared state. */
  readonly #layouts: (SharedLayout | undefined)[] = [];

  /**
   * @param content of a recording; it must not change while it is read.
   * @param levels the levels that this page has.
   * @param schema the schema that this page has; null for none.
   */
  constructor(content: Uint8Array, levels: LevelSource, schema: SharedSchema | null = null) {
    this.#schema = schema;
    this.#levels = new RecordedLevels(levels);
    this.#reader = new ByteReader(content, VERSION_BYTES);
  }

  /** True once something was read that cannot be. */
  get failed(): boolean {
    return this.#reader.failed;
  }

  /** Why it has failed; null as long as it has not. */
  get fault(): FileFault | null {
    return this.#fault ?? (this.failed ? 'damaged' : null);
  }

  /** The next event; null at the end, and once it has failed. */
  next(): RecordedEvent | null {
    const reader = this.#reader;
    if (reader.failed || reader.atEnd) return null;
    const head = reader.u8();
    const early = Math.floor(head / SLOT_STEP);
    const slot = (early < LATE_SLOT ? early : reader.u8(LATE_SLOT, MAX_PLAYERS - 1)) as Slot;
    if (early === LATE_SLOT && slot < LATE_SLOT) reader.fail();
    const event = this.#read(head % SLOT_STEP, slot);
    this.#packets = event?.kind === 'skip' || event?.kind === 'sent' ? this.#packets + 1 : 0;
    if (event === null || this.#packets > MOST_PACKETS) reader.fail();
    return reader.failed ? null : event;
  }

  #read(number: number, slot: Slot): RecordedEvent | null {
    const reader = this.#reader;
    if (number === EVENTS.time) return slot === 0 ? { kind: 'time', nowMs: reader.f64() } : null;
    if (number === EVENTS.begin) return this.#begin(slot);
    const peer = this.#peers[slot];
    if (peer === undefined) return null;
    switch (number) {
      case EVENTS.connect: {
        const to = this.#other(slot);
        return { kind: 'connect', slot, to, connection: reader.u32() as ConnectionId };
      }
      case EVENTS.disconnect:
        return { kind: 'disconnect', slot, from: this.#other(slot) };
      case EVENTS.reset:
        return peer.host === slot ? { kind: 'reset', slot, saved: this.#saved(peer) } : null;
      case EVENTS.act:
        return { kind: 'act', slot, action: codeAction(reader, NO_ACTION) };
      case EVENTS.spawn:
        return { kind: 'spawn', slot, ...codeSpawn(reader, 0, NO_SPAWN) };
      case EVENTS.despawn:
        return { kind: 'despawn', slot, body: reader.u16() as BodyId };
      case EVENTS.shared:
        return this.#shared(slot);
      case EVENTS.receive:
        return { kind: 'receive', slot, from: this.#other(slot), bytes: this.#packet() };
      case EVENTS.tick:
        this.#inputs[slot].read(reader, this.#input);
        return { kind: 'tick', slot, input: this.#input };
      case EVENTS.poll: {
        const sendEvery = reader.u8(0, MAX_TICK_RATE);
        return sendEvery > 0 ? { kind: 'poll', slot, sendEvery } : null;
      }
      case EVENTS.skip:
        return { kind: 'skip', slot, to: this.#other(slot) };
      case EVENTS.sent:
        return { kind: 'sent', slot, to: this.#other(slot), bytes: this.#packet() };
      default:
        return this.#migration(number, peer);
    }
  }

  /** [F4] Reads a host migration of a guest, which may be the host after it; null if it is none. */
  #migration(number: number, peer: RecordedPeer): RecordedEvent | null {
    const reader = this.#reader;
    const { slot } = peer;
    if (number === EVENTS.lead) {
      this.#peers[slot] = { ...peer, host: slot };
      const term = reader.u16();
      const slots = reader.u32();
      return { kind: 'lead', slot, term, waitsFor: ALL_SLOTS.filter((other) => (slots >>> other) & 1) };
    }
    if (number !== EVENTS.follow) return null;
    const host = this.#other(slot);
    this.#peers[slot] = { ...peer, host };
    return { kind: 'follow', slot, host, connection: reader.u32() as ConnectionId };
  }

  #begin(slot: Slot): RecordedEvent | null {
    const reader = this.#reader;
    const host = reader.u8(0, MAX_PLAYERS - 1) as Slot;
    const name = decodeName(reader.bytes(NOTHING, reader.u8(0, MAX_NAME_BYTES)));
    const flags = reader.u8(0, 1 + HAS_SCHEMA);
    const avatar = flags % HAS_SCHEMA === 1;
    const reference = codeReference(reader, NO_WORLD.level);
    const level = reader.failed ? null : this.#levels.open(slot, reference);
    if (level === null) {
      this.#fault = reader.failed ? 'damaged' : 'other level';
      return null;
    }
    const hash = flags < HAS_SCHEMA ? '' : codeSchemaHash(reader, '');
    if (reader.failed) return null;
    if (hash !== '' && hash !== this.#schema?.hash) {
      this.#fault = 'other schema';
      return null;
    }
    const schema = hash === '' ? null : this.#schema;
    this.#layouts[slot] = sharedLayout(level, schema) ?? undefined;
    const peer = { slot, host, name, level: reference, avatar, schema };
    this.#peers[slot] = peer;
    this.#inputs[slot] = new InputCoder();
    return { kind: 'begin', slot, peer, level };
  }

  /** [V], [E] Reads a write or an event; null if the schema does not allow it. */
  #shared(slot: Slot): RecordedEvent | null {
    const reader = this.#reader;
    const isEvent = reader.u8(0, 1) === 1;
    const number = reader.u16();
    const words = codeWords(reader, NO_WORDS);
    const layout = this.#layouts[slot];
    if (layout === undefined || number >= (isEvent ? layout.schema.events.length : layout.entries))
      return null;
    const { set } = isEvent ? layout.schema.events[number] : layout.groupOf(number as EntryId);
    if (!set.allows(words)) return null;
    return isEvent
      ? { kind: 'emit', slot, event: number, words }
      : { kind: 'write', slot, entry: number as EntryId, words };
  }

  /** Reads a saved world, which must be one of the peer's level; null if there is none. */
  #saved({ slot, level: reference }: RecordedPeer): SavedWorld | null {
    const reader = this.#reader;
    if (reader.u8(0, 1) === 0) return null;
    const saved = codeWorld(reader, NO_WORLD);
    if (reader.failed) return null;
    const level = isSameReference(saved.level, reference) ? this.#levels.of(slot) : null;
    this.#fault = level === null ? 'damaged' : faultOf(saved, level);
    if (this.#fault !== null) reader.fail();
    return saved;
  }

  /** Reads the slot of another peer. */
  #other(slot: Slot): Slot {
    const other = this.#reader.u8(0, MAX_PLAYERS - 1) as Slot;
    if (other === slot) this.#reader.fail();
    return other;
  }

  #packet(): Uint8Array {
    return this.#reader.bytes(NOTHING, this.#reader.u16(0, MAX_RECORDED_BYTES));
  }
}

/** Packets that a poll may skip and send: one of each to every other player. */
const MOST_PACKETS = 2 * (MAX_PLAYERS - 1);
const VERSION_BYTES = 2;
const ALL_SLOTS = Array.from({ length: MAX_PLAYERS }, (_, slot) => slot as Slot);
const NOTHING = new Uint8Array(0);
const NO_WORDS = new Int32Array(0);
