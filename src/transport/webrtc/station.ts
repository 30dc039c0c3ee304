import type { DataConnection, MediaConnection } from 'peerjs';
import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { SearchMeans } from '../../core/room/guest/door-search.ts';
import type { LineId, LineWay } from '../../core/room/line.ts';
import { Doors } from '../doors.ts';
import { OfferBudget } from '../guard/offer-budget.ts';
import { Refusals } from '../guard/refusals.ts';
import { LineTransport } from '../line-transport.ts';
import { Lines } from '../lines.ts';
import type { AddressState, Station } from '../station.ts';
import { DOOR_OFFERS, doorId, PAGE_OFFERS, randomId } from '../station.ts';
import { SocketConnection } from '../socket/socket-connection.ts';
import { lineAddress } from '../socket/line-address.ts';
import type { AddressGuards, BrokerSettings } from './address.ts';
import { Address } from './address.ts';
import { Calls } from './calls.ts';
import { PeerJsConnection } from './peerjs-connection.ts';
import type { ServerCalls } from './server-calls.ts';
import { Unfreed } from './unfreed.ts';
import type { VoiceMeans } from './voice-line.ts';

/** A line's connection in a page. */
export type PageConnection = PeerJsConnection | SocketConnection;

/** Everything between a page and other pages: its id at the broker, its lines, packets and calls. */
export class WebRtcStation implements Station {
  /** Counts everything that this page has refused. */
  readonly refusals = new Refusals();
  readonly lines = new Lines<PageConnection>(this.refusals);
  readonly transport = new LineTransport<PageConnection>();
  readonly calls: Calls;
  /** The voices of large rooms; null if the site has no voice server. */
  readonly serverCalls: ServerCalls | null;
  readonly #settings: BrokerSettings;
  readonly #rooms: URL | null;
  readonly #doors: Doors<Address>;
  readonly #unfreed = new Unfreed();

  /**
   * @param rooms [N2.3] the address of the site's server rooms; null if it has none, or its broker is elsewhere.
   * @param voices [N8.5] makes the voices of large ones of them; null if these have none.
   */
  constructor(
    settings: BrokerSettings,
    rooms: URL | null = null,
    voices: ((means: VoiceMeans) => ServerCalls) | null = null,
  ) {
    this.#settings = settings;
    this.#rooms = rooms;
    const onLine = (connection: DataConnection): void => this.lines.take(new PeerJsConnection(connection));
    const handlers = { onLine, onCall: (call: MediaConnection) => this.calls.answer(call) };
    const own = new Address(randomId(), settings, handlers, this.#guards(PAGE_OFFERS));
    // A page that closes its door and opens it again gives strangers no more than before.
    const guards = this.#guards(DOOR_OFFERS);
    this.#doors = new Doors(
      own,
      (id, token) => new Address(id, settings, { onLine, onCall: null }, guards, token),
    );
    this.calls = new Calls(own, this.refusals);
    const { refusals } = this;
    this.serverCalls = voices?.({ own, rtc: settings.rtc, refusals, unfreed: this.#unfreed }) ?? null;
  }

  #guards({ atOnce, perSecond }: typeof DOOR_OFFERS): AddressGuards {
    const budget = new OfferBudget(atOnce, perSecond);
    return { budget, refusals: this.refusals, unfreed: this.#unfreed };
  }

  /** This page's id at the broker. */
  get id(): string {
    return this.#doors.own.id;
  }

  /** The state of this page's id at the broker; the state of its door, if it has one and the id is open. */
  get state(): AddressState {
    return this.#doors.state;
  }

  /** The state of this page's door at the broker; null if it has none. */
  get doorState(): AddressState | null {
    return this.#doors.doorState;
  }

  /**
   * For a host: answers at the door of this room from now on, instead of any other door. A page that dials the door
   * gets a line.
   * @param token another page that has it may take over the door.
   */
  openDoor(code: RoomCode, token?: string): void {
    this.#doors.open(code, token);
  }

  /** Answers at no door any more; the lines stay open. */
  closeDoor(): void {
    this.#doors.close();
  }

  get means(): SearchMeans {
    const { iceServers = [], iceTransportPolicy } = this.#settings.rtc;
    const urls = iceServers.flatMap((server) => server.urls);
    return {
      hasRelay: urls.some((url) => url.startsWith('turn')),
      relayOnly: iceTransportPolicy === 'relay',
      hasSocket: this.#rooms !== null,
    };
  }

  /** Begins to open a line to the page with this id; null if the broker can't be asked at present. */
  dial(page: string): LineId | null {
    return this.#dial(page, 'any');
  }

  /** Begins to open a line to the host at a room's door; null if the broker can't be asked at present. */
  dialDoor(code: RoomCode, way: LineWay = 'any'): LineId | null {
    const door = doorId(code);
    return way === 'socket' ? this.#dialSocket(code, door) : this.#dial(door, way);
  }

  #dial(page: string, way: LineWay): LineId | null {
    const connection = this.#doors.own.connect(page, way);
    return connection === null ? null : this.lines.add(new PeerJsConnection(connection));
  }

  /** [N2.3] The server looks for this page's id at its broker. */
  #dialSocket(code: RoomCode, door: string): LineId | null {
    const { own } = this.#doors;
    if (this.#rooms === null || own.state !== 'open') return null;
    const socket = new WebSocket(lineAddress(this.#rooms, code, own));
    return this.lines.add(new SocketConnection(door, socket, randomId()));
  }

  /** True if the broker has said since the last call of this method that nobody answers at this door. */
  isDoorMissing(code: RoomCode): boolean {
    return this.#doors.isMissing(code);
  }

  bind(slot: Slot, line: LineId | null): void {
    this.transport.bind(slot, line === null ? null : this.lines.get(line));
  }

  unbindAll(): void {
    this.transport.unbindAll();
  }

  /** Closes everything. The last messages on the lines still go out. */
  close(): void {
    this.calls.close();
    this.serverCalls?.close();
    this.lines.closeAll();
    this.#doors.end();
  }
}
