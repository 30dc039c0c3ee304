import type { Manifest } from 'vite';
import { describe, expect, test } from 'vitest';
import { BUDGETS, describeWeights, pageWeights } from '../../src/tools/page-weight.ts';

const ROOM = 'src/pages/room/entry.ts';

const BUILDS = ['rapier3d-compat', 'rapier3d-simd-compat'].map(
  (name) => `node_modules/@dimforge/${name}/dist/rapier.mjs`,
);

/**
 * The page imports the modules that it shares with the room. Later the room imports sound and one of two
 * engines.
 */
const manifest: Manifest = {
  'index.html': {
    file: 'index.js',
    isEntry: true,
    css: ['index.css'],
    imports: ['_shared.js'],
    dynamicImports: [ROOM, 'src/pages/loopback/entry.ts'],
  },
  '_shared.js': { file: 'shared.js' },
  [ROOM]: {
    file: 'room.js',
    isDynamicEntry: true,
    css: ['room.css'],
    imports: ['index.html', '_shared.js', '_engine.js'],
    dynamicImports: ['sound.ts'],
  },
  '_engine.js': { file: 'engine.js', dynamicImports: BUILDS },
  [BUILDS[0]]: { file: 'plain.js', isDynamicEntry: true },
  [BUILDS[1]]: { file: 'simd.js', isDynamicEntry: true },
  'sound.ts': { file: 'sound.js', isDynamicEntry: true, imports: ['_shared.js'] },
  'src/pages/loopback/entry.ts': { file: 'loopback.js', isDynamicEntry: true, imports: ['_engine.js'] },
};

/** A digit for each file, so that each sum names its files. */
const GZIP: Readonly<Record<string, number>> = {
  'index.html': 1,
  'index.js': 10,
  'index.css': 100,
  'shared.js': 1000,
  'room.js': 10_000,
  'room.css': 100_000,
  'engine.js': 1_000_000,
  'sound.js': 10_000_000,
  'plain.js': 100_000_000,
  'simd.js': 1_000_000_000,
  'loopback.js': 10_000_000_000,
};

describe('the weight of the pages', () => {
  test('counts each file once, and for the room what it imports later, one engine, and no other doors', () => {
    const weights = pageWeights(manifest, (file) => ({ raw: 3 * GZIP[file], gzip: GZIP[file] }));
    expect(weights).toEqual({
      lobby: { raw: 3333, gzip: 1111 },
      play: { raw: 333_333_333, gzip: 111_111_111 },
    });
  });

  test('is not guessed for a build without the page or the room', () => {
    const roomless = { ...manifest, [ROOM]: undefined as never };
    expect(() => pageWeights(roomless, () => ({ raw: 1, gzip: 1 }))).toThrow(ROOM);
    expect(() => pageWeights({}, () => ({ raw: 1, gzip: 1 }))).toThrow('index.html');
  });

  test('over the budget is told', () => {
    const light = { raw: 5, gzip: BUDGETS.lobby };
    const heavy = { raw: 5, gzip: BUDGETS.lobby + 1 };
    expect(describeWeights({ lobby: light, play: light }).overweight).toEqual([]);
    const { lines, overweight } = describeWeights({ lobby: heavy, play: heavy });
    expect(overweight).toEqual(['The lobby is over its budget: see BUDGETS in src/tools/page-weight.ts.']);
    expect(lines[0]).toContain(`lobby  0.0 kB, ${BUDGETS.lobby / 1000}.0 kB gzipped`);
  });
});
