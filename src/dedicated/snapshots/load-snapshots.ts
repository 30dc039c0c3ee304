import type { LevelSource } from '../../core/world/level-reference.ts';
import type { RoomSnapshot } from './snapshot.ts';
import { readSnapshot } from './snapshot.ts';
import type { SnapshotStore, Wanted } from './snapshot-store.ts';

/** The rooms that a store has. */
export type KeptRooms = {
  readonly snapshots: readonly RoomSnapshot[];
  /** False if the store could not be read at all. */
  readonly isRead: boolean;
  /** Snapshots that could not be read, and those that could not be removed or set aside. */
  readonly unreadable: number;
  /** A line for the operator; empty if all that was there goes on. */
  readonly news: string;
};

/**
 * [N6.4] Reads the snapshots of a store. Those that are too old are removed, and those that can't be read are set aside:
 * they would be read again and again. Never rejects.
 */
export async function loadSnapshots(
  store: SnapshotStore,
  wanted: Wanted,
  levels: LevelSource,
  isTooOld: (snapshot: RoomSnapshot) => boolean,
): Promise<KeptRooms> {
  const loaded = await store.load(wanted).catch(() => null);
  if (loaded === null) {
    return { snapshots: [], isRead: false, unreadable: 1, news: 'The kept rooms could not be read.' };
  }
  const snapshots: RoomSnapshot[] = [];
  let { removed } = loaded;
  let [aside, failed] = [0, 0];
  for (const { code, text } of loaded.stored) {
    const snapshot = text === null ? null : readSnapshot(text, levels);
    const isUsable = snapshot !== null && snapshot.code === code;
    if (isUsable && !isTooOld(snapshot)) snapshots.push(snapshot);
    else {
      const tidied = await (isUsable ? store.remove(code) : store.setAside(code)).then(
        () => true,
        () => false,
      );
      if (!tidied) failed++;
      if (isUsable) removed++;
      else aside++;
    }
  }
  const news = newsOf({
    'too old, removed': removed,
    'unreadable, set aside': aside,
    'more than are read': loaded.left,
    'could not be removed or set aside': failed,
  });
  return {
    snapshots,
    isRead: true,
    unreadable: aside + failed,
    news: news && `Kept rooms: ${snapshots.length} read, ${news}.`,
  };
}

/** @returns the counts that are not zero, with their words. */
function newsOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([words, count]) => `${count} ${words}`).join(', ');
}
