import { expect } from 'vitest';
import type { Box } from '../../../src/pages/headset/panel/panel-boxes.ts';
import { actionOf, buttonAt } from '../../../src/pages/headset/panel/panel-boxes.ts';

type Size = { readonly width: number; readonly height: number };

/** Units: every box keeps this distance from the edge, because the panel's corners are round. */
const MARGIN = 20;

/**
 * Returns the faults of a panel: boxes over its edge or over each other, and buttons that are too small for a
 * hand.
 */
export function faultsOf<A>(boxes: readonly Box<A>[], { width, height }: Size): string[] {
  return boxes.flatMap((box, i) => {
    const faults: string[] = [];
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    const isInside =
      box.x >= MARGIN && box.y >= MARGIN && right <= width - MARGIN && bottom <= height - MARGIN;
    if (!isInside) faults.push(`${nameOf(box)} is over the edge`);
    for (const other of boxes.slice(i + 1)) {
      const isApart =
        other.x >= right ||
        other.x + other.width <= box.x ||
        other.y >= bottom ||
        other.y + other.height <= box.y;
      if (!isApart) faults.push(`${nameOf(box)} lies over ${nameOf(other)}`);
    }
    if (box.kind !== 'button') return faults;
    const isFelt = buttonAt(boxes, box.x + box.width / 2, box.y + box.height / 2) >= 0;
    if (box.action === null && isFelt) faults.push(`${nameOf(box)} is felt, and does nothing`);
    if (box.action === null) return faults;
    const corners = [
      [box.x + 1, box.y + 1],
      [right - 1, bottom - 1],
    ] as const;
    if (corners.some(([x, y]) => buttonAt(boxes, x, y) !== i)) faults.push(`${nameOf(box)} is missed`);
    return faults;
  });
}

function nameOf(box: Box<unknown>): string {
  if (box.kind === 'button') return `button ${box.label}`;
  return box.kind === 'text' || box.kind === 'paragraph' ? `“${box.text}”` : box.kind;
}

/** Returns all actions that a press somewhere on the panel gives; it tries points all over the panel. */
export function reachable<A>(boxes: readonly Box<A>[], { width, height }: Size): A[] {
  const found = new Set<number>();
  for (let y = 0; y < height; y += 10) {
    for (let x = 0; x < width; x += 10) found.add(buttonAt(boxes, x, y));
  }
  return [...found].flatMap((i) => actionOf(boxes, i) ?? []);
}

/** Presses the button with this label. */
export function press<A>(boxes: readonly Box<A>[], label: string): A | null {
  const box = boxes.find((each) => each.kind === 'button' && each.label === label);
  expect(box, `the button “${label}”`).toBeDefined();
  if (box === undefined) return null;
  return actionOf(boxes, buttonAt(boxes, box.x + box.width / 2, box.y + box.height / 2));
}

/** Returns all texts of a panel. */
export function wordsOf(boxes: readonly Box<unknown>[]): string {
  return boxes
    .flatMap((box) =>
      box.kind === 'text' || box.kind === 'paragraph' ? [box.text] : box.kind === 'button' ? [box.label] : [],
    )
    .join('\n');
}
