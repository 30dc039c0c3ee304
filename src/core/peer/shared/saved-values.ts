import type { EntryId } from '../../shared/layout.ts';
import { entryOf } from '../../shared/layout.ts';
import type { SavedEntry, SavedShared } from '../../wire/files/saved-shared.ts';
import type { SharedWorld } from './shared-world.ts';

/** [V4.4] The values of the room and of bodies that are not the initial ones, as copies. */
export function saveValues({ layout, store }: SharedWorld): SavedShared {
  const entries: SavedEntry[] = [];
  for (const group of layout.groups) {
    if (group.scope === 'player') continue;
    for (let i = 0; i < group.count; i++) {
      const entry = entryOf(group, i);
      if (store.has(entry, group.set.initial, 0)) continue;
      const from = layout.wordOf(entry);
      entries.push({ entry, words: store.words.slice(from, from + group.set.words) });
    }
  }
  return { schema: layout.schema.hash, entries };
}

/**
 * [V4.4] Writes saved values, after a reset. Those of another schema, or that the schema does not allow, do not count;
 * joints are the level's, and count under any schema.
 */
export function restoreValues({ layout, store }: SharedWorld, saved: SavedShared): void {
  const known = saved.schema === layout.schema.hash ? layout.entries : layout.joints;
  for (const { entry, words } of saved.entries) {
    if (entry >= known) continue;
    const { scope, set } = layout.groupOf(entry as EntryId);
    if (scope !== 'player' && set.allows(words)) store.write(entry as EntryId, words, 0);
  }
}
