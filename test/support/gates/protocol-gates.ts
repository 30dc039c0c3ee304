import ts from 'typescript-6';
import type { Source, TextFile } from './source.ts';
import { visit } from './source.ts';

/** A clause of PROTOCOL.md: `A9.2` and its text, or an invariant such as `I3`. */
export type Clause = { readonly mark: string; readonly words: number };

/** Words in the longest clause that PROTOCOL.md may have. */
export const MAX_CLAUSE_WORDS = 60;

const GROUP = /^### \[([A-Z]\d{1,2})\]/gm;
const CLAUSE = /^- \*\*\[([A-Z]\d{1,2}(?:\.\d{1,2})?)\]\*\* (.*)$/gm;
const MARK = /\[([ABEFGHIJKNPRSTVW]\d{1,2}(?:\.\d{1,2})?)\]/g;

/** The clauses of PROTOCOL.md, in its order. */
export function clausesOf(protocol: string): Clause[] {
  return [...protocol.matchAll(CLAUSE)].map(([, mark, text]) => ({ mark, words: text.split(/\s+/).length }));
}

/** The marks that code may quote: groups, clauses and invariants. */
export function definedMarks(protocol: string): Set<string> {
  const groups = [...protocol.matchAll(GROUP)].map(([, mark]) => mark);
  return new Set([...groups, ...clausesOf(protocol).map(({ mark }) => mark)]);
}

/** Clauses that are too long, out of sequence in their group, or defined twice; one line for each. */
export function clauseFaults(clauses: readonly Clause[]): string[] {
  const faults: string[] = [];
  const last = new Map<string, number>();
  for (const { mark, words } of clauses) {
    if (words > MAX_CLAUSE_WORDS) faults.push(`[${mark}] has ${words} words`);
    const [group, number] = mark.includes('.') ? mark.split('.') : [mark[0], mark.slice(1)];
    if (Number(number) !== (last.get(group) ?? 0) + 1) faults.push(`[${mark}] is out of sequence`);
    last.set(group, Number(number));
  }
  return faults;
}

/** Marks that files quote but PROTOCOL.md does not define; `path:line [mark]` for each. */
export function unknownMarks(files: readonly TextFile[], defined: ReadonlySet<string>): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        [...line.matchAll(MARK)]
          .filter(([, mark]) => !defined.has(mark))
          .map(([mark]) => `${path}:${i + 1} ${mark}`),
      ),
  );
}

/** The marks in the strings of test files: test names, and the tables that names are made of. */
export function testedMarks(sources: readonly Source[]): Set<string> {
  const marks = new Set<string>();
  for (const source of sources) {
    visit(source.ast, (node) => {
      const string =
        ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
      if (string) for (const [, mark] of node.text.matchAll(MARK)) marks.add(mark);
    });
  }
  return marks;
}
