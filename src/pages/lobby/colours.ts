import './colours.css';
import type { Slot } from '../../core/base/ids.ts';
import { FIRST_LOOKS } from '../../view/slots.ts';
import { slotBadge } from '../panel/slot-badge.ts';
import { el, setText, uniqueId } from '../panel/dom.ts';

export type Colours = {
  readonly element: HTMLElement;
  read(): Slot;
  show(colour: Slot): void;
  /** @param ownerOf who has a colour, so that it can't be chosen; null for nobody. */
  offer(ownerOf: (colour: Slot) => string | null): void;
};

/**
 * The choice of a colour: real radio buttons under the badges, so that arrow keys and screen readers work.
 * @param onChange called when the player chooses another colour, not by `show`.
 */
export function createColours(onChange: (colour: Slot) => void): Colours {
  const group = uniqueId('colour');
  const chosen = el('b');
  const radios = FIRST_LOOKS.map(({ name, mark }, slot) =>
    el('input', { type: 'radio', name: group, value: String(slot), 'aria-label': `${name}, ${mark.name}` }),
  );
  const read = (): Slot =>
    Math.max(
      0,
      radios.findIndex((radio) => radio.checked),
    ) as Slot;
  const showName = (): void => setText(chosen, FIRST_LOOKS[read()].name);
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      showName();
      onChange(read());
    });
  }
  const choices = radios.map((radio, slot) =>
    el('label', { title: FIRST_LOOKS[slot].name }, radio, slotBadge(slot as Slot)),
  );
  return {
    element: el(
      'fieldset',
      { class: 'colours' },
      el('legend', {}, 'Your colour: ', chosen),
      el('div', {}, ...choices),
    ),
    read,
    show(colour) {
      radios[colour].checked = true;
      showName();
    },
    offer(ownerOf) {
      radios.forEach((radio, slot) => {
        const owner = ownerOf(slot as Slot);
        radio.disabled = owner !== null;
        const { name } = FIRST_LOOKS[slot];
        const title = owner === null ? name : `${name}: ${owner} has it`;
        if (choices[slot].title !== title) choices[slot].title = title;
      });
    },
  };
}
