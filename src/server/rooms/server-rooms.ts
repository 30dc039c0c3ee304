import type { Request, RequestHandler, Response } from 'express';
import express, { Router } from 'express';
import { readLevelRecipe } from '../../core/room/messages.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import type { RoomOrder } from '../../dedicated/dedicated-room.ts';
import { MOST_BODIES } from '../../dedicated/room-levels.ts';
import type { HouseFigures } from '../../dedicated/house-figures.ts';
import type { OpenRoom } from '../../dedicated/room-house.ts';
import type { NoRoom } from '../../dedicated/rooms-process.ts';
import type { Rate } from '../broker/token-buckets.ts';
import { TokenBuckets } from '../broker/token-buckets.ts';
import type { LivingRooms } from './living-rooms.ts';

/** Where rooms are made: a process of this machine. A cluster would take its place here. */
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

/** The path at which pages ask for a room. */
export const ROOMS_PATH = '/rooms';

/** How fast one network may open rooms: a class that begins has some. */
const ROOMS_OF_NETWORK: Rate = { atOnce: 4, anotherMs: 60_000 };
/** Bytes of an order. */
const MOST_BYTES = 1024;

/** The parts of the server that the answers need. */
export type RoomsWatch = {
  /** The network of a request. */
  networkOf(request: Request): string;
  /** An order was refused. */
  refused(network: string): void;
  /** The rooms that each network has. */
  readonly living: LivingRooms;
};

/**
 * Answers pages that want a room on this server: 201 with its code, 400 for an order that makes no sense, 429 for a
 * network that has too many rooms, or opens them too fast, 503 if there is no place for another room.
 */
export function serverRooms(maker: RoomMaker, watch: RoomsWatch): RequestHandler {
  const networks = new TokenBuckets(ROOMS_OF_NETWORK);
  const { living } = watch;
  const router = Router();
  router.use(express.json({ limit: MOST_BYTES }));
  router.post('/', (request, response) => {
    const level = readOrder(request);
    if (level === null) {
      answer(response, 400, { why: 'order' });
      return;
    }
    const network = watch.networkOf(request);
    const refuse = (): void => {
      watch.refused(network);
      answer(response, 429, { why: 'network' });
    };
    void maker.knowsKept().then(async (isKnown) => {
      const room = isKnown ? living.begin(network) : 'unknown';
      if (room === null) return refuse();
      if (room === 'unknown') return answer(response, 503, { why: 'failed' });
      if (!networks.take(network, Date.now())) {
        room.ended();
        return refuse();
      }
      const opened = await maker.open({ level, founder: living.nameOf(network) }, () => room.ended());
      if (typeof opened === 'string') return answer(response, 503, { why: opened });
      room.opened(opened.code);
      answer(response, 201, opened);
    });
  });
  // Express hands on what it can't read as an order.
  router.use((_: unknown, __: Request, response: Response, ___: unknown) => {
    answer(response, 400, { why: 'order' });
  });
  return router;
}

/**
 * @returns null for an order that no page of ours makes. JSON with its own type is asked for: a page of another site
 * can't send it.
 */
function readOrder(request: Request): LevelRecipe | null {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return null;
  const body: unknown = request.is('application/json') === false ? null : request.body;
  const level = readLevelRecipe((body as { readonly level?: unknown } | null)?.level);
  return level !== null && (level.count ?? 0) <= MOST_BODIES ? level : null;
}

function answer(response: Response, status: number, body: object): void {
  if (!response.writableEnded) response.status(status).set('Cache-Control', 'no-store').json(body);
}
