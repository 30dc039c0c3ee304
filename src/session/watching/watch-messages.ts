import type { Slot } from '../../core/base/ids.ts';
import { parseFields, readSlot, whole } from '../../core/room/fields.ts';
import { MAX_WATCHERS, PROTOCOL_VERSION, readLevelReference } from '../../core/room/messages.ts';
import type { LevelReference } from '../../core/world/level-reference.ts';

/** The texts that a server sends to watchers, as JSON. Watchers send none. */

/** [N5.4] A world begins: the first text, and again when the room has another level. The next bundle begins with a keyframe. */
export type WatchBegin = {
  readonly kind: 'begin';
  /** [W1] */
  readonly version: number;
  readonly host: Slot;
  readonly level: LevelReference;
};

/** Every text to a watcher. */
export type WatchMessage =
  | WatchBegin
  /** How many watch the room. */
  | { readonly kind: 'watchers'; readonly count: number };

/** @returns the text by which a world begins. */
export function writeBegin(begin: Omit<WatchBegin, 'kind' | 'version'>): string {
  return JSON.stringify({ kind: 'begin', version: PROTOCOL_VERSION, ...begin } satisfies WatchBegin);
}

/** @returns the text that says how many watch. */
export function writeWatchers(count: number): string {
  return JSON.stringify({ kind: 'watchers', count } satisfies WatchMessage);
}

/** Reads a text, and checks every part of it; null if it makes no sense. Never throws. */
export function readWatchMessage(text: string): WatchMessage | null {
  const fields = parseFields(text);
  if (fields?.kind === 'watchers') {
    const count = whole(fields.count, 0, MAX_WATCHERS);
    return count === null ? null : { kind: 'watchers', count };
  }
  if (fields?.kind !== 'begin') return null;
  const version = whole(fields.version, 0, 0xffff);
  const host = readSlot(fields.host);
  const level = readLevelReference(fields.level);
  if (version === null || host === null || level === null) return null;
  return { kind: 'begin', version, host, level };
}
