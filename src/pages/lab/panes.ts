/** One pane for one world, in CSS pixels from the window's top left corner. */
export type PaneRectangle = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/**
 * In windows of at least this width the panel is beside the worlds, else under them. lab.css has the same
 * number.
 */
const BESIDE_FROM = 900;
/** The width in pixels of a panel beside the worlds, and the worlds' share of the height above a panel. */
const PANEL_WIDTH = 400;
const SHARE_ABOVE = 0.52;

/**
 * Returns the panes of one to four worlds: side by side, or in two rows if there are three or more, or two in
 * a high window.
 */
export function labPanes(count: number, windowWidth: number, windowHeight: number): PaneRectangle[] {
  const isBeside = windowWidth >= BESIDE_FROM;
  const width = isBeside ? windowWidth - PANEL_WIDTH : windowWidth;
  const height = isBeside ? windowHeight : Math.round(windowHeight * SHARE_ABOVE);
  const rows = count > 2 || (count === 2 && width < height) ? 2 : 1;
  const columns = Math.ceil(count / rows);
  return Array.from({ length: count }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const left = Math.round((column * width) / columns);
    const top = Math.round((row * height) / rows);
    // The last of three worlds is as wide as two, so that no gap is left.
    const end = i === count - 1 ? width : Math.round(((column + 1) * width) / columns);
    return { left, top, width: end - left, height: Math.round(((row + 1) * height) / rows) - top };
  });
}

/** Returns the pane at a point in CSS pixels, or undefined between and outside of the panes. */
export function paneAt(panes: readonly PaneRectangle[], x: number, y: number): PaneRectangle | undefined {
  return panes.find((p) => x >= p.left && x < p.left + p.width && y >= p.top && y < p.top + p.height);
}
