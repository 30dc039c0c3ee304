import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Slot } from '../../src/core/base/ids.ts';
import { UsageError } from '../../src/tools/words.ts';
import { fromHex } from '../support/packets.ts';
import type { FuzzArguments } from './arguments.ts';
import { FUZZ_USAGE, parseFuzzArguments } from './arguments.ts';
import type { Place } from './coverage.ts';
import { writeCorpus } from './corpus.ts';
import { addPlace, describeCoverage } from './coverage.ts';
import { keepFind } from './keep.ts';
import { makeCorpus } from './make-corpus.ts';
import type { News } from './worker.ts';

/**
 * `npm run fuzz`: gives peers in real rooms whatever bytes
 * it can think of, on all cores, for as long as it is told. What breaks a rule is kept in test/fuzz/found, and the
 * exit code is 1. With `--corpus` it makes test/fuzz/corpus anew.
 */

/** Milliseconds between two lines on a terminal; a file or a pipe gets the last one only. */
const REPORT_MS = 15_000;
/** Numbers between the seeds of two workers. */
const SEEDS_APART = 1_000_003;

type Sums = { packets: number; accepted: number; messages: number; memory: number; finds: number };

class Fuzzer {
  readonly sums: Sums = { packets: 0, accepted: 0, messages: 0, memory: 0, finds: 0 };
  readonly places = new Map<string, Place>();
  readonly #begun = performance.now();
  readonly #cpu = new Map<number, number>();
  #newAt = 0;

  hear(worker: number, news: News): void {
    this.#cpu.set(worker, news.cpu);
    this.sums.packets += news.packets;
    this.sums.accepted += news.accepted;
    this.sums.messages += news.messages;
    this.sums.memory = Math.max(this.sums.memory, news.memory);
    for (const place of news.places) {
      if (addPlace(this.places, place) && place.reached) this.#newAt = this.sums.packets;
    }
    if (news.found === null) return;
    this.sums.finds++;
    const { seed, faults } = news.found;
    const given = news.found.given.map(([from, to, hex]) => {
      return { from: from as Slot, to: to as Slot, bytes: fromHex(hex) };
    });
    console.log(
      `Found: ${faults.join('; ')}\n  kept as test/fuzz/found/${keepFind({ seed, faults, given })}`,
    );
  }

  report(): void {
    const { packets, accepted, messages, memory, finds } = this.sums;
    const hours = (performance.now() - this.#begun) / 3_600_000;
    const busy = [...this.#cpu.values()].reduce((sum, seconds) => sum + seconds, 0) / 3600;
    const rate = (time: number): string => (packets / Math.max(1e-6, time) / 1e6).toFixed(1);
    console.log(
      `${(packets / 1e6).toFixed(2)} M packets (${rate(hours)} M an hour, ${rate(busy)} M an hour of a core), ` +
        `${((100 * accepted) / Math.max(1, packets)).toFixed(0)} % taken for good, ` +
        `${(messages / 1e6).toFixed(2)} M messages; ${finds} found; at most ${memory} MB; ` +
        `${describeCoverage(this.places.values()).share}; nothing new for ${((packets - this.#newAt) / 1e6).toFixed(2)} M`,
    );
  }
}

async function main(words: readonly string[]): Promise<number> {
  try {
    const options = parseFuzzArguments(words);
    if (options === null) console.log(FUZZ_USAGE);
    else if (options.corpus) writeCorpus(await makeCorpus(console.log));
    else return await fuzz(options);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

async function fuzz({ minutes, packets, seed, workers }: FuzzArguments): Promise<number> {
  const fuzzer = new Fuzzer();
  const script = fileURLToPath(new URL('worker.ts', import.meta.url));
  const children = Array.from({ length: workers }, (_, i) => fork(script, [String(seed + i * SEEDS_APART)]));
  const reports = process.stdout.isTTY ? setInterval(() => fuzzer.report(), REPORT_MS) : undefined;
  await new Promise<void>((resolve) => {
    if (minutes !== null) setTimeout(resolve, minutes * 60_000);
    for (const [i, child] of children.entries()) {
      child.on('message', (news: News) => {
        fuzzer.hear(i, news);
        if (packets !== null && fuzzer.sums.packets >= packets) resolve();
      });
      child.on('exit', (code) => {
        if (code !== 0) resolve();
      });
    }
  });
  clearInterval(reports);
  const failed = await Promise.all(children.map(stop));
  fuzzer.report();
  console.log(`Not reached: ${describeCoverage(fuzzer.places.values()).missing.join(', ') || 'nothing'}`);
  return fuzzer.sums.finds > 0 || failed.includes(true) ? 1 : 0;
}

/** @returns true if the worker has failed. */
function stop(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode !== 0);
    child.once('exit', (code) => resolve(code !== 0));
    if (child.connected) child.disconnect();
  });
}

process.exitCode = await main(process.argv.slice(2));
