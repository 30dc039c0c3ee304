import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

/** It is 40, most of it for the measuring; one array with a number for each cube is 500. */
const MOST_BYTES = 300;
/** It is about 200: the packets, as they are handed over, and a few fractions. */
const MOST_STEP_BYTES = 1000;

/** Five seconds of work, on a machine that may be busy with other things. */
const PATIENCE_MS = 60_000;

const probe = fileURLToPath(new URL('./allocation-probe.ts', import.meta.url));

describe('what is allocated by a peer’s own code while all cubes move', () => {
  let measured: {
    readonly ticks: number[];
    readonly steps: number[];
    readonly sharedStep: number;
    readonly array: number;
  };

  beforeAll(() => {
    // Code that other tests have run with other engines is compiled for all of them, and allocates more.
    const said = execFileSync(process.execPath, ['--import', 'tsx', probe], { encoding: 'utf8' });
    measured = JSON.parse(said) as typeof measured;
  }, PATIENCE_MS);

  it('in a tick is next to nothing', () => {
    const { ticks, array } = measured;
    expect(ticks.length).toBeGreaterThan(1);
    for (const bytes of ticks) expect(bytes).toBeLessThan(MOST_BYTES);
    expect(array, 'the measure sees an array').toBeGreaterThan(MOST_BYTES);
  });

  it.each([
    [64, 0],
    [256, 1],
  ])('in a tick with %i cubes, receiving and sending included, is under 1 kB', (_cubes, i) => {
    expect(measured.steps[i]).toBeLessThan(MOST_STEP_BYTES);
  });

  it('[V3.3] with shared state in which nothing changes, is under 1 kB, too', () => {
    expect(measured.sharedStep).toBeLessThan(MOST_STEP_BYTES);
  });
});
