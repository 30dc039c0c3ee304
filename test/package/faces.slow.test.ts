import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDeclarations } from '../../src/tools/package/declarations.ts';
import type { RepositoryManifest } from '../../src/tools/package/manifest.ts';
import { facesOf, TYPES } from '../../src/tools/package/manifest.ts';
import { reportFaces, REPORTS } from '../../src/tools/package/report.ts';
import { BUDGETS, sizeOf } from '../../src/tools/package/scripts.ts';

const ROOT = resolve('.');
const FOLDER = resolve('test/output/faces');
const faces = facesOf(JSON.parse(readFileSync('package.json', 'utf8')) as RepositoryManifest);

describe('the faces of the package', () => {
  let declarations: readonly string[] = [];
  beforeAll(() => {
    const sources = faces.map(({ source }) => source);
    declarations = writeDeclarations(ROOT, sources, join(FOLDER, TYPES));
  });
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  it('are what the committed reports say: `npm run build:package` writes them anew', () => {
    const reports = reportFaces(FOLDER, faces);
    expect([...reports.keys()]).toEqual(faces.map(({ name }) => name));
    for (const [name, text] of reports)
      expect(text, name).toBe(readFileSync(join(REPORTS, `${name}.txt`), 'utf8'));
  });

  it('show nothing of what is marked as internal', () => {
    expect(declarations).toContain('core/peer/peer.d.ts');
    expect(readFileSync(join(FOLDER, TYPES, 'core/peer/peer.d.ts'), 'utf8')).not.toContain('readonly state');
  });

  it('name no engine, and no three.js: any version fits; but for /react', () => {
    const others = declarations.filter((path) => !path.startsWith('react/'));
    const packages = others.flatMap((path) => {
      const text = readFileSync(join(FOLDER, TYPES, path), 'utf8');
      return [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name);
    });
    expect([...new Set(packages)]).toEqual(['peerjs']);
  });
});

describe('the size of a face', () => {
  it.each(faces.filter(({ name }) => name in BUDGETS))('is within its budget: $name', async (face) => {
    const { gzip } = await sizeOf(ROOT, face);
    expect(gzip).toBeLessThan(BUDGETS[face.name]);
    expect(gzip, 'the measure measures').toBeGreaterThan(BUDGETS[face.name] / 2);
  });
});
