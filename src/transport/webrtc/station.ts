import type { DataConnection, MediaConnection } from 'peerjs';
import type { RoomCode } from '../../core/room/code.ts';
import type { LineId } from '../../core/room/line.ts';
import type { AddressState, BrokerSettings } from './address.ts';
import { Address, doorId, randomId } from './address.ts';
import { Calls } from './calls.ts';
import { Lines } from './lines.ts';
import { WebRtcTransport } from './transport.ts';

/** All that a page has between itself and other pages: its id at the broker, lines, packets and calls. */
export class Station {
  readonly lines = new Lines();
  readonly transport = new WebRtcTransport();
  readonly calls: Calls;
  readonly #settings: BrokerSettings;
  readonly #address: Address;
  #doorbell: Address | null = null;
  /** Doors that were given up: lines that came through them may still be there. */
  readonly #former: Address[] = [];

  constructor(settings: BrokerSettings) {
    this.#settings = settings;
    this.#address = new Address(randomId(), settings, {
      onLine: (connection) => this.lines.take(connection),
      onCall: (call) => this.calls.answer(call),
    });
    this.calls = new Calls(this.#address);
  }

  /** This page's id at the broker. */
  get id(): string {
    return this.#address.id;
  }

  /** How this page stands with the broker, its doorbell included. */
  get state(): AddressState {
    const own = this.#address.state;
    return own === 'open' && this.#doorbell !== null ? this.#doorbell.state : own;
  }

  /** How the door stands with the broker; null if this page has none. */
  get doorState(): AddressState | null {
    return this.#doorbell?.state ?? null;
  }

  /**
   * A host: answers at a room's door from now on, instead of any other. Who rings has a line.
   * @param token whoever has it, too, may take the door over.
   */
  openDoor(code: RoomCode, token?: string): void {
    this.closeDoor();
    const visitors = {
      onLine: (connection: DataConnection) => this.lines.take(connection),
      onCall: (call: MediaConnection) => call.close(),
    };
    this.#doorbell = new Address(doorId(code), this.#settings, visitors, token);
  }

  /** Answers at no door any more; the lines stay. */
  closeDoor(): void {
    if (this.#doorbell === null) return;
    this.#doorbell.release();
    this.#former.push(this.#doorbell);
    this.#doorbell = null;
  }

  /** Opens a line to a page; null if the broker can't be asked at present. */
  dial(page: string): LineId | null {
    const connection = this.#address.connect(page);
    return connection === null ? null : this.lines.add(connection);
  }

  /** A guest: rings at a room's door; null if the broker can't be asked at present. */
  dialDoor(code: RoomCode): LineId | null {
    return this.dial(doorId(code));
  }

  /** True once if the broker has said since the last call that nobody answers at this door. */
  isDoorMissing(code: RoomCode): boolean {
    return this.#address.isMissing(doorId(code));
  }

  /** Ends it all; lines that are closing have their last words. */
  close(): void {
    this.calls.close();
    this.lines.closeAll();
    setTimeout(() => {
      for (const address of [this.#address, this.#doorbell, ...this.#former]) address?.close();
    }, CLOSE_AFTER_MS);
  }
}

/** Milliseconds for the last words on lines: they end with the id through which they were made. */
const CLOSE_AFTER_MS = 500;
