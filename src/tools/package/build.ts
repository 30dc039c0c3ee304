import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import type { Face, RepositoryManifest } from './manifest.ts';
import { DOCUMENTS, facesOf, LIB, packedManifest, README, TYPES } from './manifest.ts';
import { packedReadme } from './readme.ts';
import { bundleScripts } from './scripts.ts';

/**
 * Builds the package for other projects, as `npm pack` packs it.
 * @param root the repository.
 * @param out the folder, which is emptied.
 * @returns its faces.
 */
export async function buildPackage(root: string, out: string): Promise<Face[]> {
  const repository = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RepositoryManifest;
  const faces = facesOf(repository);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const sources = faces.map(({ source }) => source);
  writeDeclarations(root, sources, join(out, TYPES));
  for (const { path, text } of await bundleScripts(root, faces)) {
    const file = join(out, LIB, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(packedManifest(repository), null, 2)}\n`);
  for (const name of DOCUMENTS) copyFileSync(join(root, name), join(out, name));
  const [readme, library] = ['README.md', 'docs/library.md'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  writeFileSync(join(out, README), packedReadme(readme, library));
  return faces;
}
