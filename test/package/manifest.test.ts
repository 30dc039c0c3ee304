import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RepositoryManifest } from '../../src/tools/package/manifest.ts';
import { facesOf, packedManifest, typesOf } from '../../src/tools/package/manifest.ts';

const repository = JSON.parse(readFileSync('package.json', 'utf8')) as RepositoryManifest;

describe('the package.json of the package', () => {
  const packed = packedManifest(repository);

  it('installs nothing by itself: what a subpath needs is an optional peer', () => {
    expect(packed).not.toHaveProperty('dependencies');
    expect(packed).not.toHaveProperty('devDependencies');
    expect(packed).not.toHaveProperty('private');
    expect(packed).not.toHaveProperty('scripts');
    expect(Object.keys(packed.peerDependenciesMeta)).toEqual(Object.keys(packed.peerDependencies));
    for (const name of ['peerjs', 'node-datachannel', 'ws'])
      expect(packed.peerDependencies[name], name).toBe(repository.dependencies[name]);
  });

  it('has each face of the repository, with types and a script', () => {
    expect(facesOf(repository).every(({ source }) => existsSync(source))).toBe(true);
    expect(packed.exports['.']).toEqual({ types: './types/core/index.d.ts', default: './lib/core.js' });
    expect(Object.keys(packed.exports)).toEqual([...Object.keys(repository.exports), './package.json']);
  });

  it('names declarations by their sources', () => {
    const face = { subpath: './a', name: 'a', source: 'src/b/c.ts' };
    expect(typesOf(face)).toBe('types/b/c.d.ts');
  });
});
