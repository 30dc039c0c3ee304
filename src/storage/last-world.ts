import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../core/wire/files/saved-world.ts';

/** A browser keeps one world: the last one that its player hosted. All tabs share it. */

const DATABASE = 'handover';
const STORE = 'worlds';
const KEY = 'last';

/** The database, opened once. Null if this browser keeps nothing, as in some private windows. */
let database: Promise<IDBDatabase | null> | undefined;

function openDatabase(): Promise<IDBDatabase | null> {
  database ??= new Promise<IDBDatabase | null>((resolve) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
    opening.onblocked = () => resolve(null);
  }).catch(() => null);
  return database;
}

/** Returns the last world; null if there is none, or if it can't be read. Never rejects. */
export async function loadLastWorld(): Promise<SavedWorld | null> {
  const opened = await openDatabase();
  if (opened === null) return null;
  const file = await new Promise<unknown>((resolve) => {
    const reading: IDBRequest<unknown> = opened.transaction(STORE).objectStore(STORE).get(KEY);
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => resolve(null);
  }).catch(() => null);
  const world = file instanceof Uint8Array ? readWorldFile(file) : 'damaged';
  return typeof world === 'string' ? null : world;
}

/**
 * Replaces the last world. A page that is being closed may call it: if the database is open already, the
 * world is still written, although the page does not see the result.
 * @returns false if the browser refused. Never rejects.
 */
export async function saveLastWorld(world: SavedWorld): Promise<boolean> {
  const file = writeWorldFile(world);
  const opened = await openDatabase();
  if (opened === null) return false;
  return new Promise<boolean>((resolve) => {
    const writing = opened.transaction(STORE, 'readwrite');
    writing.oncomplete = () => resolve(true);
    writing.onabort = () => resolve(false);
    writing.objectStore(STORE).put(file, KEY);
    writing.commit();
  }).catch(() => false);
}
