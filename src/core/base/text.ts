import { MAX_NAME_BYTES } from './constants.ts';

/** A player's name as UTF-8, without control characters, cut to MAX_NAME_BYTES at a whole character. */
export function encodeName(name: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of name.replace(CONTROL, '').trim()) {
    const encoded = utf8(character);
    if (bytes.length + encoded.length > MAX_NAME_BYTES) break;
    bytes.push(...encoded);
  }
  return Uint8Array.from(bytes);
}

/** The name in these bytes; empty if they are not UTF-8. Control characters are left out. */
export function decodeName(bytes: Uint8Array): string {
  let escaped = '';
  for (const byte of bytes) escaped += '%' + byte.toString(16).padStart(2, '0');
  try {
    return decodeURIComponent(escaped).replace(CONTROL, '').trim();
  } catch {
    return '';
  }
}

/** Control and formatting characters (of direction, of width) and halves of pairs: no place in a name. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

function utf8(character: string): number[] {
  const escaped = encodeURIComponent(character);
  if (!escaped.startsWith('%')) return [character.charCodeAt(0)];
  return escaped
    .slice(1)
    .split('%')
    .map((hex) => parseInt(hex, 16));
}
