import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'networks.secret';
const FORM = /^[\da-f]{64}$/;

/**
 * Reads the secret by which networks are named in kept rooms, or makes one. It lies beside the rooms, because the names
 * must be the same when the server begins again. Never rejects.
 * @param folder of the kept rooms; null if none are kept.
 */
export async function founderSecret(folder: string | null): Promise<string> {
  const fresh = randomBytes(32).toString('hex');
  if (folder === null) return fresh;
  const path = join(folder, NAME);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (FORM.test(kept)) return kept;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, fresh, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    console.error(
      'The secret of kept rooms could not be written; networks count anew after a restart:',
      error,
    );
  }
  return fresh;
}
