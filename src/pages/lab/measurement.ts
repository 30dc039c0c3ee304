import type { SweepRow } from '../../lab/sweep/sweep.ts';
import type { SweepFailure, SweepOrder } from './sweep-messages.ts';
import { readReply } from './sweep-messages.ts';

/** `no worker`: the browser could not start the worker, or the worker broke. */
export type MeasurementEnd = 'done' | 'no worker' | SweepFailure;

export type MeasurementHandlers = {
  onRow(row: SweepRow): void;
  /** Called once, unless the measurement is stopped. No other handler is called after it. */
  onEnd(end: MeasurementEnd): void;
};

/** The part of a Worker that a measurement needs. */
export type SweepWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/**
 * Measures in a worker. No handler is called before it returns.
 * @param create makes the worker; it may throw.
 * @returns a function that stops it at once.
 */
export function startMeasurement(
  order: SweepOrder,
  handlers: MeasurementHandlers,
  create: () => SweepWorker = createWorker,
): () => void {
  let worker: SweepWorker | null = null;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    worker?.terminate();
  };
  const end = (how: MeasurementEnd): void => {
    if (isOver) return;
    stop();
    handlers.onEnd(how);
  };
  try {
    worker = create();
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      // A message may be on its way while its worker is ended.
      if (isOver) return;
      const reply = readReply(data);
      if (reply === null) end('fault');
      else if (reply.kind === 'row') handlers.onRow(reply.row);
      else end(reply.kind === 'done' ? 'done' : reply.why);
    });
    worker.addEventListener('messageerror', () => end('no worker'));
    worker.addEventListener('error', () => end('no worker'));
    worker.postMessage(order);
  } catch {
    queueMicrotask(() => end('no worker'));
  }
  return stop;
}

function createWorker(): Worker {
  return new Worker(new URL('./sweep-worker.ts', import.meta.url), { type: 'module' });
}
