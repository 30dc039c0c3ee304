import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { JitterBuffer } from '../../../src/core/link/jitter-buffer.ts';

type Batch = { ticks: number[] };
const make = (): JitterBuffer<Batch> =>
  new JitterBuffer<Batch>(
    () => ({ ticks: [] }),
    (batch) => (batch.ticks.length = 0),
  );
const add = (buffer: JitterBuffer<Batch>, tick: number, out: number[]): void => {
  buffer.at(tick, (evicted) => out.push(...evicted.ticks)).ticks.push(tick);
};

describe('[T2] the jitter buffer', () => {
  it('hands out what is due, oldest first, and keeps the rest', () => {
    const buffer = make();
    const out: number[] = [];
    for (const tick of [7, 5, 9, 6]) add(buffer, tick, out);
    buffer.drain(7.9, (batch) => out.push(...batch.ticks));
    expect(out).toEqual([5, 6, 7]);
    buffer.drain(20, (batch) => out.push(...batch.ticks));
    expect(out).toEqual([5, 6, 7, 9]);
  });

  it('what comes after its time is due at once', () => {
    const buffer = make();
    const out: number[] = [];
    add(buffer, 10, out);
    buffer.drain(10, (batch) => out.push(...batch.ticks));
    add(buffer, 4, out);
    buffer.drain(10, (batch) => out.push(...batch.ticks));
    expect(out).toEqual([10, 4]);
  });

  it('parts of one tick that come apart are kept together', () => {
    const buffer = make();
    const out: number[] = [];
    add(buffer, 3, out);
    add(buffer, 3, out);
    buffer.drain(3, (batch) => out.push(batch.ticks.length));
    expect(out).toEqual([2]);
  });

  it('nothing is lost, whatever the order, the gaps and the stalls', () => {
    const random = new Random(5);
    const buffer = make();
    const [sent, out]: [number[], number[]] = [[], []];
    let now = 0;
    for (let i = 0; i < 3000; i++) {
      now += random.chance(0.01) ? random.below(400) : 1;
      const tick = Math.max(0, now - random.below(300));
      sent.push(tick);
      add(buffer, tick, out);
      if (random.chance(0.7)) buffer.drain(now - 6, (batch) => out.push(...batch.ticks));
    }
    buffer.drain(now + 1, (batch) => out.push(...batch.ticks));
    expect(out.sort((a, b) => a - b)).toEqual(sent.sort((a, b) => a - b));
  });

  it('a reset drops all', () => {
    const buffer = make();
    add(buffer, 3, []);
    buffer.reset();
    buffer.drain(100, () => expect.fail('handed out'));
    expect(buffer.peek(3)).toBeNull();
  });
});
