/** How the window is divided: one pane fills it; of two, each shows the world of one peer. */

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

/** CSS pixels: a window in portrait and narrower than this is a phone, whose panes are stacked. */
const STACK_BELOW = 700;

function areStacked(width: number, height: number): boolean {
  return width < STACK_BELOW && height > width;
}

/** Where the panes lie in a window of `width` by `height` CSS pixels; together they fill it. */
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

/** The pane under a point; points outside of the window count with the nearer pane. */
export function paneAt(panes: PaneRectangles, x: number, y: number): Pane {
  const guest = panes.at(GUEST_PANE);
  return guest !== undefined && x >= guest.x && y >= guest.y ? GUEST_PANE : HOST_PANE;
}

/** From the pane's left edge (-1) to its right edge (1); beyond them outside of it. */
export function acrossPane(pane: Rectangle, x: number): number {
  return ((x - pane.x) / pane.width) * 2 - 1;
}

/** From the pane's lower edge (-1) to its upper edge (1); beyond them outside of it. */
export function upPane(pane: Rectangle, y: number): number {
  return 1 - ((y - pane.y) / pane.height) * 2;
}
