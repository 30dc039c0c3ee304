import type { Slot } from '../../base/ids.ts';
import type { Level } from '../../world/level.ts';
import type { LevelReference } from '../../world/level-reference.ts';
import type { Simulation } from '../../world/simulation.ts';
import { Peer } from '../peer.ts';
import type { RecordedPeer } from './recorder.ts';
import type { RecordedEvent, Recording } from './recording.ts';
import { EventReader } from './recording.ts';

/** A peer of a playback, with its level. */
export type PlayedPeer = { readonly peer: Peer; readonly level: Level; readonly reference: LevelReference };

/** A packet that a peer sent in the recording. */
type SentPacket = { readonly to: Slot; readonly bytes: Uint8Array };

/**
 * Plays a recording: its peers, each with an engine of its own, are given everything again that they were given. On the
 * machine and with the engine of the recording they do the same again, bit for bit. Elsewhere they may part from it;
 * the playback detects that by the packets that they send.
 */
export class Playback {
  readonly #createSimulation: (level: Level) => Simulation;
  readonly #events: EventReader;
  readonly #played = new Map<Slot, PlayedPeer>();
  readonly #skipped = new Set<Slot>();
  #event: RecordedEvent | null;
  #nowMs = 0;
  #steps = 0;
  /** True once the present step has had its moment. */
  #hasMoment = false;
  #isWithinStep = false;
  #partedAt: number | null = null;

  /**
   * @param recording as readRecording returned it.
   * @param createSimulation makes an engine that holds the level; `dispose` frees it.
   */
  constructor(recording: Recording, createSimulation: (level: Level) => Simulation) {
    this.#createSimulation = createSimulation;
    this.#events = new EventReader(recording.content, recording.levels, recording.schema);
    this.#event = this.#events.next();
  }

  /** The peers that play now, by slot. */
  get played(): ReadonlyMap<Slot, PlayedPeer> {
    return this.#played;
  }

  /** Steps that were made. A step is all that happened at one moment. */
  get steps(): number {
    return this.#steps;
  }

  /** The first step in which a peer sent other packets than in the recording; null as long as none did. */
  get partedAt(): number | null {
    return this.#partedAt;
  }

  /** True if the last call of `step` has made only a part of a step. */
  get isWithinStep(): boolean {
    return this.#isWithinStep;
  }

  /**
   * Makes the next step, or goes on with it.
   * @param hasTime asked after every event: false ends the call, even within a step. A file may put any number of
   * events into one step, and one event may begin a world of 4,096 bodies.
   * @returns false if there was nothing left to do.
   */
  step(hasTime: () => boolean = ALWAYS): boolean {
    if (this.#event === null) return false;
    do this.#playNext(this.#event);
    while (!this.#isStepOver && hasTime());
    this.#isWithinStep = !this.#isStepOver;
    if (this.#isWithinStep) return true;
    this.#hasMoment = false;
    this.#steps++;
    return true;
  }

  /** Before the first moment peers only begin: those beginnings are a part of the first step. */
  get #isStepOver(): boolean {
    return this.#event === null || (this.#event.kind === 'time' && this.#hasMoment);
  }

  /** Frees the engines; no step may be made after it. */
  dispose(): void {
    for (const { peer } of this.#played.values()) peer.dispose();
    this.#played.clear();
  }

  /** Has a peer do what an event says, and reads the next event. */
  #playNext(event: RecordedEvent): void {
    if (event.kind !== 'poll') this.#give(event);
    this.#event = this.#events.next();
    if (event.kind === 'poll') this.#poll(event.slot, event.sendEvery);
  }

  #give(event: Exclude<RecordedEvent, { kind: 'poll' }>): void {
    if (event.kind === 'time') {
      this.#nowMs = event.nowMs;
      this.#hasMoment = true;
      return;
    }
    const peer = this.#played.get(event.slot)?.peer;
    switch (event.kind) {
      case 'begin':
        this.#begin(event.peer, event.slot, event.level);
        break;
      case 'connect':
        peer?.connect(event.to, event.connection);
        break;
      case 'disconnect':
        peer?.disconnect(event.from);
        break;
      case 'lead':
        peer?.becomeHost(event.term, event.waitsFor);
        break;
      case 'follow':
        peer?.follow(event.host, event.connection);
        break;
      case 'reset':
        peer?.reset(event.saved);
        break;
      case 'spawn': {
        const template = peer?.state.bodies.level.templates[event.index];
        if (template !== undefined) peer?.spawn({ ...event.motion, template });
        break;
      }
      case 'despawn':
        peer?.despawn(event.body);
        break;
      case 'act':
        peer?.act(event.action);
        break;
      case 'write':
        peer?.sharedSink.write(event.entry, event.words);
        break;
      case 'emit':
        peer?.sharedSink.emit(event.event, event.words);
        break;
      case 'receive':
        peer?.receive(this.#nowMs, event.from, event.bytes);
        break;
      case 'tick':
        peer?.tick(event.input);
        break;
      // There was no poll before it: the playback and the recording differ.
      case 'skip':
      case 'sent':
        this.#part();
        break;
    }
  }

  #begin(
    { host, name, avatar = true, level: reference, schema = null }: RecordedPeer,
    slot: Slot,
    level: Level,
  ): void {
    this.#played.get(slot)?.peer.dispose();
    const peer = new Peer({
      slot,
      host,
      name,
      avatar,
      level,
      schema,
      simulation: this.#createSimulation(level),
    });
    this.#played.set(slot, { peer, level, reference });
  }

  #poll(slot: Slot, sendEvery: number): void {
    const recorded = this.#takeSent();
    const peer = this.#played.get(slot)?.peer;
    if (peer === undefined) return;
    peer.sendEvery = sendEvery;
    let sent = 0;
    peer.poll(
      this.#nowMs,
      (to, bytes) => {
        if (!isSame(recorded[sent++], to, bytes)) this.#part();
      },
      (to) => !this.#skipped.has(to),
    );
    if (sent !== recorded.length) this.#part();
  }

  /** Reads the packets that a poll skipped and sent: they come just after it. */
  #takeSent(): readonly SentPacket[] {
    const recorded: SentPacket[] = [];
    this.#skipped.clear();
    while (this.#event?.kind === 'skip' || this.#event?.kind === 'sent') {
      if (this.#event.kind === 'skip') this.#skipped.add(this.#event.to);
      else recorded.push(this.#event);
      this.#event = this.#events.next();
    }
    return recorded;
  }

  #part(): void {
    this.#partedAt ??= this.#steps;
  }
}

const ALWAYS = (): boolean => true;

function isSame(recorded: SentPacket | undefined, to: Slot, bytes: Uint8Array): boolean {
  if (recorded?.to !== to || recorded.bytes.length !== bytes.length) return false;
  return recorded.bytes.every((byte, i) => byte === bytes[i]);
}
