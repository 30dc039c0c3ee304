import { describe, expect, test } from 'vitest';
import { forSeeds } from '../support/seeds.ts';

/** The example is plain JavaScript. */
type Played = {
  readonly converged: boolean;
  readonly violations: readonly unknown[];
  readonly rolls: readonly (readonly number[])[];
};
type Score = {
  scoreOf(rolls: readonly number[]): number;
  framesOf(rolls: readonly number[]): number[][];
  standingIn(frame: readonly number[]): number;
  isGameOver(rolls: readonly number[]): boolean;
};
const FOLDER = '../../examples/bowling';
const { playRoom } = (await import(`${FOLDER}/play.js`)) as { playRoom: (seed: number) => Played };
const { framesOf, isGameOver, scoreOf, standingIn } = (await import(`${FOLDER}/score.js`)) as Score;

test('players of bowling agree on the pins and on the score, at 5 % of loss', () => {
  forSeeds(1, 2, (seed) => {
    const { converged, violations, rolls } = playRoom(seed);
    expect([converged, violations]).toEqual([true, []]);
    expect(rolls[0].length, 'rolls').toBeGreaterThan(2);
    expect(rolls[1]).toEqual(rolls[0]);
    expect(Math.max(...rolls[0]), 'pins that fell').toBeGreaterThan(0);
  });
});

describe('the score of bowling', () => {
  test('counts the next two rolls after a strike, and the next one after a spare', () => {
    expect(scoreOf([10, 3, 4])).toBe(24);
    expect(scoreOf([6, 4, 5, 2])).toBe(22);
    expect(scoreOf([1, 4, 4, 5, 6, 4, 5, 5, 10, 0, 1, 7, 3, 6, 4, 10, 2, 8, 6])).toBe(133);
    expect(scoreOf(Array<number>(12).fill(10))).toBe(300);
    expect(scoreOf(Array<number>(21).fill(5))).toBe(150);
  });

  test('knows what is played so far', () => {
    expect(scoreOf([])).toBe(0);
    expect(scoreOf([10])).toBe(10);
    expect(framesOf([10, 3, 6, 4])).toEqual([[10], [3, 6], [4]]);
    expect(framesOf([3, 6])).toEqual([[3, 6], []]);
  });

  test('a game is over after ten frames, and later if the tenth begins with ten pins', () => {
    const nine = Array<number>(9).fill(10);
    expect(isGameOver(nine)).toBe(false);
    expect(isGameOver([...nine, 3, 6])).toBe(true);
    expect(isGameOver([...nine, 3, 7])).toBe(false);
    expect(isGameOver([...nine, 3, 7, 5])).toBe(true);
    expect(isGameOver([...nine, 10, 10])).toBe(false);
    expect(framesOf([...nine, 10, 10, 10])).toHaveLength(10);
  });

  test('after a strike or a spare all pins stand', () => {
    expect([[], [3], [10], [10, 4], [4, 6]].map(standingIn)).toEqual([10, 7, 10, 6, 10]);
  });
});
