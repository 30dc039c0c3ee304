/** A few lines in place of a framework: they create elements from tag, attributes and children. */

const SVG = 'http://www.w3.org/2000/svg';

/** `true` sets an attribute without a value, `false` leaves it out. */
export type Attributes = Readonly<Record<string, string | boolean>>;

/** Creates an element with its attributes and children. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/**
 * Returns an SVG of one path in a square of `box` units, filled with `colour`. Screen readers do not see it.
 */
export function svgPath(path: string, box: number, colour: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${box} ${box}`);
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  shape.setAttribute('fill', colour);
  shape.setAttribute('fill-rule', 'evenodd');
  svg.append(shape);
  return svg;
}

/** Writes a text only if it differs: ten updates per second then cost no layout and keep a selection. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let lastId = 0;
/** Returns an id that no other element has, so that a label can point to its control. */
export function uniqueId(prefix: string): string {
  lastId++;
  return `${prefix}-${lastId}`;
}
