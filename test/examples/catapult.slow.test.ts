import { expect, test } from 'vitest';
import { forSeeds } from '../support/seeds.ts';

/** The example is plain JavaScript. */
const FOLDER = '../../examples/catapult';
const { playRoom } = (await import(`${FOLDER}/play.js`)) as {
  playRoom: (seed: number) => {
    readonly converged: boolean;
    readonly violations: readonly unknown[];
    readonly down: readonly number[];
    readonly mostDown: number;
  };
};

test('players of the catapult agree on the arm, the boxes and the score, at 5 % of loss', () => {
  forSeeds(1, 2, (seed) => {
    const { converged, violations, down, mostDown } = playRoom(seed);
    expect([converged, violations]).toEqual([true, []]);
    expect(mostDown, 'boxes that were shot down').toBeGreaterThan(0);
    expect(down[1]).toBe(down[0]);
  });
});
