import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { Flood, FloodOptions } from '../broker-flood.ts';
import { emptyOffer, startFlood, strayCandidate } from '../broker-flood.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { inspectOf, joinByCode, openPage, roomOf, startRoom, until } from './room-page.ts';

/** A room whose door strangers flood, while a friend joins. */
export type FloodedRoom = {
  /** Megabytes of the host's heap after its garbage was collected: before the flood, and again and again in it. */
  readonly heap: readonly number[];
  /** Seconds from the friend's press to its place in the room. */
  readonly joinedAfter: number;
  readonly sent: number;
  readonly refusals: Readonly<Record<string, number>>;
};

/** What a flood is made of. */
export type Part = Pick<FloodOptions, 'clients' | 'perSecond' | 'message'>;

/** Strangers that fill memory: 20 MB in 18 s, as slowly as the broker lets each of them. */
export const CANDIDATES: Part = { clients: 12, perSecond: 4.5, message: () => strayCandidate(20_000) };
/** One stranger that bars the door, and one that uses up what connections a browser makes. */
export const SLOW_OFFERS: Part = { clients: 1, perSecond: 3.3, message: emptyOffer };
export const FAST_OFFERS: Part = { clients: 1, perSecond: 140, message: emptyOffer };
/** Many strangers. */
export const MANY_OFFERS: Part = { clients: 12, perSecond: 4, message: emptyOffer };

/** Seconds of flood before the friend comes. */
const ALONE_SECONDS = 6;
const SAMPLE_SECONDS = 5;

/** Plays a flood of so many seconds. @throws Error if the friend does not get in within 20 s. */
export async function floodRoom(
  browser: Browser,
  url: string,
  parts: readonly Part[],
  seconds: number,
): Promise<FloodedRoom> {
  const [host, friend] = await Promise.all([1, 2].map(() => openPage(browser, url)));
  const floods: Flood[] = [];
  try {
    const { code } = await startRoom(host, 'Ada', 'pyramid');
    const heap = [await heapOf(host)];
    const start = performance.now();
    const passed = (): number => (performance.now() - start) / 1000;
    for (const part of parts) floods.push(await startFlood({ ...part, url, code, seconds }));
    await until('the flood runs', () => Promise.resolve(passed() > ALONE_SECONDS));
    const came = passed();
    await joinByCode(friend, 'Bo', code);
    const joinedAfter = passed() - came;
    while (passed() < seconds) {
      heap.push(await heapOf(host));
      await new Promise((resolve) => void setTimeout(resolve, SAMPLE_SECONDS * 1000));
    }
    heap.push(await heapOf(host));
    const { tick } = await inspectOf(host);
    await until('the host plays on', async () => (await inspectOf(host)).tick > tick + 30);
    const { players, refusals } = await roomOf(host);
    expect(players.map(({ presence }) => presence)).toEqual(['here', 'here']);
    expect([...host.faults, ...friend.faults]).toEqual([]);
    const sent = floods.reduce((sum, flood) => sum + flood.sent, 0);
    return { heap, joinedAfter, sent, refusals };
  } finally {
    for (const flood of floods) flood.stop();
    for (const { context } of [host, friend]) await context.close();
  }
}

async function heapOf({ page, context }: RoomPlayerPage): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

/** The story in one line of figures. */
export function describeFlood({ heap, joinedAfter, sent, refusals }: FloodedRoom): string {
  const sizes = heap.map((size) => size.toFixed(1)).join(', ');
  return `${sent} messages; the friend was in after ${joinedAfter.toFixed(1)} s; heap of the host: ${sizes} MB; refused: ${JSON.stringify(refusals)}`;
}
