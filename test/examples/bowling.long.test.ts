import { expect, test } from 'vitest';
import { forSeeds } from '../support/seeds.ts';

/** The example is plain JavaScript. */
const FOLDER = '../../examples/bowling';
const { playRoom } = (await import(`${FOLDER}/play.js`)) as {
  playRoom: (seed: number) => {
    readonly converged: boolean;
    readonly violations: readonly unknown[];
    readonly rolls: readonly (readonly number[])[];
  };
};

test('players of bowling agree in a hundred rooms at 5 % of loss', () => {
  forSeeds(1, 100, (seed) => {
    const { converged, violations, rolls } = playRoom(seed);
    expect([converged, violations]).toEqual([true, []]);
    expect(rolls[0].length).toBeGreaterThan(1);
    expect(rolls[1]).toEqual(rolls[0]);
  });
});
