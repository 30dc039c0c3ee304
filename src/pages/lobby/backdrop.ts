import './styles/backdrop.css';
import type { Slot } from '../../core/base/ids.ts';
import { MARK_BOX, slotLook, WHITE } from '../../view/slots.ts';

/**
 * The picture behind the lobby: a few cubes as in the world, drawn as SVG, so that nothing has to be loaded.
 */

export type Backdrop = {
  readonly element: HTMLElement;
  /** Gives the player's cube this colour and mark. */
  show(colour: Slot): void;
};

/** Position of a cube: along the two floor axes, then the height. The unit is the edge of a cube. */
type Place = readonly [x: number, z: number, y: number];

const SVG = 'http://www.w3.org/2000/svg';
/** Pixels: the edge of a cube, and its horizontal extent when seen along a space diagonal. */
const EDGE = 64;
const ACROSS = EDGE * 0.866;
const HALF = EDGE / 2;

type Cube = { readonly at: Place; readonly slot: Slot | 'white' | 'yours' };

/** Far cubes first: near cubes are painted over them. */
const SCATTERED: readonly Cube[] = [
  { at: [-1.3, -1.5, 0], slot: 'white' },
  { at: [1.4, -1.6, 0], slot: 1 as Slot },
  { at: [-1.5, 0.9, 0], slot: 'white' },
  { at: [0.2, 0.1, 0], slot: 'white' },
  { at: [0.26, 0.05, 1], slot: 'white' },
  { at: [1.6, 0.5, 0], slot: 'white' },
  { at: [0.3, 2, 0], slot: 'white' },
];
const STACKED: readonly Cube[] = [
  { at: [-1.6, -0.6, 0], slot: 'white' },
  { at: [0, 0, 0], slot: 'white' },
  { at: [0.03, 0.02, 1], slot: 'white' },
  { at: [-0.03, 0.01, 2], slot: 'yours' },
  { at: [1.35, -0.3, 0], slot: 'white' },
  { at: [-0.5, 1.6, 0], slot: 2 as Slot },
];

/** Creates the picture; the caller adds its element to the page. */
export function createBackdrop(): Backdrop {
  const marks = [markOn('left'), markOn('right')];
  const scattered = group('scattered', SCATTERED, []);
  const stacked = group('stacked', STACKED, marks);
  const element = document.createElement('div');
  element.className = 'backdrop';
  element.setAttribute('aria-hidden', 'true');
  element.append(scattered, stacked);
  return {
    element,
    show(colour) {
      const { colour: css, mark } = slotLook(colour);
      element.style.setProperty('--yours', css);
      for (const path of marks) path.setAttribute('d', mark.path);
    },
  };
}

function group(name: string, cubes: readonly Cube[], marks: readonly SVGPathElement[]): SVGSVGElement {
  const shadows = cubes.filter(({ at }) => at[2] === 0).map(({ at }) => shadow(at));
  const drawn = cubes.map(({ at, slot }) => {
    if (slot === 'yours') return cube(at, 'var(--yours)', marks);
    return cube(at, slot === 'white' ? WHITE : slotLook(slot).colour, []);
  });
  return svg(
    'svg',
    { class: name, viewBox: '-240 -230 480 460' },
    grid(),
    svg('g', { class: 'shadows' }, ...shadows),
    ...drawn,
  );
}

/** Returns the upper front corner of a cube in picture coordinates. */
function cornerOf([x, z, y]: Place): readonly [number, number] {
  return [(x - z) * ACROSS, (x + z) * HALF - y * EDGE];
}

/** Draws three faces with different brightness; the strokes make the corners round. */
function cube(at: Place, colour: string, marks: readonly SVGPathElement[]): SVGGElement {
  const [x, y] = cornerOf(at);
  const face = (name: string, d: string): SVGPathElement => svg('path', { class: name, d });
  return svg(
    'g',
    { class: 'cube', transform: `translate(${x} ${y})`, style: `--colour:${colour}` },
    face('outline', `M0 ${-EDGE}L${ACROSS} ${-HALF}V${HALF}L0 ${EDGE}L${-ACROSS} ${HALF}V${-HALF}z`),
    face('left', `M${-ACROSS} ${-HALF}L0 0V${EDGE}L${-ACROSS} ${HALF}z`),
    face('right', `M${ACROSS} ${-HALF}L0 0V${EDGE}L${ACROSS} ${HALF}z`),
    face('top', `M0 ${-EDGE}L${ACROSS} ${-HALF}L0 0L${-ACROSS} ${-HALF}z`),
    face('edges', `M${-ACROSS} ${-HALF}L0 0L${ACROSS} ${-HALF}M0 0V${EDGE}`),
    ...marks,
  );
}

/** Creates a mark in the middle half of a face. */
function markOn(side: 'left' | 'right'): SVGPathElement {
  const unit = 1 / (2 * MARK_BOX);
  const sign = side === 'left' ? 1 : -1;
  const x = side === 'left' ? -0.75 * ACROSS : 0.25 * ACROSS;
  const y = side === 'left' ? -0.375 * EDGE + EDGE / 4 : 0.125 * -EDGE + EDGE / 4;
  const matrix = [ACROSS * unit, sign * HALF * unit, 0, EDGE * unit, x, y].join(' ');
  return svg('path', { class: 'mark', transform: `matrix(${matrix})`, 'fill-rule': 'evenodd' });
}

/** The shadow of a cube, on the floor to its right. */
function shadow(at: Place): SVGPathElement {
  const [x, y] = cornerOf(at);
  const d = `M${x - ACROSS} ${y + HALF}L${x} ${y + EDGE}L${x + 1.5 * ACROSS} ${y + 0.25 * EDGE}L${x + 0.5 * ACROSS} ${y - 0.25 * EDGE}z`;
  return svg('path', { d });
}

/** The floor's lines, two edges apart; the style sheet fades them out. */
function grid(): SVGPathElement {
  const lines = [-5, -3, -1, 1, 3, 5].flatMap((at) =>
    [
      [cornerOf([at, -6, -1]), cornerOf([at, 6, -1])],
      [cornerOf([-6, at, -1]), cornerOf([6, at, -1])],
    ].map(([from, to]) => `M${from.join(' ')}L${to.join(' ')}`),
  );
  return svg('path', { class: 'grid', d: lines.join('') });
}

function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: Node[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
