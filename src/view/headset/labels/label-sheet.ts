import { CanvasTexture, LinearMipmapLinearFilter } from 'three';

/** Pixels: the sheet's usual width, and the height of a row. */
const WIDTH = 768;
const ROW = 64;
/** Pixels between rows, so that a small drawing of one row does not show parts of the next. */
const MARGIN = 4;
const PADDING = 22;
const DOT = 16;
const FONT = '600 33px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const PAPER = 'rgba(252, 252, 251, 0.95)';
const INK = '#22272e';
/** Around the paper, in pixels: without it, the paper could not be seen against a white cube. */
const EDGE = 'rgba(34, 39, 46, 0.4)';
const EDGE_WIDTH = 2;

/** A place on the sheet: left, bottom, width and height as fractions of the sheet. */
export type SheetRect = readonly [left: number, bottom: number, width: number, height: number];

/** Short texts on one texture, one row each, so that all labels need only one draw call. */
export class LabelSheet {
  readonly texture: CanvasTexture;
  /** A place with nothing but paper, for lines. */
  readonly plain: SheetRect;
  /** A round dot. */
  readonly dot: SheetRect;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #width: number;
  readonly #height: number;

  /**
   * @param rows the most texts at a time.
   * @param width in pixels; a longer text is condensed.
   */
  constructor(rows: number, width = WIDTH) {
    this.#width = width;
    const canvas = document.createElement('canvas');
    this.#height = (rows + 1) * ROW;
    canvas.width = width;
    canvas.height = this.#height;
    this.#context = canvas.getContext('2d');
    if (this.#context !== null) {
      this.#context.fillStyle = PAPER;
      this.#context.fillRect(0, rows * ROW, ROW, ROW);
      this.#context.arc(1.5 * ROW, (rows + 0.5) * ROW, DOT, 0, 2 * Math.PI);
      this.#context.fill();
    }
    const reach = DOT + 2;
    this.dot = this.#rect(1.5 * ROW - reach, (rows + 0.5) * ROW - reach, 2 * reach, 2 * reach);
    this.plain = this.#rect(ROW / 2 - 4, rows * ROW + ROW / 2 - 4, 8, 8);
    this.texture = new CanvasTexture(canvas);
    this.texture.minFilter = LinearMipmapLinearFilter;
    // Otherwise the transparent pixels around a label would darken its edge.
    this.texture.premultiplyAlpha = true;
  }

  /**
   * Writes a text into a row, in place of the old one. A long text is condensed.
   * @returns its place, and its width as a multiple of its height.
   */
  write(row: number, text: string): { readonly rect: SheetRect; readonly aspect: number } {
    const top = row * ROW + MARGIN;
    const height = ROW - 2 * MARGIN;
    const context = this.#context;
    let textWidth = 0;
    if (context !== null) {
      context.clearRect(0, row * ROW, this.#width, ROW);
      context.font = FONT;
      context.textBaseline = 'middle';
      textWidth = Math.min(this.#width - 2 * (PADDING + MARGIN), context.measureText(text).width);
      context.fillStyle = PAPER;
      context.beginPath();
      context.roundRect(MARGIN + 1, top + 1, textWidth + 2 * PADDING - 2, height - 2, height / 2);
      context.fill();
      context.strokeStyle = EDGE;
      context.lineWidth = EDGE_WIDTH;
      context.stroke();
      context.fillStyle = INK;
      context.fillText(text, MARGIN + PADDING, top + height * 0.53, textWidth);
    }
    this.texture.needsUpdate = true;
    const width = Math.ceil(textWidth + 2 * PADDING);
    return { rect: this.#rect(MARGIN, top, width, height), aspect: width / height };
  }

  dispose(): void {
    this.texture.dispose();
  }

  #rect(left: number, top: number, width: number, height: number): SheetRect {
    return [
      left / this.#width,
      1 - (top + height) / this.#height,
      width / this.#width,
      height / this.#height,
    ];
  }
}
