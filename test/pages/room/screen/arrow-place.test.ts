import { expect, test } from 'vitest';
import type { WindowPlace } from '../../../../src/pages/room/screen/arrow-place.ts';
import { arrowPlace } from '../../../../src/pages/room/screen/arrow-place.ts';

const WINDOW = { width: 1280, height: 720 };
/** A hint in the lower left corner, and one below the bar of a phone. */
const LOW = { left: 12, right: 340, top: 658, bottom: 704 };
const HIGH = { left: 12, right: 378, top: 66, bottom: 116 };

test('an arrow lies at the edge of the picture to which it points', () => {
  expect(arrowPlace({ x: -1, y: 1 }, WINDOW, [], [])).toEqual({ x: 30, y: 92 });
  expect(arrowPlace({ x: 1, y: -1 }, WINDOW, [], [])).toEqual({ x: 1250, y: 680 });
});

test('an arrow lies above a card that is low, and below one that is high', () => {
  expect(arrowPlace({ x: -1, y: -1 }, WINDOW, [], [LOW])).toEqual({ x: 30, y: 636 });
  expect(arrowPlace({ x: -1, y: 1 }, WINDOW, [], [HIGH])).toEqual({ x: 30, y: 136 });
  expect(arrowPlace({ x: 1, y: -1 }, WINDOW, [], [LOW]), 'it is elsewhere').toEqual({ x: 1250, y: 680 });
});

test('arrows to one place lie over no card, and not over one another', () => {
  for (const y of [1, 0.2, -0.9, -1]) {
    const shown: WindowPlace[] = [];
    for (let i = 0; i < 4; i++) shown.push(arrowPlace({ x: -1, y }, WINDOW, shown, [LOW, HIGH]));
    const heights = shown.map((place) => place.y).sort((a, b) => a - b);
    heights.forEach((height, i) => {
      expect(height + 20 < LOW.top && height - 20 > HIGH.bottom - 1).toBe(true);
      if (i > 0) expect(height - heights[i - 1]).toBeGreaterThanOrEqual(40);
    });
  }
});
