import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import { wrongNotices } from './notices.ts';
import { describeWeights, pageWeights } from './page-weight.ts';

/**
 * The second half of `npm run build`: compresses the built files, so that the server need not at each request,
 * and fails if a page got too heavy, or if a licence is missing.
 */

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.wasm', '.glb']);
/** Brotli's quality, of 11. The last two take several times as long for two per cent. */
const BROTLI_QUALITY = 9;

/** Compresses only files with a hash in their name: others may be edited where they are served. */
function compressAssets(): void {
  const folder = join(DIST, 'assets');
  for (const name of readdirSync(folder).filter((file) => COMPRESSIBLE.has(extname(file)))) {
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
  }
}

compressAssets();
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest;
const { lines, overweight } = describeWeights(
  pageWeights(manifest, (file) => {
    const content = readFileSync(join(DIST, file));
    return { raw: content.length, gzip: gzipSync(content, { level: 9 }).length };
  }),
);
process.stdout.write(`${lines.join('\n')}\n`);
const faults = [...overweight, ...wrongNotices(readFileSync(join(DIST, 'third-party-notices.md'), 'utf8'))];
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
