/** How the window is divided: a single pane fills it; of two panes, each shows the world of one peer. */

/** 0: the host's pane, left or above, or the only one; 1: the guest's. */
export type Pane = 0 | 1;
export const HOST_PANE: Pane = 0;
export const GUEST_PANE: Pane = 1;

/** CSS pixels from the window's upper left corner. */
export type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};
/** One for each pane, by its number. */
export type PaneRectangles = readonly Rectangle[];

/**
 * CSS pixels: a window that is higher than wide and narrower than this is a phone's; its panes are stacked.
 */
const STACK_BELOW = 700;

function areStacked(width: number, height: number): boolean {
  return width < STACK_BELOW && height > width;
}

/** Returns the panes of a window of `width` by `height` CSS pixels; together they fill it. */
export function paneRectangles(width: number, height: number, count: 1 | 2 = 2): PaneRectangles {
  if (count === 1) return [{ x: 0, y: 0, width, height }];
  if (areStacked(width, height)) {
    const half = Math.floor(height / 2);
    return [
      { x: 0, y: 0, width, height: half },
      { x: 0, y: half, width, height: height - half },
    ];
  }
  const half = Math.floor(width / 2);
  return [
    { x: 0, y: 0, width: half, height },
    { x: half, y: 0, width: width - half, height },
  ];
}

/** Returns the pane under a point; a point outside of the window belongs to the nearer pane. */
export function paneAt(panes: PaneRectangles, x: number, y: number): Pane {
  const guest = panes.at(GUEST_PANE);
  return guest !== undefined && x >= guest.x && y >= guest.y ? GUEST_PANE : HOST_PANE;
}

/**
 * Returns the place of `x` in a pane, from -1 at its left edge to 1 at its right edge; beyond them outside of
 * the pane.
 */
export function acrossPane(pane: Rectangle, x: number): number {
  return ((x - pane.x) / pane.width) * 2 - 1;
}

/**
 * Returns the place of `y` in a pane, from -1 at its lower edge to 1 at its upper edge; beyond them outside
 * of the pane.
 */
export function upPane(pane: Rectangle, y: number): number {
  return 1 - ((y - pane.y) / pane.height) * 2;
}
