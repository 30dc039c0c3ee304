import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** It is 40, most of it for the measuring; one array with a number for each cube is 500. */
const MOST_BYTES = 300;

const probe = fileURLToPath(new URL('./allocation-probe.ts', import.meta.url));

describe('what is allocated', () => {
  it('by a peer’s own code in a tick is next to nothing, while 64 cubes move', () => {
    // Code that other tests have run with other engines is compiled for all of them, and allocates more.
    const said = execFileSync(process.execPath, ['--import', 'tsx', probe], { encoding: 'utf8' });
    const { ticks, array } = JSON.parse(said) as { ticks: number[]; array: number };
    expect(ticks.length).toBeGreaterThan(1);
    for (const bytes of ticks) expect(bytes).toBeLessThan(MOST_BYTES);
    expect(array, 'the measure sees an array').toBeGreaterThan(MOST_BYTES);
  });
});
