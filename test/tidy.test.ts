import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  MAX_FILE_LINES,
  MAX_FUNCTION_LINES,
  bannedCalls,
  deadFiles,
  focusedTests,
  longFiles,
  longFunctions,
  machineTraces,
  silencedChecks,
  unknownImports,
  unusedExports,
  wrongImports,
} from './support/gates/gates.ts';
import type { Source, TextFile } from './support/gates/source.ts';
import { parse, readTree, sourcesAmong } from './support/gates/source.ts';

/**
 * The house kept tidy. Each gate is tested twice: on the project, and on a sample that it must catch; the
 * samples of forbidden words are put together here, so that they don't offend themselves.
 */

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const files = readTree(root);
const sources = sourcesAmong(files);
const inSrc = sources.filter(({ path }) => path.startsWith('src/'));
const configs = sources.filter(({ path }) => !path.includes('/'));
const inTest = sources.filter(({ path }) => path.startsWith('test/'));

function textOf(path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

type Manifest = {
  readonly exports: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const faces = [
  'src/core/index.ts',
  ...Object.values(manifest.exports).map((path) => path.replace(/^\.\//, '')),
];

/** Where the project begins: what a page, a script, another project or a tool's configuration opens. */
const roots = [
  ...faces,
  ...[...Object.values(manifest.scripts), textOf('vitest.config.ts'), textOf('index.html')].flatMap((text) =>
    [...text.matchAll(/\b(?:src|test)\/[\w./-]+\.\w+/g)].map(([path]) => path),
  ),
  ...configs.map(({ path }) => path),
];

/** One line for each offender, so that a failure reads as a list. */
function expectNone(offenders: readonly string[]): void {
  expect(offenders.join('\n')).toBe('');
}

/** A sample file in a tree of its own. */
function sample(path: string, text: string): Source[] {
  return [parse(path, text)];
}

describe('rooms', () => {
  test('import only what their line of the table allows', () => {
    expect(inSrc.length).toBeGreaterThan(0);
    expectNone(wrongImports(inSrc));
  });

  test.each([
    ['core', 'src/core/peer/x.ts', "import { a } from '../../view/a.ts';"],
    ['core, of packages', 'src/core/peer/x.ts', "import { Vector3 } from 'three';"],
    ['core, of node', 'src/core/peer/x.ts', "import { readFileSync } from 'node:fs';"],
    ['world', 'src/core/world/x.ts', "import { a } from '../wire/a.ts';"],
    ['world, of types', 'src/core/world/x.ts', "import type { A } from '../link/a.ts';"],
    ['world, inline', 'src/core/world/x.ts', "export let a: import('../hands/a.ts').A;"],
    ['hands', 'src/core/hands/x.ts', "export { a } from '../link/a.ts';"],
    ['wire', 'src/core/wire/x.ts', "export * from '../peer/a.ts';"],
    ['link', 'src/core/link/x.ts', "const a = await import('../world/a.ts');"],
    ['physics', 'src/physics/x.ts', "import { a } from '../core/peer/a.ts';"],
    ['dedicated', 'src/dedicated/x.ts', "import { a } from '../pages/a.ts';"],
    ['pages, of node’s WebRTC', 'src/pages/x.ts', "import { PeerConnection } from 'node-datachannel';"],
    ['session', 'src/session/x.ts', "import { a } from '../pages/a.ts';"],
    ['transport', 'src/transport/x.ts', "import '../physics/a.ts';"],
    ['view', 'src/view/x.ts', "import { a } from '../transport/a.ts';"],
    ['sound', 'src/sound/x.ts', "import { a } from '../input/a.ts';"],
    ['lab', 'src/lab/x.ts', "new Worker(new URL('../pages/a.ts', import.meta.url));"],
    ['hand-motion', 'src/hand-motion/x.ts', "import { a } from '../core/wire/a.ts';"],
    ['view, of the engine', 'src/view/x.ts', "import R from '@dimforge/rapier3d-compat';"],
    ['pages, of three', 'src/pages/x.ts', "import { XRButton } from 'three/addons/webxr/XRButton.js';"],
    ['pages, of node', 'src/pages/x.ts', "import { join } from 'node:path';"],
    ['view, of what cannot be read', 'src/view/x.ts', 'await import(name);'],
  ])('a wrong import is caught: %s', (_, path, text) => {
    expect(wrongImports(sample(path, text))).toHaveLength(1);
  });

  test('a wrong import through the index is caught, a right one is not', () => {
    const index = parse(
      'src/core/index.ts',
      "export { Bits } from './wire/bits.ts'; export { vector } from './base/math.ts';",
    );
    const wrong = parse('src/physics/a.ts', "import { Bits } from '../core/index.ts';");
    const right = parse('src/physics/b.ts', "import { vector } from '../core/index.ts';");
    expect(wrongImports([index, wrong, right])).toEqual(['src/physics/a.ts:1 imports src/core/wire/bits.ts']);
  });

  test('imports name files as they are, and declared packages', () => {
    const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    // The site of documents is a project of its own, which checks its types when it is built.
    const ours = sources.filter(({ path }) => !path.startsWith('docs/site/'));
    expectNone(unknownImports(ours, new Set(files.map((f) => f.path)), new Set(packages)));
  });

  test.each(["import { a } from './a';", "import { a } from 'left-pad';"])(
    'a lost import is caught: %s',
    (text) => {
      const found = unknownImports(sample('src/x.ts', text), new Set(['src/a.ts']), new Set(['three']));
      expect(found).toHaveLength(1);
    },
  );
});

describe('core', () => {
  test('calls no clock, timer, chance or DOM, and wire nothing inexact; hand-motion neither', () => {
    expectNone(bannedCalls(sources));
  });

  test.each([
    ['core/link', 'const t = Date.now();'],
    ['core/link', 'const t = performance.now();'],
    ['core/link', 'const r = Math.random();'],
    ['core/link', 'const { random: r, fround } = Math;'],
    ['core/link', 'const r = Math[name]();'],
    ['core/link', 'setTimeout(f, 1);'],
    ['core/link', 'document.title;'],
    ['core/link', 'const w = { window };'],
    ['core/wire', 'const l = Math.hypot(1, 2);'],
    ['core/wire', 'const s = [1].map(Math.sin);'],
    ['core/wire', 'const p = x ** 0.5;'],
    ['hand-motion', 'const s = Math.sin(1);'],
    ['hand-motion', 'const r = Math.random();'],
  ])('a banned call is caught: %s %s', (room, text) => {
    expect(bannedCalls(sample(`src/${room}/x.ts`, text))).toHaveLength(1);
  });

  test.each([
    ['core/link', 'function at(performance: number) { return performance; }'],
    ['core/link', 'type Row = { Date: string }; export const read = (row: Row) => row.Date;'],
    ['core/world', 'const c = Math.cos(1);'],
    ['core/wire', 'const { fround } = Math;'],
    ['core/wire', 'const p = Math.sqrt(2 ** 3) + Math.fround(Math.PI);'],
    ['view', 'const t = performance.now() + Math.random();'],
  ])('a right call is not: %s %s', (room, text) => {
    expectNone(bannedCalls(sample(`src/${room}/x.ts`, text)));
  });

  test('inexact mathematics that wire imports is caught', () => {
    const math = parse(
      'src/core/base/math.ts',
      'const s = (a: number) => Math.sin(a); export function turn() { return s(1); } export const one = 1;',
    );
    const wire = parse('src/core/wire/x.ts', "import { one, turn } from '../base/math.ts';");
    expect(bannedCalls([math, wire])).toEqual([
      'src/core/wire/x.ts:1 uses turn, which is not exact across engines',
    ]);
  });
});

describe('dead code', () => {
  test('every file of src is reached from a page, a script or a public face', () => {
    // The recipes are for operators; test/server/recipes tries them out.
    const code = files.filter(({ path }) =>
      /^src\/(?!server\/recipes\/).*(?<!\.md|\/tsconfig\.json)$/.test(path),
    );
    expectNone(deadFiles(code, inSrc.concat(configs), roots));
  });

  test('every file of test is reached from a test or a script', () => {
    const tests = inTest.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
    expectNone(deadFiles(inTest, sources, [...roots, ...tests]));
  });

  test('a file that nothing reaches is caught', () => {
    const dead: TextFile[] = [
      parse('src/a.ts', "import './b.ts';"),
      parse('src/b.ts', ''),
      parse('src/c.ts', ''),
    ];
    expect(deadFiles(dead, [parse('src/a.ts', "import './b.ts';")], ['src/a.ts'])).toEqual(['src/c.ts']);
  });

  test('every exported name is needed', () => {
    expectNone(unusedExports(sources, faces));
  });

  test('an export that nothing needs is caught', () => {
    const a = parse('src/a.ts', 'export const used = 1; export const idle = 2; export type Idle = 3;');
    const b = parse(
      'src/b.ts',
      'export const own = 1; export const tested = own; const x = tested; export type T = 1; let t: T;',
    );
    const user = parse('src/main.ts', "import { used } from './a.ts'; import { own } from './b.ts';");
    const test_ = parse(
      'test/b.test.ts',
      "import { idle } from '../src/a.ts'; import { tested } from '../src/b.ts';",
    );
    expect(unusedExports([a, b, user, test_], [])).toEqual([
      'src/a.ts:1 exports idle',
      'src/a.ts:1 exports Idle',
    ]);
    expect(unusedExports([a, b, user, test_], ['src/a.ts'])).toEqual([]);
  });
});

describe('size', () => {
  test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
    expectNone(longFiles(sources));
  });

  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    expectNone(longFunctions(sources));
  });

  test('what is too long is caught', () => {
    const lines = (count: number): string => 'f();\n'.repeat(count);
    expect(longFiles(sample('src/x.ts', lines(400)))).toEqual([]);
    expect(longFiles(sample('src/x.ts', lines(401)))).toEqual(['src/x.ts:1 has 401 lines']);
    expect(longFunctions(sample('src/x.ts', `function g() {\n${lines(68)}}`))).toEqual([]);
    expect(longFunctions(sample('src/x.ts', `function g() {\n${lines(69)}}`))).toEqual([
      'src/x.ts:1 g has 71 lines',
    ]);
    expect(
      longFunctions(sample('test/x.ts', `describe('x', () => {\n${lines(99)}test('y', f);\n});`)),
    ).toEqual([]);
    expect(longFunctions(sample('test/x.ts', `test('x', () => {\n${lines(99)}});`))).toHaveLength(1);
  });
});

describe('words', () => {
  test('no check is silenced without a reason', () => {
    expectNone(silencedChecks(sources));
  });

  test.each([
    'let a: a' + 'ny;',
    '// @ts-' + 'ignore',
    '// @ts-' + 'nocheck',
    '// @ts-' + 'expect-error',
    '/* eslint-' + 'disable no-var */',
    '/* oxlint-' + 'disable no-var */',
  ])('a silenced check is caught: %s', (text) => {
    expect(silencedChecks(sample('src/x.ts', text))).toHaveLength(1);
  });

  test('a reason is enough', () => {
    expectNone(
      silencedChecks(sample('src/x.ts', '// eslint-' + 'disable-next-line no-var -- the page needs it')),
    );
  });

  test('no test runs alone', () => {
    expectNone(focusedTests(inTest));
    expect(
      focusedTests(sample('test/x.test.ts', "describe.only('x', f); test.only.each([1])('y', f);")),
    ).toHaveLength(2);
  });

  test("nobody's machine and no package registry is named", () => {
    expectNone(machineTraces(files, root));
  });

  test.each([
    '/' + 'home/ada/handover/x.ts',
    '"/' + 'Users/ada/x"',
    'C:' + '\\Users\\ada',
    'file:///' + 'tmp/x',
    '/srv/checkout/x',
    'https://' + 'registry.example.org/three',
    'https://' + 'registry.npmjs.org/three',
  ])('a trace of a machine is caught: %s', (text) => {
    expect(machineTraces([{ path: 'README.md', text }], '/srv/checkout')).toHaveLength(1);
  });

  test('paths that every machine has, and what npm writes, are not traces', () => {
    const readme = { path: 'README.md', text: '/usr/bin/chromium src/work/x.ts https://host/tmp/x' };
    const lock = { path: 'package-lock.json', text: '"https://' + 'registry.npmjs.org/three"' };
    expectNone(machineTraces([readme, lock], '/srv/checkout'));
  });
});
