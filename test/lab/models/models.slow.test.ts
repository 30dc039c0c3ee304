import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_PACKET_BYTES, TICK_MS } from '../../../src/core/base/constants.ts';
import { LAB_MODELS } from '../../../src/lab/models.ts';
import { delayFor } from '../../../src/lab/models/lockstep.ts';
import type { LabFigures } from '../../../src/lab/judge/figures.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

const FAR = 150;

const measured = new Map<string, LabFigures>();

function measure(id: string, latencyMs: number): LabFigures {
  const key = `${id} ${latencyMs}`;
  const known = measured.get(key);
  if (known !== undefined) return known;
  const run = createRun(id, engines, { scene: 'push', conditions: { latencyMs } });
  play(run, 7);
  const figures = run.figures();
  run.dispose();
  measured.set(key, figures);
  return figures;
}

describe('from the hand to motion, as the latency grows from 0 to 150 ms', () => {
  /** Two ticks: to the frame, and to the tick. */
  const EXACT = 2 * TICK_MS + 1;
  const slope = (id: string): number => measure(id, FAR).delay - measure(id, 0).delay;

  it.each([
    'authority',
    'rollback',
    'prediction',
    'colyseus',
    'reconciliation',
    'owner-add',
    'owner-move',
    'owner-displace',
  ])('of %s, nothing is added', (id) => {
    expect(Math.abs(slope(id))).toBeLessThan(EXACT);
  });

  it.each(['server', 'interpolation-hermite'])('of %s, one round trip is added', (id) => {
    expect(Math.abs(slope(id) - 2 * FAR)).toBeLessThan(EXACT);
  });

  it('of lockstep, its delay is added', () => {
    const setting = (delayFor(FAR / TICK_MS) - delayFor(0)) * TICK_MS;
    expect(Math.abs(slope('lockstep') - setting)).toBeLessThan(EXACT);
  });
});

it('rollback’s computing grows with the latency, authority’s does not', () => {
  expect(measure('rollback', FAR).steps).toBeGreaterThan(measure('rollback', 0).steps + 4);
  expect(measure('authority', FAR).steps).toBeCloseTo(measure('authority', 0).steps);
});

it.each(['reconciliation', 'owner-add', 'owner-move', 'owner-displace'])(
  '%s is the same whichever clock each machine has',
  (id) => {
    const figures = (seed: number): number => {
      // The seed of the clocks is the seed of the run; the hands are the same.
      const run = createRun(id, engines, { scene: 'push', seed, conditions: { latencyMs: 50 } });
      play(run, 4);
      const { error95 } = run.figures();
      run.dispose();
      return error95;
    };
    expect(Math.abs(figures(1) - figures(2))).toBeLessThan(0.02);
  },
);

describe.each(LAB_MODELS)('$id', (model) => {
  it('plays with three, where two guests see each other', () => {
    const run = createRun(model.id, engines, { players: 3, conditions: { latencyMs: 40, jitterMs: 10 } });
    play(run, 4.5);
    const figures = run.figures();
    expect(run.game.peers.length).toBeGreaterThanOrEqual(3);
    expect(figures.speed).toBeGreaterThan(97);
    expect(figures.delay).toBeLessThan(300);
    // The guests' screens agree to what two of their players move in a round trip and a buffer.
    expect(figures.screens95).toBeLessThan(1);
    expect(figures.errorMean).toBeLessThan(0.5);
    for (const peer of run.game.peers) expect(peer.report.word).toBe('');
    run.dispose();
  });

  it('plays over a bad network: in packets that fit, in real time, and what it does is the same each time', () => {
    const conditions = { latencyMs: 60, jitterMs: 40, loss: 0.05, duplicate: 0.05 };
    const once = (): { figures: LabFigures; drawn: number[] } => {
      const run = createRun(model.id, engines, { conditions });
      play(run, 3);
      const result = { figures: run.figures(), drawn: [...run.drawn] };
      run.dispose();
      return result;
    };
    const { figures, drawn } = once();
    expect(drawn.every(Number.isFinite)).toBe(true);
    expect(figures.speed).toBeGreaterThan(97);
    expect(figures.up).toBeLessThan((MAX_PACKET_BYTES * 8 * 60) / 1000);
    expect(figures.errorMean).toBeLessThan(1);
    expect(figures.memory).toBeGreaterThan(0);
    if (model.id === 'prediction') expect(once().drawn).toEqual(drawn);
  });

  it('takes no harm from packets that are none', () => {
    const run = createRun(model.id, engines);
    play(run, 0.5);
    for (const peer of run.game.peers) {
      for (let length = 0; length < 40; length++) {
        peer.receive(
          500,
          0,
          Uint8Array.from({ length }, (_, i) => (i * 89 + length * 7) & 255),
        );
        peer.receive(500, 7, new Uint8Array(length).fill(255));
      }
    }
    play(run, 0.5);
    expect([...run.drawn].every(Number.isFinite)).toBe(true);
    run.dispose();
  });
});
