import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import express, { Router } from 'express';
import { MAX_ROOM_PLAYERS } from '../../core/base/constants.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import type { Fields } from '../../core/room/fields.ts';
import { asFields, whole } from '../../core/room/fields.ts';
import type { PublicKey } from '../../core/room/identity/key.ts';
import { readRoomId } from '../../core/room/identity/key.ts';
import { PROTOCOL_VERSION, readLevelRecipe } from '../../core/room/messages.ts';
import type { MovingRoom, RoomOrder } from '../../dedicated/dedicated-room.ts';
import { MOST_BODIES } from '../../dedicated/room-levels.ts';
import type { HouseFigures } from '../../dedicated/house-figures.ts';
import type { OpenRoom } from '../../dedicated/room-house.ts';
import type { NoRoom } from '../../dedicated/rooms-process.ts';
import { readProtocolVersion } from '../../cluster/protocol-version.ts';
import type { Rate } from '../visitors/token-buckets.ts';
import { TokenBuckets } from '../visitors/token-buckets.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isOwnPage } from '../visitors/own-page.ts';
import type { LivingRooms } from './living-rooms.ts';

/** Where rooms are made: a process of this machine. */
export type RoomMaker = {
  /**
   * Opens a room. Never rejects.
   * @param ended called once: when the room has ended, or if it was not opened.
   */
  open(order: RoomOrder, ended: () => void): Promise<OpenRoom | NoRoom>;
  readonly figures: HouseFigures;
  /** [N4.1] Waits until it is known which rooms are kept. @returns false if that takes too long. Never rejects. */
  knowsKept(): Promise<boolean>;
  /** Ends the rooms; each goes on under one of its players. */
  stop(): Promise<void>;
};

/** How fast one network may open rooms: a class that begins has some. */
const ROOMS_OF_NETWORK: Rate = { atOnce: 4, anotherMs: 60_000 };
/** How often the pages of one network may ask whether the server has a room. */
const LOOKS_OF_NETWORK: Rate = { atOnce: 100, anotherMs: 1000 };
/** Bytes of an order. */
const MOST_BYTES = 1024;

/** The parts of the server that the answers need. */
export type RoomsWatch = {
  /** The network of a request. */
  networkOf(request: Request): string;
  /** Whether a network may look for a room. */
  mayLookFor(network: string, code: RoomCode): boolean;
  /** An order was refused. */
  refused(network: string): void;
  /** The rooms that each network has. */
  readonly living: LivingRooms;
  /** [N8.1] People in a room, at most. */
  readonly players: number;
  /** The other processes of this site; null if there are none. */
  readonly others: OtherProcesses | null;
};

/** [N9.2] The other processes of this site. */
export type OtherProcesses = Pick<Cluster, 'asksElsewhere' | 'opensElsewhere'>;

/**
 * Answers pages that want a room on this server, or [N3.4] want it to take theirs: 201 with code and key, 400 for an
 * order that makes no sense, 409 for a page of another version [N9.10], 429 for a network that has too many rooms, or
 * opens them too fast, 503 if there is no place for another room. [N3.6] Tells pages the key of the dedicated host of a
 * room here by its code, or null, and the protocol version; 429 for a network that asks too often.
 */
export function serverRooms(maker: RoomMaker, watch: RoomsWatch): RequestHandler {
  const networks = new TokenBuckets(ROOMS_OF_NETWORK);
  const looks = new TokenBuckets(LOOKS_OF_NETWORK);
  const { living } = watch;
  const mayLook = (network: string, code: RoomCode | null): boolean =>
    looks.take(network, Date.now()) && (code === null || watch.mayLookFor(network, code));
  const router = Router();
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  const keepBody = (request: IncomingMessage, _: unknown, body: Buffer): void =>
    void bodies.set(request, body);
  router.post('/', express.json({ limit: MOST_BYTES, inflate: false, verify: keepBody }));
  router.post('/', (request, response) => {
    const order = readOrder(request, watch.players);
    const protocol = readProtocolVersion(asFields(request.body)?.protocol);
    if (order === null || protocol === null) {
      answer(response, 400, { why: 'order' });
      return;
    }
    const network = watch.networkOf(request);
    const refuse = (): void => {
      watch.refused(network);
      answer(response, 429, { why: 'network' });
    };
    // The answer may tell whether a room has that code, so it counts as a look for it.
    if (order.moves !== undefined && !mayLook(network, order.moves.code)) return refuse();
    void maker
      .knowsKept()
      .then(async (isKnown) => {
        const body = bodies.get(request) ?? Buffer.alloc(0);
        const wish = { code: order.moves?.code ?? null, protocol };
        const place = (await watch.others?.opensElsewhere(request, response, body, wish)) ?? 'here';
        if (place === 'elsewhere') return;
        const why = place === 'here' ? whyNotHere(protocol, isKnown) : place;
        if (why !== null) return answer(response, NO_PLACE[why].status, { why: NO_PLACE[why].why });
        const room = living.begin(network);
        if (room === null) return refuse();
        if (!networks.take(network, Date.now())) {
          room.ended();
          return refuse();
        }
        const opened = await maker.open({ ...order, founder: living.nameOf(network) }, () => room.ended());
        if (typeof opened === 'string') return answer(response, 503, { why: opened });
        room.opened(opened.code, opened.key);
        answer(response, 201, opened);
      })
      .catch(() => answer(response, 500, { why: 'failed' }));
  });
  router.get('/:code', (request, response) => answerLook(request, response, watch, mayLook));
  // Express comes here with a body that it can't parse.
  router.use((_: unknown, __: Request, response: Response, ___: unknown) => {
    answer(response, 400, { why: 'order' });
  });
  return router;
}

/**
 * [N3.6] Tells a page the key of a room's dedicated host, and the protocol version. It tells little: anybody who has the
 * code of a room can look for it at the broker, too.
 * @param mayLook whether a network may look for a code.
 */
function answerLook(
  request: Request<{ code: string }>,
  response: Response,
  watch: RoomsWatch,
  mayLook: (network: string, code: RoomCode | null) => boolean,
): void {
  const network = watch.networkOf(request);
  const code = readRoomCode(request.params.code);
  // A page of another site could use up what its visitor's network may look for.
  if (!isOwnPage(request.get('sec-fetch-site'))) return answer(response, 403, { why: 'site' });
  if (!mayLook(network, code)) return answer(response, 429, { why: 'network' });
  const answerKey = (key: PublicKey | null): void =>
    answer(response, 200, { key, protocol: PROTOCOL_VERSION });
  // A browser would write any other status into its console.
  if (code === null) return answerKey(null);
  void Promise.resolve(watch.others?.asksElsewhere(request, response, code))
    .then((place = 'here') => {
      if (place === 'unknown') answer(response, 503, { why: 'failed' });
      else if (place === 'here') answerKey(watch.living.keyOf(code));
    })
    .catch(() => answer(response, 500, { why: 'failed' }));
}

/** @returns why this process opens no room for a page of that version; null if it may. @param isKnown which rooms are kept. */
function whyNotHere(protocol: number, isKnown: boolean): 'other version' | 'unknown' | null {
  if (protocol !== PROTOCOL_VERSION) return 'other version';
  return isKnown ? null : 'unknown';
}

/** The answers if no process can open the room. */
const NO_PLACE = {
  'other version': { status: 409, why: 'version' },
  full: { status: 503, why: 'full' },
  unknown: { status: 503, why: 'failed' },
} as const;

/**
 * @returns null for an order that no page of ours makes. JSON with its own type is asked for: a page of another site
 * can't send it.
 */
function readOrder(request: Request, players: number): Omit<RoomOrder, 'founder'> | null {
  if (!isOwnPage(request.get('sec-fetch-site'))) return null;
  const fields = asFields(request.is('application/json') === false ? null : request.body);
  const level = readLevelRecipe(fields?.level);
  if (fields === null || level === null || (level.count ?? 0) > MOST_BODIES) return null;
  const capacity =
    fields.capacity === undefined ? Math.min(MAX_ROOM_PLAYERS, players) : whole(fields.capacity, 1, players);
  if (capacity === null) return null;
  if (fields.moves === undefined) return { level, capacity };
  const moves = readMovingRoom(asFields(fields.moves));
  return moves === null ? null : { level, moves };
}

function readMovingRoom(fields: Fields | null): MovingRoom | null {
  const code = typeof fields?.code === 'string' ? readRoomCode(fields.code) : null;
  const room = readRoomId(fields?.room);
  return code === null || room === null ? null : { code, room };
}

function answer(response: Response, status: number, body: object): void {
  if (!response.writableEnded) response.status(status).set('Cache-Control', 'no-store').json(body);
}
