import type { AddingState } from '../../room/bodies/adding.ts';
import { describeOut } from '../../room/menu/menu-add.ts';
import type { Rect } from './panel-boxes.ts';
import { button, columns, rect, text } from './panel-boxes.ts';
import type { WristBox } from './wrist-layout.ts';
import { LABEL, PAGE } from './wrist-layout.ts';

/** Buttons in a row, and units of height from one row to the next. */
const ACROSS = 2;
const ROW = 68;

/** Returns the page that adds bodies, and removes those of the player. */
export function addPage(adding: AddingState): WristBox[] {
  const { x, y, width, height } = PAGE;
  const { names, out } = adding;
  const rows = Math.ceil(names.length / ACROSS);
  const places = Array.from({ length: rows }, (_, row) =>
    columns(rect(x, y + 36 + row * ROW, width, ROW - 10), ACROSS, 10),
  ).flat();
  const [last, all] = columns(rect(x, y + height - 60, width, 56), 2, 10);
  const remove = (place: Rect, label: string, kind: 'remove last' | 'remove all'): WristBox =>
    button(place, { label, look: 'plain', size: 22, action: out === 0 ? null : { kind } });
  return [
    text(rect(x + 4, y, width - 8, 30), describeOut(adding), LABEL),
    ...names.map((name, i): WristBox =>
      button(places[i], { label: name, look: 'plain', action: { kind: 'add', body: i } }),
    ),
    remove(last, 'Remove last', 'remove last'),
    remove(all, 'Remove all', 'remove all'),
  ];
}
