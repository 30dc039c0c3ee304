import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import { MOST_CHARACTERS } from './snapshot.ts';
import type { Loaded, SnapshotStore, Stored } from './snapshot-store.ts';

const ENDING = '.room.json';
/** Endings of files that are half written, and of those that could not be read. */
const NEW_ENDING = `${ENDING}.new`;
const ASIDE_ENDING = `${ENDING}.unreadable`;

/** Names in the folder that are looked at: a folder of something else is not read through. */
const MOST_NAMES = 4096;
/** Files that are read: those of four servers with as many rooms as one may have. */
const MOST_FILES = 256;
/** Bytes that are read: those of 64 rooms with the longest snapshots. */
const MOST_BYTES = 64 * MOST_CHARACTERS;

/** A file in the folder. */
type Found = { readonly name: string; readonly bytes: number; readonly writtenMs: number };

/** Keeps each room in a file of a folder. The files have keys, so nobody but the server's user may read them. */
export class FolderStore implements SnapshotStore {
  readonly isShared = false;
  readonly #path: string;
  readonly #keepMs: number;

  /**
   * @param path of the folder; it is made when something is saved. One server at a time uses it.
   * @param keepMs milliseconds after which a file that nobody has written again is removed when the folder is read.
   */
  constructor(path: string, keepMs = Infinity) {
    this.#path = path;
    this.#keepMs = keepMs;
  }

  async save(code: RoomCode, text: string): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(code);
    const before = join(this.#path, code + NEW_ENDING);
    // A file that is replaced as a whole is never half written.
    await writeFile(before, text, { mode: 0o600 });
    await rename(before, path);
  }

  async remove(code: RoomCode): Promise<void> {
    await rm(this.#pathOf(code), { force: true });
  }

  async setAside(code: RoomCode): Promise<void> {
    await rename(this.#pathOf(code), join(this.#path, code + ASIDE_ENDING));
  }

  /** The codes of the rooms in it, by the names of their files; empty if the folder can't be read. Never rejects. */
  async codes(): Promise<readonly RoomCode[]> {
    return (await this.#names()).flatMap((name) => codeIn(name) ?? []);
  }

  /** Never rejects: a folder that is not there has no rooms. */
  async load(): Promise<Loaded> {
    const found = (await Promise.all((await this.#names()).map((name) => this.#find(name)))).flat();
    const isOld = ({ writtenMs }: Found): boolean => Date.now() - writtenMs > this.#keepMs;
    const removed = await Promise.all(found.filter(isOld).map(({ name }) => this.#tidy(name)));
    const rooms = found.filter((file) => !isOld(file) && codeIn(file.name) !== null);
    // The newest count: somebody may be in them still.
    rooms.sort((a, b) => b.writtenMs - a.writtenMs);
    const stored: Stored[] = [];
    let bytes = 0;
    for (const file of rooms.slice(0, MOST_FILES)) {
      const code = codeIn(file.name);
      if (code === null || bytes + Math.min(file.bytes, MOST_CHARACTERS) > MOST_BYTES) continue;
      const text = file.bytes > MOST_CHARACTERS ? null : await this.#read(file.name);
      bytes += text?.length ?? 0;
      stored.push({ code, text });
    }
    return { stored, left: rooms.length - stored.length, removed: removed.filter(Boolean).length };
  }

  /** Names of files that are a store's; empty if the folder can't be read. */
  async #names(): Promise<string[]> {
    const names: string[] = [];
    try {
      let looked = 0;
      for await (const entry of await opendir(this.#path)) {
        if (++looked > MOST_NAMES) break;
        if (entry.isFile() && isOfStore(entry.name)) names.push(entry.name);
      }
    } catch {
      // What was found until then counts.
    }
    return names;
  }

  async #find(name: string): Promise<Found[]> {
    try {
      const { size, mtimeMs } = await stat(join(this.#path, name));
      return [{ name, bytes: size, writtenMs: mtimeMs }];
    } catch {
      return [];
    }
  }

  /** @returns true if the file is removed. */
  #tidy(name: string): Promise<boolean> {
    return rm(join(this.#path, name), { force: true }).then(
      () => true,
      () => false,
    );
  }

  #read(name: string): Promise<string | null> {
    return readFile(join(this.#path, name), 'utf8').catch(() => null);
  }

  #pathOf(code: RoomCode): string {
    return join(this.#path, code + ENDING);
  }
}

/** @returns the code of the room whose file has this name; null for any other name. */
function codeIn(name: string): RoomCode | null {
  const code = readRoomCode(name.slice(0, -ENDING.length));
  return code !== null && code + ENDING === name ? code : null;
}

/** True for a room's file, a half-written one, and one that was set aside. */
function isOfStore(name: string): boolean {
  if (codeIn(name) !== null) return true;
  return [NEW_ENDING, ASIDE_ENDING].some(
    (ending) => name.endsWith(ending) && codeIn(name.slice(0, -ending.length) + ENDING) !== null,
  );
}
