import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { Flood, FloodOptions } from '../broker-flood.ts';
import { emptyOffer, startFlood, strayCandidate } from '../broker-flood.ts';
import { PATIENCE } from '../run/patience.ts';
import { leaveByMenu } from './room-faults.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { inspectOf, joinByCode, openPage, roomOf, startRoom, until } from './room-page.ts';

/** A room whose door strangers flood, while a friend joins. */
export type FloodedRoom = {
  /** Megabytes of the host's heap after its garbage was collected: before the flood, and again and again in it. */
  readonly heap: readonly number[];
  /** Seconds from a friend's press to its place in the room: before the flood, and in it. */
  readonly joinedBefore: number;
  readonly joinedAfter: number;
  readonly sent: number;
  readonly refusals: Readonly<Record<string, number>>;
};

/** A part of a flood. */
export type Part = Pick<FloodOptions, 'clients' | 'perSecond' | 'message'>;

/** Strangers that fill memory: 20 MB in 18 s, as slowly as the broker lets each of them. */
export const CANDIDATES: Part = { clients: 12, perSecond: 4.5, message: () => strayCandidate(20_000) };
/** One stranger that bars the door, and one that uses up what connections a browser makes. */
export const SLOW_OFFERS: Part = { clients: 1, perSecond: 3.3, message: emptyOffer };
export const FAST_OFFERS: Part = { clients: 1, perSecond: 140, message: emptyOffer };
/** Many strangers. */
export const MANY_OFFERS: Part = { clients: 12, perSecond: 4, message: emptyOffer };

/** Seconds of flood before the friend comes, unless a story says otherwise. */
const ALONE_SECONDS = 6;
const SAMPLE_SECONDS = 5;
/** Ticks after which a host's heap has what a room needs. */
const SETTLED_TICKS = 300;

/** A room with a host and a friend, whose door can be flooded more than once. */
export class FloodedDoor {
  readonly #browser: Browser;
  readonly #url: string;
  readonly #code: string;
  readonly #host: RoomPlayerPage;
  readonly #early: RoomPlayerPage;
  readonly #joinedBefore: number;

  private constructor(
    browser: Browser,
    url: string,
    room: { code: string; host: RoomPlayerPage; early: RoomPlayerPage; joinedBefore: number },
  ) {
    this.#browser = browser;
    this.#url = url;
    this.#code = room.code;
    this.#host = room.host;
    this.#early = room.early;
    this.#joinedBefore = room.joinedBefore;
  }

  /** @returns a room that has settled. */
  static async open(browser: Browser, url: string): Promise<FloodedDoor> {
    const [host, early] = await Promise.all([1, 2].map(() => openPage(browser, url)));
    const { code } = await startRoom(host, 'Ada', 'pyramid');
    const joinedBefore = await join(early, 'Cy', code);
    await until('the room has settled', async () => (await inspectOf(host)).tick > SETTLED_TICKS);
    return new FloodedDoor(browser, url, { code, host, early, joinedBefore });
  }

  /**
   * Plays a flood while a friend joins, for so many seconds or until the friend is in; the friend leaves in the end.
   * @throws Error if the friend does not get in.
   */
  async flood(parts: readonly Part[], seconds: number, aloneSeconds = ALONE_SECONDS): Promise<FloodedRoom> {
    const [host, early] = [this.#host, this.#early];
    const friend = await openPage(this.#browser, this.#url);
    const floods: Flood[] = [];
    try {
      const heap = [await heapOf(host)];
      const start = performance.now();
      const passed = (): number => (performance.now() - start) / 1000;
      const part = { url: this.#url, code: this.#code, seconds: seconds + PATIENCE };
      for (const one of parts) floods.push(await startFlood({ ...one, ...part }));
      await until('the flood runs', () => Promise.resolve(passed() > aloneSeconds), aloneSeconds + 5);
      const joinedAfter = await join(friend, 'Bo', this.#code);
      while (passed() < seconds) {
        heap.push(await heapOf(host));
        await new Promise((resolve) => void setTimeout(resolve, SAMPLE_SECONDS * 1000));
      }
      heap.push(await heapOf(host));
      const { tick } = await inspectOf(host);
      await until('the host plays on', async () => (await inspectOf(host)).tick > tick + 30);
      const { players, refusals } = await roomOf(host);
      expect(players.map(({ presence }) => presence)).toEqual(['here', 'here', 'here']);
      expect([...host.faults, ...early.faults, ...friend.faults]).toEqual([]);
      const sent = floods.reduce((sum, flood) => sum + flood.sent, 0);
      await leaveByMenu(friend);
      await until('the friend has left', async () => (await roomOf(host)).players.length === 2);
      return { heap, joinedBefore: this.#joinedBefore, joinedAfter, sent, refusals };
    } finally {
      for (const flood of floods) flood.stop();
      await friend.context.close();
    }
  }

  async close(): Promise<void> {
    for (const { context } of [this.#host, this.#early]) await context.close();
  }
}

/** @returns seconds from the press to the place in the room. */
async function join(page: RoomPlayerPage, name: string, code: string): Promise<number> {
  const pressed = performance.now();
  await joinByCode(page, name, code);
  return (performance.now() - pressed) / 1000;
}

async function heapOf({ page, context }: RoomPlayerPage): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

/** The story in one line of figures. */
export function describeFlood({ heap, joinedBefore, joinedAfter, sent, refusals }: FloodedRoom): string {
  const sizes = heap.map((size) => size.toFixed(1)).join(', ');
  return `${sent} messages; the friend was in after ${joinedAfter.toFixed(1)} s, one before the flood after ${joinedBefore.toFixed(1)} s; heap of the host: ${sizes} MB; refused: ${JSON.stringify(refusals)}`;
}
