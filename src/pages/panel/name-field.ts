import { MAX_NAME_BYTES } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { decodeName, encodeName } from '../../core/base/text.ts';
import { nameOfSlot } from '../../view/slots.ts';
import { el, uniqueId } from './dom.ts';

/**
 * A field for a player's name, which is limited by its bytes on the wire.
 * @param onChange called when the player has finished a name.
 */
export function nameField(onChange: () => void): HTMLInputElement {
  const field = el('input', {
    id: uniqueId('name'),
    type: 'text',
    name: 'name',
    autocomplete: 'nickname',
    spellcheck: 'false',
    maxlength: String(MAX_NAME_BYTES),
  });
  const encoder = new TextEncoder();
  field.addEventListener('input', (event) => {
    const composing = event instanceof InputEvent && event.isComposing;
    if (composing || encoder.encode(field.value).length <= MAX_NAME_BYTES) return;
    field.value = decodeName(encodeName(field.value));
  });
  field.addEventListener('change', () => {
    field.value = decodeName(encodeName(field.value));
    onChange();
  });
  return field;
}

/** @returns what stands in the field while it is empty. */
export function placeholderFor(colour: Slot): string {
  return `Friends see “${nameOfSlot(colour)}”`;
}
