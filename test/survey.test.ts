import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, readTree, sourcesAmong } from './support/gates/source.ts';
import {
  circles,
  commentsOf,
  fileGraph,
  folderSizes,
  moduleGraph,
  modulePicture,
  reduced,
  riddles,
  undocumented,
} from './support/gates/survey.ts';

/** The measures that `npm run survey` prints, held; each is tested on a sample that it must catch. */

/** Files that a folder may hold: `ls` is to explain it. */
const MOST_FILES = 14;

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readTree(root);
const sources = sourcesAmong(files);
const inSrc = sources.filter(({ path }) => path.startsWith('src/'));

/** One line for each offender, so that a failure reads as a list. */
function expectNone(offenders: readonly string[]): void {
  expect(offenders.join('\n')).toBe('');
}

describe('structure', () => {
  test(`no folder of src holds more than ${MOST_FILES} files`, () => {
    const crowded = [...folderSizes(inSrc.map(({ path }) => path))].filter(([, count]) => count > MOST_FILES);
    expectNone(crowded.map(([folder, count]) => `${folder}: ${count}`));
  });

  test('no files and no modules import each other in a circle', () => {
    expectNone(circles(fileGraph(inSrc)).map((group) => group.join(' ')));
    expectNone(circles(moduleGraph(inSrc)).map((group) => group.join(' ')));
  });

  test("ARCHITECTURE.md's picture of the modules is the code's own", () => {
    const architecture = files.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';
    const drawn = /```mermaid\n([\s\S]*?)\n```/.exec(architecture)?.[1];
    expect(drawn, 'npm run survey -- --write draws it').toBe(modulePicture(inSrc));
  });

  test('a circle is caught, of types too', () => {
    const a = parse('src/a.ts', "import type { B } from './b.ts';");
    const b = parse('src/b.ts', "import { c } from './c.ts';");
    const c = parse('src/c.ts', "import { a } from './a.ts';");
    expect(circles(fileGraph([a, b, c]))).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']]);
    expect(circles(fileGraph([a, b]))).toEqual([]);
  });

  test('an edge that follows from others is not drawn', () => {
    const graph = new Map([
      ['a', new Set(['b', 'c'])],
      ['b', new Set(['c'])],
      ['c', new Set<string>()],
    ]);
    expect(reduced(graph)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });
});

describe('language', () => {
  test('no comment begins with a clause in place of its subject', () => {
    expectNone(riddles(sources));
  });

  test('every exported function and class of core has a docstring', () => {
    expectNone(undocumented(inSrc.filter(({ path }) => path.startsWith('src/core/'))));
  });

  test('a riddle is caught, in a comment of either kind, after a mark too', () => {
    const text =
      '// Of a body the flags.\nf();\n/** [A9] Whose hand it is. */\ng();\n// The hand. What it holds.\n';
    expect(riddles([parse('src/x.ts', text)])).toHaveLength(2);
  });

  test('lines of one comment are read together', () => {
    const [comment] = commentsOf(parse('src/x.ts', '// One\n// two\nf(); // three\n'));
    expect(comment.text).toBe('One two');
  });

  test('a function without a docstring is caught', () => {
    const text =
      'export function a() {}\n/** B. */\nexport function b() {}\nfunction c() {}\nexport class D {}\n';
    expect(undocumented([parse('src/x.ts', text)])).toEqual(['src/x.ts:1 a', 'src/x.ts:5 D']);
  });
});
