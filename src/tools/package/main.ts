import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDeclarations } from './declarations.ts';
import type { RepositoryManifest } from './manifest.ts';
import { DOCUMENTS, facesOf, LIB, packedManifest, README, TYPES } from './manifest.ts';
import { packedReadme } from './readme.ts';
import { reportFaces, REPORTS } from './report.ts';
import { bundleScripts, sizeOf } from './scripts.ts';

/**
 * `npm run build:package`: builds the package for other projects in dist-package, where `npm pack` packs it. Writes the
 * report of each face in docs/api, and prints its size.
 */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const OUT = join(ROOT, 'dist-package');

async function main(): Promise<void> {
  const repository = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as RepositoryManifest;
  const faces = facesOf(repository);
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const sources = faces.map(({ source }) => source);
  const declarations = writeDeclarations(ROOT, sources, join(OUT, TYPES));
  for (const { path, text } of await bundleScripts(ROOT, faces)) {
    const file = join(OUT, LIB, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(packedManifest(repository), null, 2)}\n`);
  for (const name of DOCUMENTS) copyFileSync(join(ROOT, name), join(OUT, name));
  const [readme, library] = ['README.md', 'docs/library.md'].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  writeFileSync(join(OUT, README), packedReadme(readme, library));
  for (const [name, text] of reportFaces(OUT, faces)) writeFileSync(join(ROOT, REPORTS, `${name}.txt`), text);
  console.log(`${faces.length} subpaths, ${declarations.length} declarations, in dist-package.`);
  for (const face of faces) {
    const { minified, gzip } = await sizeOf(ROOT, face);
    console.log(`${face.subpath.padEnd(14)} ${kilobytes(minified)} minified, ${kilobytes(gzip)} gzipped`);
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

await main();
