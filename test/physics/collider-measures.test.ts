import { expect, test } from 'vitest';
import { pose } from '../../src/core/base/math.ts';
import type { ConvexShape } from '../../src/core/world/shape.ts';
import { isThin } from '../../src/physics/collider-measures.ts';

const THICK: ConvexShape = { kind: 'box', halfExtents: [0.25, 0.25, 0.25] };
const BOARD: ConvexShape = { kind: 'box', halfExtents: [1, 0.03, 1] };
const POLE: ConvexShape = { kind: 'box', halfExtents: [0.03, 1, 0.03] };

test('a compound is as thin as its thinnest part, however large the box around it is', () => {
  const compound = (...shapes: ConvexShape[]) =>
    ({ kind: 'compound', parts: shapes.map((shape) => ({ shape, pose: pose() })) }) as const;
  expect([THICK, BOARD, POLE].map(isThin)).toEqual([false, true, true]);
  expect(isThin(compound(BOARD, POLE))).toBe(true);
  expect(isThin(compound(THICK, THICK))).toBe(false);
});
