/** The shared parts of the plots: colours, type, numbers and round steps. */

/** Colours that can be told apart on white and on black, also by people who are colour-blind. */
const COLOURS = ['#2f7ed8', '#e08214', '#35a06b', '#b35cc4', '#c9474f', '#8a8f98', '#b39b1e', '#3aa6b9'];

/** For light and dark, by the reader's choice. */
export const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 15px; font-weight: 600; }
.soft { fill: #59636e; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.line { stroke: #8a8f98; stroke-opacity: 0.35; }
.mark { stroke: #1f2328; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .soft { fill: #9198a1; }
  .mark { stroke: #e6edf3; }
}
</style>`;

/** The 1, 2 or 5 of some power of ten that is at or above a value. */
export function niceStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((n) => n * power >= value) ?? 10) * power;
}

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length];
}

/** A line of text at a place in pixels; nothing where there are no words. `kind` are classes of STYLE. */
export function text(x: number, y: number, words: string, kind: string): string {
  const style = kind === '' ? '' : ` class="${kind}"`;
  return words === '' ? '' : `<text x="${x}" y="${y}"${style}>${escape(words)}</text>`;
}

/** Three digits are enough to compare by. */
export function number(value: number): string {
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
}

/** Pixels, to a tenth. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
