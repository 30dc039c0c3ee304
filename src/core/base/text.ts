import { MAX_NAME_BYTES } from './constants.ts';

/**
 * A name as UTF-8: without unseen characters and outer spaces, cut after the last character that fits
 * MAX_NAME_BYTES.
 */
export function encodeName(name: string): Uint8Array {
  return encodeText(name, MAX_NAME_BYTES);
}

/** The same for any short text, of at most so many bytes. */
export function encodeText(text: string, most: number): Uint8Array {
  const bytes: number[] = [];
  for (const character of seen(text)) {
    const encoded = utf8(character);
    if (bytes.length + encoded.length > most) break;
    bytes.push(...encoded);
  }
  return Uint8Array.from(bytes);
}

/** The name in these bytes, as `decodeText` reads them. */
export function decodeName(bytes: Uint8Array): string {
  return decodeText(bytes);
}

/** The text in these bytes, without unseen characters and outer spaces; empty if the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  let escaped = '';
  for (const byte of bytes) escaped += '%' + byte.toString(16).padStart(2, '0');
  try {
    return seen(decodeURIComponent(escaped));
  } catch {
    return '';
  }
}

/**
 * Characters that a name does not keep: control and formatting characters (direction, width), lone surrogates, and
 * letters that are drawn as nothing, with which a name would look empty. The first group, which is kept, is an emoji
 * with U+FE0F, which has it drawn as a picture.
 */
const UNSEEN = /(\p{Emoji}\uFE0F)|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function seen(text: string): string {
  return text.replace(UNSEEN, '$1').trim();
}

function utf8(character: string): number[] {
  const escaped = encodeURIComponent(character);
  if (!escaped.startsWith('%')) return [character.charCodeAt(0)];
  return escaped
    .slice(1)
    .split('%')
    .map((hex) => parseInt(hex, 16));
}
