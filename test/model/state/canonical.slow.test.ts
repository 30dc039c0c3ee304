import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { REAL } from '../moves/actor.ts';
import { canonical } from './canonical.ts';
import { createLayout, startOf } from './layout.ts';
import { actionsIn, freeMovesIn } from '../moves/moves.ts';
import { mapping, orders, permute } from './orders.ts';
import { stepper } from '../moves/step.ts';

const WALKS = 20;
const MOVES = 30;

describe('the form of a state', () => {
  test.each([
    { guests: 2, bodies: 2, older: 1, poses: true },
    { guests: 3, bodies: 1, older: 2, poses: false },
  ])('is the same in every order of guests and bodies, and is its own form: %o', (size) => {
    const layout = createLayout(size);
    const { bring } = canonical(layout);
    const step = stepper(layout, REAL);
    const kinds = new Uint8Array(layout.cells);
    const mappings = orders(layout).map((order) => mapping(layout, order, kinds));
    const random = new Random(1);
    const forms = new Set<string>();
    let cells = startOf(layout);
    for (let move = 0; move < WALKS * MOVES; move++) {
      if (move % MOVES === 0) cells = startOf(layout);
      const moves = random.chance(0.3) ? actionsIn(layout, cells) : freeMovesIn(layout, cells);
      step.at(cells);
      const results = step.perform(moves[random.below(moves.length)]);
      const next = results[random.below(results.length)];
      const reordered = new Uint8Array(layout.cells);
      permute(mappings[random.below(mappings.length)], kinds, next, reordered);
      bring(next);
      bring(reordered);
      expect(reordered).toEqual(next);
      cells = next.slice();
      bring(cells);
      expect(cells).toEqual(next);
      forms.add(cells.join());
    }
    expect(forms.size).toBeGreaterThan((WALKS * MOVES) / 4);
  });
});
