import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { FolderStore } from '../../../src/dedicated/snapshots/folder-store.ts';
import { MOST_CHARACTERS } from '../../../src/dedicated/snapshots/snapshot.ts';
import { temporaryFolder } from '../../server/folders.ts';
import { CODE } from './snapshot-of.ts';

const OTHER = 'FGHJK' as RoomCode;
const HOUR_MS = 3_600_000;

/** Gives a file an age. */
function age(path: string, name: string, hours: number): void {
  const at = Date.now() / 1000 - hours * 3600;
  utimesSync(join(path, name), at, at);
}

async function textsOf(store: FolderStore): Promise<(string | null)[]> {
  return (await store.load()).stored.map(({ text }) => text).sort();
}

describe('a folder of snapshots', () => {
  test('keeps the newest text of each room for its owner’s eyes, until the room is removed', async () => {
    const path = join(temporaryFolder(), 'rooms');
    const store = new FolderStore(path);
    expect(await store.load()).toEqual({ stored: [], left: 0, removed: 0 });
    expect(await store.codes()).toEqual([]);
    await store.save(CODE, 'first');
    await store.save(CODE, 'second');
    await store.save(OTHER, 'other');
    expect(await textsOf(store)).toEqual(['other', 'second']);
    expect([...(await store.codes())].sort()).toEqual([CODE, OTHER]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, `${CODE}.room.json`)).mode & 0o777).toBe(0o600);
    await store.remove(CODE);
    await store.remove(CODE);
    expect(await textsOf(store)).toEqual(['other']);
  });

  test('[N6.4] what was set aside is not loaded again, and goes when it is old, as does all else', async () => {
    const path = temporaryFolder();
    const store = new FolderStore(path, 10 * HOUR_MS);
    for (const code of [CODE, OTHER, 'ACDEG', 'ACDEH'] as RoomCode[]) await store.save(code, code);
    await store.setAside(CODE);
    writeFileSync(join(path, 'ACDEG.room.json.new'), 'half wri');
    writeFileSync(join(path, 'notes.txt'), 'of the operator');
    expect(await textsOf(store)).toEqual(['ACDEG', 'ACDEH', OTHER]);
    for (const name of readdirSync(path)) age(path, name, name.startsWith('ACDEH') ? 9 : 11);
    expect(await store.load()).toEqual({ stored: [{ code: 'ACDEH', text: 'ACDEH' }], left: 0, removed: 4 });
    expect(readdirSync(path).sort()).toEqual(['ACDEH.room.json', 'notes.txt']);
  });

  test('[N6.4] reads files of rooms alone, none that is too long, and not all of very many', async () => {
    const path = temporaryFolder({ 'secret.txt': 'of the operator' });
    mkdirSync(join(path, `${OTHER}.room.json`));
    symlinkSync(join(path, 'secret.txt'), join(path, 'ACDEG.room.json'));
    writeFileSync(join(path, 'acdeh.room.json'), 'a code in small letters');
    writeFileSync(join(path, `${CODE}.room.json`), 'x'.repeat(MOST_CHARACTERS + 1));
    const store = new FolderStore(path);
    expect(await store.load()).toEqual({ stored: [{ code: CODE, text: null }], left: 0, removed: 0 });
    const letters = 'ACDEFGHJKMNPQRTUVWXY';
    for (let i = 0; i < 300; i++) {
      const code = `M${letters[i % 20]}M${letters[Math.floor(i / 20)]}M`;
      writeFileSync(join(path, `${code}.room.json`), 'short');
      age(path, `${code}.room.json`, i);
    }
    const { stored, left } = await store.load();
    expect([stored.length, left]).toEqual([256, 45]);
    expect(stored.find(({ code }) => code === 'MAMAM')).toBeDefined();
    const full = Buffer.alloc(MOST_CHARACTERS, 120);
    for (let i = 0; i < 70; i++) {
      const code = `M${letters[i % 20]}M${letters[Math.floor(i / 20)]}M`;
      writeFileSync(join(path, `${code}.room.json`), full);
    }
    expect((await store.load()).stored.filter(({ text }) => text?.length === MOST_CHARACTERS)).toHaveLength(
      64,
    );
  });

  test('[N6.4] that is no folder, or is not to be read, has no rooms', async () => {
    const path = temporaryFolder({ file: 'no folder' });
    expect(await new FolderStore(join(path, 'file')).load()).toEqual({ stored: [], left: 0, removed: 0 });
    expect(await new FolderStore(join(path, 'file')).codes()).toEqual([]);
  });
});
