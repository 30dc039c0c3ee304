import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import { take } from '../../../src/core/world/authority.ts';
import type { Place, Stage } from '../../support/stage.ts';
import { setStage } from '../../support/stage.ts';

/** Cubes of a heap, and metres from the middle at which it begins. */
const CUBES = 30;
const AWAY = 3;
/** Ticks after which two heaps must have come to rest. */
const PATIENCE = 30 * 60;

/** Ticks until two heaps that were flung into each other rest and all agree; and the changes of hands of a body. */
export type Heaps = { readonly ticks: number; readonly mostChangesInASecond: number };

/**
 * Two guests fling a heap of thirty cubes each into that of the other.
 * @param strikes false: the cubes do not count as thrown, so that no blow takes one [A14.1].
 */
export async function flingHeaps(seed: number, strikes = true): Promise<Heaps> {
  const random = new Random(seed);
  const heap = (side: number): Place[] =>
    Array.from({ length: CUBES }, (_, i) => [
      side * (AWAY + 0.6 * (i % 3)) + random.between(-0.03, 0.03),
      0.25 + 0.55 * Math.floor(i / 9),
      0.6 * (Math.floor(i / 3) % 3) + random.between(-0.03, 0.03),
    ]);
  const stage = await setStage({ guests: 2, cubes: [...heap(-1), ...heap(1)], latencyMs: 50 });
  for (const side of [0, 1]) fling(stage, side, random.between(5, 8), strikes);
  const { records } = stage.host.peer.state.bodies;
  const changedAt = Array.from({ length: records.count }, (): number[] => []);
  const had = [...records.authority];
  let most = 0;
  let ticks = 0;
  for (; ticks < PATIENCE && stage.differences().length > 0; ticks++) {
    stage.tick();
    for (const [body, changes] of changedAt.entries()) {
      const has = records.authority[body];
      if (has >= 0 && had[body] >= 0 && has !== had[body]) changes.push(ticks);
      had[body] = has;
      while (changes.length > 0 && changes[0] <= ticks - 60) changes.shift();
      most = Math.max(most, changes.length);
    }
  }
  return { ticks, mostChangesInASecond: most };
}

/** A guest has thrown its heap towards the other one. */
function fling(stage: Stage, side: number, speed: number, strikes: boolean): void {
  const slot = (side + 1) as Slot;
  const peer = stage.guest(slot).peer.state;
  const { bodies } = peer;
  for (let i = 0; i < CUBES; i++) {
    const body = (side * CUBES + i) as BodyId;
    take(bodies.records, body, slot, false);
    bodies.startSimulating(body);
    bodies.rest.disturb(body);
    bodies.motion[body * STRIDE + MOTION.linear] = side === 0 ? speed : -speed;
    bodies.motion[body * STRIDE + MOTION.linear + 1] = 2;
    bodies.rest.wakeRecord(body);
    bodies.engine.write(body);
    if (strikes) peer.thrownUntil[body] = peer.tick + 60;
  }
}
