import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { build } from 'vite';
import type { Face } from './manifest.ts';

/** Everything that a project installs by itself: packages, and modules of Node. */
const EXTERNAL = /^[^./]/;

/**
 * The most bytes of a face, minified and gzipped: its present size and a little more. The aim of the core is 45,000.
 */
export const BUDGETS: Readonly<Record<string, number>> = {
  core: 85_400,
  rapier: 15_500,
  three: 1_500,
  room: 133_700,
  react: 135_300,
  node: 130_100,
};

type Bundle = Rolldown.RolldownOutput['output'];

async function bundle(
  root: string,
  entries: Readonly<Record<string, string>>,
  minify: boolean,
): Promise<Bundle> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      sourcemap: !minify,
      minify: false,
      rolldownOptions: {
        input: { ...entries },
        external: (id: string) => EXTERNAL.test(id) && !id.startsWith(root),
        preserveEntrySignatures: 'strict',
        output: {
          format: 'es',
          minify,
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
        },
      },
    },
  });
  if (!('output' in built)) throw new Error('Vite has built something else than one bundle.');
  return built.output;
}

/** A file of the package's scripts: its path among them, and its text. */
export type ScriptFile = { readonly path: string; readonly text: string };

/** The scripts of all faces, as ES modules that share what they have in common, with source maps. */
export async function bundleScripts(root: string, faces: readonly Face[]): Promise<ScriptFile[]> {
  const entries = Object.fromEntries(faces.map(({ name, source }) => [name, source]));
  return (await bundle(root, entries, false)).map((file) => ({
    path: file.fileName,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }));
}

/** Bytes of a face as a page loads it: one script with everything that it imports, but no packages. */
export type FaceSize = { readonly minified: number; readonly gzip: number };

/** Measures a face. */
export async function sizeOf(root: string, { name, source }: Face): Promise<FaceSize> {
  const files = await bundle(root, { [name]: source }, true);
  const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
  return { minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length };
}
