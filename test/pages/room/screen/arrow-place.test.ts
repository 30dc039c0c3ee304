import { expect, test } from 'vitest';
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
  expect(arrowPlace({ x: -1, y: -1 }, WINDOW, [], [LOW])).toEqual({ x: 30, y: 634 });
  expect(arrowPlace({ x: -1, y: 1 }, WINDOW, [], [HIGH])).toEqual({ x: 30, y: 140 });
  expect(arrowPlace({ x: 1, y: -1 }, WINDOW, [], [LOW]), 'it is elsewhere').toEqual({ x: 1250, y: 680 });
});

test('two arrows to one place lie one below the other, and above a low card one above the other', () => {
  expect(arrowPlace({ x: -1, y: 1 }, WINDOW, [{ x: 30, y: 92 }], [])).toEqual({ x: 30, y: 136 });
  expect(arrowPlace({ x: -1, y: -1 }, WINDOW, [{ x: 30, y: 634 }], [LOW])).toEqual({ x: 30, y: 590 });
});
