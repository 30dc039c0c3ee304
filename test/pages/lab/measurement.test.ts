import { describe, expect, it, vi } from 'vitest';
import { FIGURES } from '../../../src/lab/judge/figures.ts';
import { startMeasurement } from '../../../src/pages/lab/measurement.ts';
import type { SweepOrder } from '../../../src/pages/lab/sweep-messages.ts';
import { BEST_SWITCHES } from '../../../src/lab/switches.ts';

const ORDER: SweepOrder = {
  kind: 'measure',
  models: ['authority'],
  scene: 'push',
  seeds: [1],
  seconds: 8,
  conditions: {
    latency: 100,
    jitter: 20,
    loss: 1,
    duplicate: 0,
    rate: null,
    channel: 'datagram',
    players: 3,
    switches: { ...BEST_SWITCHES, window: 200 },
  },
  axis: 'loss',
  values: [0, 2],
};
const ROW = {
  model: 'authority',
  value: 0,
  seed: 1,
  figures: Object.fromEntries(FIGURES.map(({ name }) => [name, 1])),
};

/** A worker that says what the test has it say. */
class FakeWorker extends EventTarget {
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();

  says(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

type Started = {
  worker: FakeWorker;
  onRow: ReturnType<typeof vi.fn>;
  onEnd: ReturnType<typeof vi.fn>;
  stop: () => void;
};

function start(): Started {
  const worker = new FakeWorker();
  const [onRow, onEnd] = [vi.fn(), vi.fn()];
  const stop = startMeasurement(ORDER, { onRow, onEnd }, () => worker);
  return { worker, onRow, onEnd, stop };
}

describe('a measurement in a worker', () => {
  it('gives the worker its order, hands on rows, and frees the worker at the end', () => {
    const { worker, onRow, onEnd } = start();
    expect(worker.postMessage.mock.calls).toEqual([[ORDER]]);
    worker.says({ kind: 'row', row: ROW });
    expect(onRow.mock.calls).toEqual([[ROW]]);
    expect(onEnd).not.toHaveBeenCalled();
    worker.says({ kind: 'done' });
    expect(onEnd.mock.calls).toEqual([['done']]);
    expect(worker.terminate).toHaveBeenCalledOnce();
  });

  it.each([null, 7, { kind: 'row', row: {} }, { kind: 'party' }])(
    'ends at %j, which is a fault of ours',
    (data) => {
      const { worker, onRow, onEnd } = start();
      worker.says(data);
      expect(onRow).not.toHaveBeenCalled();
      expect(onEnd.mock.calls).toEqual([['fault']]);
    },
  );

  it('is silent once it was stopped', () => {
    const { worker, onRow, onEnd, stop } = start();
    stop();
    expect(worker.terminate).toHaveBeenCalledOnce();
    worker.says({ kind: 'row', row: ROW });
    worker.says({ kind: 'done' });
    worker.dispatchEvent(new Event('error'));
    expect(onRow).not.toHaveBeenCalled();
    expect(onEnd).not.toHaveBeenCalled();
  });

  it.each(['no engine', 'fault'] as const)('ends with what the worker lacks: %s', (why) => {
    const { worker, onEnd } = start();
    worker.says({ kind: 'failed', why });
    expect(onEnd.mock.calls).toEqual([[why]]);
  });

  it.each(['error', 'messageerror'])('ends once at a worker’s %s', (kind) => {
    const { worker, onEnd } = start();
    worker.dispatchEvent(new Event(kind));
    worker.dispatchEvent(new Event(kind));
    expect(onEnd.mock.calls).toEqual([['no worker']]);
  });

  it('ends, but not before it has begun, in a browser that makes no worker', async () => {
    const onEnd = vi.fn();
    startMeasurement(ORDER, { onRow: vi.fn(), onEnd }, () => {
      throw new Error('no workers here');
    });
    expect(onEnd).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(onEnd.mock.calls).toEqual([['no worker']]);
  });
});
