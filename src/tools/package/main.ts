import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build.ts';
import { reportFaces, REPORTS } from './report.ts';
import { BUDGETS, sizeOf } from './scripts.ts';

/**
 * `npm run build:package`: builds the package for other projects in dist-package, where `npm pack` packs it. Writes the
 * report of each face in docs/api, and prints its size.
 */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const OUT = join(ROOT, 'dist-package');

async function main(): Promise<void> {
  const faces = await buildPackage(ROOT, OUT);
  for (const [name, text] of reportFaces(OUT, faces)) writeFileSync(join(ROOT, REPORTS, `${name}.txt`), text);
  for (const face of faces) {
    const { minified, gzip } = await sizeOf(ROOT, face);
    console.log(`${face.subpath.padEnd(14)} ${kilobytes(minified)} minified, ${kilobytes(gzip)} gzipped`);
    if (gzip <= (BUDGETS[face.name] ?? Infinity)) continue;
    console.error(`${face.subpath} is over its budget: see BUDGETS in src/tools/package/scripts.ts.`);
    process.exitCode = 1;
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

await main();
