import type { LabModel } from '../../lab/lab-model.ts';
import { modelOf } from '../../lab/models.ts';
import type { LabEngines } from '../../lab/run.ts';
import { sweep, warmUp } from '../../lab/sweep/sweep.ts';
import { loadDeterministicEngine } from '../../physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../../physics/engine.ts';
import type { SweepOrder, SweepReply } from './sweep-messages.ts';
import { readOrder } from './sweep-messages.ts';

/** Measures on a core of its own, so that the page's worlds go on. It loads its own engines. */

function reply(message: SweepReply): void {
  postMessage(message);
}

async function loadEngines(): Promise<LabEngines | null> {
  try {
    await loadPhysics();
    return { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  } catch {
    return null;
  }
}

async function measure(order: SweepOrder): Promise<void> {
  const engines = await loadEngines();
  if (engines === null) {
    reply({ kind: 'failed', why: 'no engine' });
    return;
  }
  const models = order.models.map(modelOf).filter((model): model is LabModel => model !== undefined);
  const options = { ...order, models, engines, clock: () => performance.now() };
  warmUp(options);
  for (const { row } of sweep(options)) reply({ kind: 'row', row });
  reply({ kind: 'done' });
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const order = readOrder(data);
  if (order === null) {
    reply({ kind: 'failed', why: 'fault' });
    return;
  }
  measure(order).catch((error: unknown) => {
    // A bug of our own is to be seen.
    console.error(error);
    reply({ kind: 'failed', why: 'fault' });
  });
});
