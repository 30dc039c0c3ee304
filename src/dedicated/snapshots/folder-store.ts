import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import type { SnapshotStore } from './snapshot-store.ts';

const ENDING = '.room.json';

/** Keeps each room in a file of a folder. The files have keys, so nobody but the server's user may read them. */
export class FolderStore implements SnapshotStore {
  readonly #path: string;

  /** @param path of the folder; it is made when something is saved. One server at a time uses it. */
  constructor(path: string) {
    this.#path = path;
  }

  async save(code: RoomCode, text: string): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(code);
    // A file that is replaced as a whole is never half written.
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async remove(code: RoomCode): Promise<void> {
    await rm(this.#pathOf(code), { force: true });
  }

  /** The codes of all rooms in it, by the names of their files; empty if the folder can't be read. */
  async codes(): Promise<readonly RoomCode[]> {
    const names = await readdir(this.#path).catch(() => []);
    return names.flatMap((name) => {
      const code = name.endsWith(ENDING) ? readRoomCode(name.slice(0, -ENDING.length)) : null;
      return code !== null && code + ENDING === name ? [code] : [];
    });
  }

  async load(): Promise<readonly string[]> {
    const names = await readdir(this.#path).catch(() => []);
    const files = names.filter((name) => name.endsWith(ENDING));
    return Promise.all(files.map((name) => readFile(join(this.#path, name), 'utf8')));
  }

  #pathOf(code: RoomCode): string {
    return join(this.#path, code + ENDING);
  }
}
