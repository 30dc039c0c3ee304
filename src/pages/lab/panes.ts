/** Where the lab's worlds are drawn, in CSS pixels from the window's top left corner. */
export type PaneRectangle = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** From this width on the panel stands beside the worlds, else under them; lab.css has the same. */
const BESIDE_FROM = 900;
/** Pixels that the panel is wide beside them, and the share of the height that they have above it. */
const PANEL_WIDTH = 400;
const SHARE_ABOVE = 0.52;

/** The panes of one to four worlds: side by side, and from three on in two rows. */
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
    // Three worlds leave no gap: the last one is as wide as two.
    const end = i === count - 1 ? width : Math.round(((column + 1) * width) / columns);
    return { left, top, width: end - left, height: Math.round(((row + 1) * height) / rows) - top };
  });
}

export function paneAt(panes: readonly PaneRectangle[], x: number, y: number): PaneRectangle | undefined {
  return panes.find((p) => x >= p.left && x < p.left + p.width && y >= p.top && y < p.top + p.height);
}
