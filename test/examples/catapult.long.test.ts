import { expect, test } from 'vitest';
import { forSeeds } from '../support/seeds.ts';

/** The example is plain JavaScript. */
const FOLDER = '../../examples/catapult';
const { playRoom } = (await import(`${FOLDER}/play.js`)) as {
  playRoom: (seed: number) => {
    readonly converged: boolean;
    readonly violations: readonly unknown[];
    readonly down: readonly number[];
  };
};

test('players of the catapult agree in a hundred rooms at 5 % of loss', () => {
  forSeeds(1, 100, (seed) => {
    const { converged, violations, down } = playRoom(seed);
    expect([converged, violations]).toEqual([true, []]);
    expect(down[1]).toBe(down[0]);
  });
});
