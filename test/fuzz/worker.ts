import { setImmediate } from 'node:timers/promises';
import { Random } from '../../src/core/base/random.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import type { Place } from './coverage.ts';
import { Coverage } from './coverage.ts';
import type { Find } from './keep.ts';
import { playMessages } from './messages.ts';
import type { RoundSeed } from './round.ts';
import { playRound } from './round.ts';

/** A worker's progress since its last report. */
export type News = {
  readonly packets: number;
  readonly accepted: number;
  readonly messages: number;
  /** Seconds of CPU since it began. */
  readonly cpu: number;
  /** Megabytes that are in use. */
  readonly memory: number;
  readonly places: readonly Place[];
  readonly found:
    | (Omit<Find, 'given'> & { readonly given: readonly (readonly [number, number, string])[] })
    | null;
};

/** Rounds that reached new code are played again, with another attack: this often, and so many of them. */
const AGAIN = 0.3;
const MOST_LIKED = 64;

/** One process of the fuzzer: it plays rounds until it is stopped, and says what came of each. */
async function main(seed: number): Promise<void> {
  await loadPhysics();
  const random = new Random(seed);
  const coverage = new Coverage();
  const liked: RoundSeed[] = [];
  const number = (): number => random.below(2 ** 31);
  while (process.connected) {
    // Else it would never hear that the other end is gone.
    await setImmediate();
    const again = liked.length > 0 && random.chance(AGAIN) ? liked[random.below(liked.length)] : null;
    const round = { room: again?.room ?? number(), attack: number() };
    const { packets, accepted, found } = playRound(round);
    const said = playMessages(round.attack);
    const places = coverage.take();
    if (places.some(({ reached }) => reached)) liked.push(round);
    if (liked.length > MOST_LIKED) liked.shift();
    const faults = [...(found?.faults ?? []), ...said.faults];
    const given = (found?.given ?? []).map(({ from, to, bytes }) => [from, to, toHex(bytes)] as const);
    await tell({
      packets,
      accepted,
      messages: said.messages,
      cpu: cpuSeconds(),
      memory: Math.round(process.memoryUsage().heapUsed / 1e6),
      places,
      found: faults.length === 0 ? null : { seed: round, faults, given },
    });
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function tell(news: News): Promise<void> {
  return new Promise((resolve) => {
    // The other end may have gone: then there is nobody to tell.
    if (process.send === undefined || !process.connected) resolve();
    else process.send(news, undefined, undefined, () => resolve());
  });
}

await main(Number(process.argv[2]));
