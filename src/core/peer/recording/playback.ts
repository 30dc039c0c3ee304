import type { Slot } from '../../base/ids.ts';
import type { Scene, SceneChoice } from '../../world/scene.ts';
import { createScene } from '../../world/scene.ts';
import type { Simulation } from '../../world/simulation.ts';
import { Peer } from '../peer.ts';
import type { RecordedPeer } from './recorder.ts';
import type { RecordedEvent, Recording } from './recording.ts';
import { EventReader } from './recording.ts';

/** A peer of a playback, with its scene. */
export type PlayedPeer = { readonly peer: Peer; readonly scene: Scene; readonly choice: SceneChoice };

/** What a peer has sent, and what the recording says that it sent. */
type Sending = { readonly to: Slot; readonly bytes: Uint8Array };

/**
 * A recording once more: its peers, each with an engine of its own, are told again what they were told. On the
 * machine and with the engine of the recording they do the same, bit for bit; elsewhere they may part from it,
 * which is noticed by what they send.
 */
export class Playback {
  readonly #createSimulation: (scene: Scene) => Simulation;
  readonly #events: EventReader;
  readonly #played = new Map<Slot, PlayedPeer>();
  readonly #skipped = new Set<Slot>();
  #event: RecordedEvent | null;
  #nowMs = 0;
  #steps = 0;
  #partedAt: number | null = null;

  /** @param createSimulation makes an engine that holds the scene. */
  constructor(recording: Recording, createSimulation: (scene: Scene) => Simulation) {
    this.#createSimulation = createSimulation;
    this.#events = new EventReader(recording.content);
    this.#event = this.#events.next();
  }

  /** The peers that are there now, by slot. */
  get played(): ReadonlyMap<Slot, PlayedPeer> {
    return this.#played;
  }

  /** Steps that were made: each is all that happened at one moment. */
  get steps(): number {
    return this.#steps;
  }

  /** The first step in which a peer sent something other than in the recording; null as long as none did. */
  get partedAt(): number | null {
    return this.#partedAt;
  }

  /** Makes the next step. Returns false if there is none. */
  step(): boolean {
    if (this.#event === null) return false;
    // Before the first moment there are only beginnings.
    for (let moments = 0; this.#event !== null;) {
      if (this.#event.kind === 'time' && ++moments > 1) break;
      this.#follow(this.#event);
    }
    this.#steps++;
    return true;
  }

  /** Frees the engines. */
  dispose(): void {
    for (const { peer } of this.#played.values()) peer.dispose();
    this.#played.clear();
  }

  /** Follows an event, and reads the next one. */
  #follow(event: RecordedEvent): void {
    if (event.kind !== 'poll') this.#tell(event);
    this.#event = this.#events.next();
    if (event.kind === 'poll') this.#poll(event.slot, event.sendEvery);
  }

  #tell(event: Exclude<RecordedEvent, { kind: 'poll' }>): void {
    if (event.kind === 'time') {
      this.#nowMs = event.nowMs;
      return;
    }
    const peer = this.#played.get(event.slot)?.peer;
    switch (event.kind) {
      case 'begin':
        this.#begin(event.slot, event.peer);
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
      case 'restart':
        peer?.restart(event.saved);
        break;
      case 'receive':
        peer?.receive(this.#nowMs, event.from, event.bytes);
        break;
      case 'tick':
        peer?.tick(event.input);
        break;
      // Without a poll before it.
      case 'skip':
      case 'sent':
        this.#part();
        break;
    }
  }

  #begin(slot: Slot, { host, name, scene: choice }: RecordedPeer): void {
    this.#played.get(slot)?.peer.dispose();
    const scene = createScene(choice);
    const peer = new Peer({ slot, host, name, scene, simulation: this.#createSimulation(scene) });
    this.#played.set(slot, { peer, scene, choice });
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

  /** What a poll skipped and sent comes just after it. */
  #takeSent(): readonly Sending[] {
    const recorded: Sending[] = [];
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

function isSame(recorded: Sending | undefined, to: Slot, bytes: Uint8Array): boolean {
  if (recorded?.to !== to || recorded.bytes.length !== bytes.length) return false;
  return recorded.bytes.every((byte, i) => byte === bytes[i]);
}
