import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  clauseFaults,
  clausesOf,
  definedMarks,
  testedMarks,
  unknownMarks,
} from './support/gates/protocol-gates.ts';
import { parse, readTree } from './support/gates/source.ts';

/** PROTOCOL.md in atomic clauses: each is short, has its own number, and is quoted by a test. */

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readTree(root);
const protocol = files.find(({ path }) => path === 'src/core/PROTOCOL.md')?.text ?? '';
const clauses = clausesOf(protocol);
const OWN_PATH = 'test/protocol.test.ts';

/** Clauses that no program can judge. docs/headset-checklist.md has a person try them. */
const CHECKED_BY_PEOPLE: readonly string[] = [];

describe('PROTOCOL.md', () => {
  test('has clauses for every letter', () => {
    expect(new Set(clauses.map(({ mark }) => mark[0]))).toEqual(new Set('AHBIJKVEWTRGFPSN'));
  });

  test('has short clauses, numbered without a gap', () => {
    expect(clauseFaults(clauses)).toEqual([]);
  });

  test('defines every mark that code and tests quote', () => {
    const quoting = files.filter(({ path }) => /^(src|test)\/.*\.(ts|md)$/.test(path) && path !== OWN_PATH);
    expect(unknownMarks(quoting, definedMarks(protocol))).toEqual([]);
  });

  test('has no clause that no test quotes, but for those that only a person can check', () => {
    const tests = files.filter(({ path }) => /^test\/.*\.ts$/.test(path) && path !== OWN_PATH);
    const tested = testedMarks(tests.map(({ path, text }) => parse(path, text)));
    const untested = clauses.map(({ mark }) => mark).filter((mark) => !tested.has(mark));
    expect(untested).toEqual(CHECKED_BY_PEOPLE);
  });
});

describe('the gates of PROTOCOL.md', () => {
  const sample = [
    '### [A1] Ownership sequences',
    '- **[A1.1]** A claim with a newer sequence is accepted.',
    `- **[A1.3]** ${'word '.repeat(61).trim()}`,
    '- **[I1]** All agree, as [A9.2] says.',
  ].join('\n');

  test('find groups, clauses and invariants, and nothing that is only quoted', () => {
    expect([...definedMarks(sample)].sort()).toEqual(['A1', 'A1.1', 'A1.3', 'I1']);
  });

  test('catch a long clause and a gap', () => {
    expect(clauseFaults(clausesOf(sample))).toEqual(['[A1.3] has 61 words', '[A1.3] is out of sequence']);
  });

  test('catch a mark without a definition', () => {
    const files = [{ path: 'src/x.ts', text: '// [A1.1]\n// [A1.2] [A1]' }];
    expect(unknownMarks(files, definedMarks(sample))).toEqual(['src/x.ts:2 [A1.2]']);
  });

  test('read marks from strings, not from comments', () => {
    const source = parse(
      'test/x.test.ts',
      "test('[A1.1] newer', () => {}); // [A2.1]\ntest(`[A3.1] $" + '{x}`);',
    );
    expect([...testedMarks([source])]).toEqual(['A1.1', 'A3.1']);
  });
});
