import { CanvasTexture, LinearFilter, LinearMipmapLinearFilter } from 'three';
import { MARK_BOX, SLOT_LOOKS } from './slots.ts';

/** Marks per row, and rows. */
const COLUMNS = 4;
const ROWS = 8;
/** Pixels of a cell. A mark fills only MARK_FILL of it, so that the smaller mipmaps do not mix marks. */
const CELL = 128;
const MARK_FILL = 0.84;

let atlas: CanvasTexture | undefined;

/** Returns a texture with all marks, white on black. It is created once and lives as long as the page. */
export function markAtlas(): CanvasTexture {
  atlas ??= drawAtlas();
  return atlas;
}

function drawAtlas(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = COLUMNS * CELL;
  canvas.height = ROWS * CELL;
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#fff';
    const scale = (CELL * MARK_FILL) / MARK_BOX;
    const margin = (CELL * (1 - MARK_FILL)) / 2;
    SLOT_LOOKS.forEach(({ mark }, slot) => {
      const x = (slot % COLUMNS) * CELL + margin;
      const y = Math.floor(slot / COLUMNS) * CELL + margin;
      context.setTransform(scale, 0, 0, scale, x, y);
      context.fill(new Path2D(mark.path));
    });
  }
  const texture = new CanvasTexture(canvas);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  return texture;
}

/** For vertex shaders: the place in the atlas of a place on a face (±1 is the mark's border). */
export const MARK_ATLAS = /* glsl */ `
  vec2 placeInAtlas(vec2 face, float slot) {
    vec2 cells = vec2(${COLUMNS}.0, ${ROWS}.0);
    vec2 cell = vec2(mod(slot, cells.x), cells.y - 1.0 - floor(slot / cells.x));
    return (cell + face * 0.5 + 0.5) / cells;
  }
`;
