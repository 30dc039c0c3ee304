/** The browser's database of this site; all tabs share it. */

const DATABASE = 'handover';
/** Version 1 had worlds only, version 2 no recordings. */
const VERSION = 3;
/**
 * `worlds`: the last worlds that the player hosted, one of each origin. `keys`: the keys of pages. `recordings`: the last
 * one made here.
 */
const STORES = ['worlds', 'keys', 'recordings'] as const;
/** One of STORES. */
export type StoreName = (typeof STORES)[number];

/** The database, opened once. Null if this browser keeps nothing, as in some private windows. */
let database: Promise<IDBDatabase | null> | undefined;

function openDatabase(): Promise<IDBDatabase | null> {
  database ??= new Promise<IDBDatabase | null>((resolve) => {
    const opening = indexedDB.open(DATABASE, VERSION);
    opening.onupgradeneeded = () => {
      const { result } = opening;
      for (const name of STORES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name);
    };
    opening.onsuccess = () => {
      // A tab with a newer version of this page must not wait for this one.
      opening.result.onversionchange = () => opening.result.close();
      resolve(opening.result);
    };
    opening.onerror = () => resolve(null);
    opening.onblocked = () => resolve(null);
  }).catch(() => null);
  return database;
}

/** @returns what is kept under a key; undefined if there is nothing, or it can't be read. Never rejects. */
export async function readKept(name: StoreName, key: string): Promise<unknown> {
  const opened = await openDatabase();
  if (opened === null) return undefined;
  return new Promise<unknown>((resolve) => {
    const reading: IDBRequest<unknown> = opened.transaction(name).objectStore(name).get(key);
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => resolve(undefined);
  }).catch(() => undefined);
}

/**
 * Keeps a value under a key, instead of the one before. A page that is being closed may call it: if the database is
 * open already, the value is still written, although the page does not see the result.
 * @param isStale every other value of the store for which it is true is deleted; null: none is looked at.
 * @returns false if the browser refused. Never rejects.
 */
export async function keep(
  name: StoreName,
  key: string,
  value: unknown,
  isStale: ((value: unknown) => boolean) | null = null,
): Promise<boolean> {
  const opened = await openDatabase();
  if (opened === null) return false;
  return new Promise<boolean>((resolve) => {
    const writing = opened.transaction(name, 'readwrite');
    writing.oncomplete = () => resolve(true);
    writing.onabort = () => resolve(false);
    const store = writing.objectStore(name);
    store.put(value, key);
    if (isStale === null) writing.commit();
    else deleteStale(store, key, isStale);
  }).catch(() => false);
}

function deleteStale(store: IDBObjectStore, except: string, isStale: (value: unknown) => boolean): void {
  const walking = store.openCursor();
  walking.onsuccess = () => {
    const cursor = walking.result;
    if (cursor === null) return;
    if (cursor.key !== except && isStale(cursor.value)) cursor.delete();
    cursor.continue();
  };
}
