import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../core/wire/files/saved-world.ts';

/** The one world that a browser keeps: the last that somebody played in as a host. In all tabs it is the same. */

const DATABASE = 'handover';
const STORE = 'worlds';
const KEY = 'last';

/** Null: this browser keeps nothing, as in some private windows. It is asked once. */
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

/** The world that is kept; null if there is none, or none that can be read. Never rejects. */
export async function loadKeptWorld(): Promise<SavedWorld | null> {
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
 * Keeps a world in the place of the last one. A page that is about to go may call it: what was asked for once
 * before is written, though nobody is told any more. False if the browser refused; never rejects.
 */
export async function keepWorld(world: SavedWorld): Promise<boolean> {
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
