import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inPage, OWN } from '../../src/tools/package/in-page.ts';
import type { RepositoryManifest } from '../../src/tools/package/manifest.ts';
import { facesOf } from '../../src/tools/package/manifest.ts';

const PAGE = readFileSync('docs/sizes.md', 'utf8');
const faces = facesOf(JSON.parse(readFileSync('package.json', 'utf8')) as RepositoryManifest);
/** Shares of a size: the page is measured on the packed file, and this on the sources. */
const TOLERANCE = 0.02;

test.each(OWN)('docs/sizes.md has the present size of “$title”, or `npm run sizes` must run', async (own) => {
  const [, told] = new RegExp(`^\\| ${own.title} \\|.* (\\d+) kB \\|$`, 'm').exec(PAGE) ?? [];
  const face = faces.find(({ subpath }) => subpath.replace('.', 'handover') === own.imports);
  if (face === undefined) throw new Error(`The package has no ${own.imports}.`);
  mkdirSync('test/output', { recursive: true });
  const folder = resolve(mkdtempSync('test/output/sizes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const gzip = await inPage(folder, `../../../${face.source}`);
  expect(Number(told) * 1000).toBeGreaterThan((gzip ?? NaN) * (1 - TOLERANCE));
  expect(Number(told) * 1000).toBeLessThan((gzip ?? NaN) * (1 + TOLERANCE));
});
