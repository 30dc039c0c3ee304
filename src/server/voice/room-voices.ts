import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { RoomCode } from '../../core/room/code.ts';
import { closeAtOnce } from '../../transport/node/line-server.ts';
import { NO_SUCH_ROOM } from '../../transport/socket/close-codes.ts';
import { readVoiceAddress } from '../../transport/socket/line-address.ts';
import type { VoiceRequest } from '../../transport/socket/voice-messages.ts';
import {
  MAX_VOICE_MESSAGE,
  readVoiceRequest,
  writeVoiceMessage,
} from '../../transport/socket/voice-messages.ts';
import type { Rate } from '../visitors/token-buckets.ts';
import { TokenBuckets } from '../visitors/token-buckets.ts';
import type { LinesWatch } from '../rooms/room-lines.ts';
import { isOwnSocket } from '../visitors/own-page.ts';
import { refuseUpgrade } from '../visitors/refuse.ts';
import type { JanusSettings } from './janus.ts';
import { Janus } from './janus.ts';
import { rewriteSdp } from './page-sdp.ts';
import type { VoiceMember } from './voice-member.ts';
import { VoiceRoom } from './voice-room.ts';

/** How fast players of one network may connect to voices: a class does so at once. */
const SOCKETS_OF_NETWORK: Rate = { atOnce: 120, anotherMs: 250 };
/** The same for others: a player who has just come in may not be known here yet. */
const STRANGERS_OF_NETWORK: Rate = { atOnce: 40, anotherMs: 500 };
/** How fast one page may connect. */
const SOCKETS_OF_PAGE: Rate = { atOnce: 6, anotherMs: 3000 };
/** How fast one page may answer offers: it gets one each time that somebody begins to speak, or ceases. */
const ANSWERS_OF_PAGE: Rate = { atOnce: 60, anotherMs: 200 };
/** How fast one page may begin to speak, and cease: all others get an offer each time. */
const TURNS_OF_PAGE: Rate = { atOnce: 10, anotherMs: 3000 };
/** Milliseconds between two pings: proxies end a WebSocket on which nothing comes for a minute. */
const PING_MS = 25_000;
/** Bytes that may wait for a page: about 20 long offers. */
const MOST_WAITING = 1_048_576;

/** The figures of all voices at present. */
export type VoiceFigures = {
  /** True while Janus answers. */
  readonly isUp: boolean;
  readonly speakers: number;
  readonly listeners: number;
};

/** The parts of the server that voices need. */
export type VoicesWatch = Omit<LinesWatch, 'mayLookFor'>;

/** A page that has a socket here. */
type Talker = {
  readonly code: RoomCode;
  readonly page: string;
  readonly socket: WebSocket;
  readonly room: VoiceRoom;
  readonly member: VoiceMember;
};

/**
 * [N8.6] Lets the pages of large rooms speak and listen through Janus. Only a player of the room, by its id at the
 * broker, gets in; and only while it is one.
 */
export class RoomVoices {
  readonly #watch: VoicesWatch;
  readonly #janus: Janus;
  readonly #networks = new TokenBuckets(SOCKETS_OF_NETWORK);
  readonly #strangers = new TokenBuckets(STRANGERS_OF_NETWORK);
  readonly #pages = new TokenBuckets(SOCKETS_OF_PAGE);
  readonly #answers = new TokenBuckets(ANSWERS_OF_PAGE);
  readonly #turns = new TokenBuckets(TURNS_OF_PAGE);
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_VOICE_MESSAGE,
    perMessageDeflate: false,
  });
  readonly #players = new Map<RoomCode, ReadonlySet<string>>();
  readonly #rooms = new Map<RoomCode, VoiceRoom>();
  /** By page: each has one socket. */
  readonly #talkers = new Map<string, Talker>();
  /** The rooms that Janus is about to end. */
  readonly #ending = new Set<Promise<void>>();
  readonly #pings: NodeJS.Timeout;

  constructor(settings: JanusSettings, watch: VoicesWatch) {
    this.#watch = watch;
    this.#pings = setInterval(() => {
      for (const { socket } of this.#talkers.values()) socket.ping();
    }, PING_MS).unref();
    this.#janus = new Janus(settings, () => this.#endAll());
  }

  get figures(): VoiceFigures {
    const counts = [...this.#rooms.values()].map((room) => room.counts);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return {
      isUp: this.#janus.isOpen,
      speakers: sum(counts.map(({ speakers }) => speakers)),
      listeners: sum(counts.map(({ listeners }) => listeners)),
    };
  }

  /** @param pages of the players of this large room; none if the room is gone. */
  setPlayers(code: RoomCode, pages: readonly string[]): void {
    if (pages.length === 0) this.#players.delete(code);
    else this.#players.set(code, new Set(pages));
    for (const talker of [...this.#talkers.values()])
      if (talker.code === code && !pages.includes(talker.page)) this.#expel(talker);
  }

  /** Takes an upgrade, if it is one for voices. @returns false if it is not. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const asked = readVoiceAddress(request.url);
    if (asked === null) return false;
    const { code, id, token } = asked;
    const network = this.#watch.networkOf(request);
    const refuse = (status: number): void => {
      this.#watch.refused(network);
      refuseUpgrade(stream, status);
    };
    const accept = (room: RoomCode | null): void =>
      this.#sockets.handleUpgrade(request, stream, head, (socket) => {
        if (room === null) closeAtOnce(socket, NO_SUCH_ROOM);
        else this.#begin(room, id, socket);
      });
    const judge = (isAtBroker: boolean): void => {
      if (stream.destroyed) return;
      if (!isAtBroker) refuse(403);
      else if (!this.#pages.take(id, Date.now())) refuse(429);
      else accept(this.#isPlayer(code, id) && this.#janus.isOpen ? code : null);
    };
    const isPlayer = this.#isPlayer(code, id);
    // Somebody who plays nowhere can't use up the share of the players in the same network.
    const bucket = isPlayer ? this.#networks : this.#strangers;
    if (!isOwnSocket(request)) refuse(403);
    else if (!bucket.take(network, Date.now())) refuse(429);
    else if (!isPlayer) accept(null);
    else void this.#watch.isAtBroker(id, token).then(judge);
    return true;
  }

  #isPlayer(code: RoomCode | null, id: string): boolean {
    return code !== null && this.#players.get(code)?.has(id) === true;
  }

  #begin(code: RoomCode, page: string, socket: WebSocket): void {
    const before = this.#talkers.get(page);
    if (before !== undefined) this.#expel(before);
    const room = this.#roomOf(code);
    const member = room.add({
      id: page,
      send: (news) => {
        if (socket.bufferedAmount > MOST_WAITING) socket.terminate();
        else socket.send(writeVoiceMessage(news));
      },
      end: () => this.#expel(talker),
    });
    const talker: Talker = { code, page, socket, room, member };
    this.#talkers.set(page, talker);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: Buffer, isBinary) => {
      const request = isBinary ? null : readRequest(data.toString());
      const bucket = request?.kind === 'listen' ? this.#answers : this.#turns;
      if (request === null || !bucket.take(page, Date.now())) socket.terminate();
      else member.take(request);
    });
    socket.on('close', () => this.#end(talker));
  }

  #roomOf(code: RoomCode): VoiceRoom {
    const here = this.#rooms.get(code);
    if (here !== undefined) return here;
    // Its pages connect again, and get another room.
    const lost = (): void => {
      if (this.#rooms.get(code) === room) this.#rooms.delete(code);
      for (const talker of [...this.#talkers.values()]) if (talker.room === room) this.#expel(talker);
    };
    const room = new VoiceRoom(this.#janus, lost);
    this.#rooms.set(code, room);
    return room;
  }

  /** Ends a talker at once, and then its socket, whose last bytes may take a while. */
  #expel(talker: Talker): void {
    this.#end(talker);
    closeAtOnce(talker.socket, NO_SUCH_ROOM);
  }

  /** May be called twice. */
  #end(talker: Talker): void {
    const { code, page, room, member } = talker;
    if (this.#talkers.get(page) === talker) this.#talkers.delete(page);
    if (!room.remove(member) || !room.isEmpty) return;
    if (this.#rooms.get(code) === room) this.#rooms.delete(code);
    const ended = room.dispose().then(() => void this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Janus has lost everything. */
  #endAll(): void {
    for (const talker of [...this.#talkers.values()]) this.#expel(talker);
  }

  /** Ends everything, and the rooms at Janus, which answers within seconds or not at all. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.#pings);
    this.#endAll();
    await Promise.all(this.#ending);
    this.#janus.stop();
  }
}

/** Reads what a page sends, with its SDP written anew; null if it makes no sense. */
function readRequest(text: string): VoiceRequest | null {
  const request = readVoiceRequest(text);
  if (request === null || request.kind === 'hush') return request;
  const sdp = rewriteSdp(request.kind, request.sdp);
  return sdp === null ? null : { ...request, sdp };
}
