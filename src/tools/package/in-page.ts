import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { build } from 'vite';

/** The rows of docs/sizes.md that are this package's: what a page imports, and the packages that it needs besides. */
export const OWN = [
  { title: 'Handover, the core', imports: 'handover', needs: [] },
  { title: 'Handover, a room in a page', imports: 'handover/room', needs: ['peerjs'] },
] as const;

/** A number of bytes as the table has it, in thousands. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

/** Engines and renderers, which every project of this kind has already: they are not counted in a page. */
const NOT_COUNTED = /^(?:three|aframe|@dimforge\/[^/]+)(?:\/|$)/;

/**
 * Bytes of everything that a page loads before it runs, minified and gzipped; null if it can't be bundled.
 * @param folder of the project; an entry is written there.
 * @param imports the module that the page imports.
 */
export async function inPage(folder: string, imports: string): Promise<number | null> {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, `import * as all from '${imports}';\nglobalThis.all = all;\n`);
  try {
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      publicDir: false,
      build: {
        write: false,
        target: 'es2023',
        rolldownOptions: {
          input: entry,
          external: (id: string, from = entry) => NOT_COUNTED.test(id) || isAbsent(id, from),
        },
      },
    });
    return 'output' in built ? loadedAtOnce(built.output) : null;
  } catch {
    return null;
  }
}

/**
 * True for a package that is not installed: an optional one, which a page loads only if it wants it.
 * @param from the path of the file that imports it.
 */
function isAbsent(id: string, from: string): boolean {
  const [name] = /^(?:@[\w.-]+\/)?[a-z][\w.-]*/.exec(id) ?? [];
  if (name === undefined || !isAbsolute(from)) return false;
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return !folders.some((folder) => existsSync(join(folder, name)));
}

/** The entry and what it imports, and so on; what is imported later is not counted. */
function loadedAtOnce(output: Rolldown.RolldownOutput['output']): number {
  const chunks = new Map(
    output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const loaded = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded)
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined) loaded.add(chunk);
    }
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}
