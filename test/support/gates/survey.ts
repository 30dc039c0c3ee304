import { posix } from 'node:path';
import ts from 'typescript-6';
import type { Source } from './source.ts';
import { importsOf, lineOf, target, visit } from './source.ts';

/** Measures of the project's structure and language, from its sources alone. */

/** The module of a path: `core/wire` for a file below src/core/wire, `view` for one below src/view. */
export function moduleOf(path: string): string {
  const [, first, second, third] = path.split('/');
  if (first === 'core') return third === undefined ? 'core' : `core/${second}`;
  return first;
}

/** TypeScript files that lie directly in each folder, by folder. */
export function folderSizes(paths: readonly string[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const path of paths.filter((p) => p.endsWith('.ts'))) {
    const folder = posix.dirname(path);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return sizes;
}

/** A directed graph: for each node the nodes that it points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Which file imports which, imports of types included. */
export function fileGraph(sources: readonly Source[]): Graph {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map((source) => {
      const targets = importsOf(source).map(({ from }) => target(source.path, from));
      return [source.path, new Set(targets.filter((to): to is string => to !== undefined && paths.has(to)))];
    }),
  );
}

/** Which module imports which, imports of types included; a module does not import itself. */
export function moduleGraph(sources: readonly Source[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [path, targets] of fileGraph(sources)) {
    const from = moduleOf(path);
    const to = graph.get(from) ?? new Set();
    graph.set(from, to);
    for (const file of targets) if (moduleOf(file) !== from) to.add(moduleOf(file));
  }
  return graph;
}

/** The groups of nodes that lead to one another (Tarjan 1972), each sorted; none in a graph without circles. */
export function circles(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const connect = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) connect(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1 || graph.get(node)?.has(node) === true) found.push(group.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) connect(node);
  return found;
}

/** The edges of a graph without circles that no longer path replaces: its transitive reduction. */
export function reduced(graph: Graph): [string, string][] {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const edges: [string, string][] = [];
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const isReplaced = [...targets].some((other) => other !== to && reaches(other, to));
      if (!isReplaced) edges.push([from, to]);
    }
  }
  return edges.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The modules of src and their imports as a Mermaid flowchart, without edges that follow from others. */
export function modulePicture(sources: readonly Source[]): string {
  const edges = reduced(moduleGraph(sources)).map(([from, to]) => `  ${from} --> ${to}`);
  return ['flowchart TD', ...edges].join('\n');
}

/** A comment, its lines joined and its signs removed. */
export type Comment = { readonly path: string; readonly line: number; readonly text: string };

/** All comments of a file; `//` lines that follow one another count as one. */
export function commentsOf(source: Source): Comment[] {
  const ranges = new Map<number, ts.CommentRange>();
  visit(source.ast, (node) => {
    const before = ts.getLeadingCommentRanges(source.text, node.pos) ?? [];
    const after = ts.getTrailingCommentRanges(source.text, node.end) ?? [];
    for (const range of [...before, ...after]) ranges.set(range.pos, range);
  });
  const comments: (Comment & { readonly end: number })[] = [];
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = source.text.slice(range.pos, range.end).replace(/^\s*(\/\*+|\*\/|\*|\/\/)|\*\/$/gm, ' ');
    const line = source.ast.getLineAndCharacterOfPosition(range.pos).line + 1;
    const last = comments.at(-1);
    const goesOn = last !== undefined && /^\s*$/.test(source.text.slice(last.end, range.pos));
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const joined = goesOn && isLine && source.text.startsWith('//', last.end - 2) === false;
    const words = text.replace(/\s+/g, ' ').trim();
    if (joined && source.text.slice(last.end, range.pos).split('\n').length === 2)
      comments[comments.length - 1] = { ...last, text: `${last.text} ${words}`, end: range.end };
    else comments.push({ path: source.path, line, text: words, end: range.end });
  }
  return comments.map(({ path, line, text }) => ({ path, line, text }));
}

/** Words of a text. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

const RIDDLE = /^(?:\[[A-Z0-9.]+\],? )*(Of|Whose|Whom|Who|What|That which|As those|Where in)\b/;

/** Comments that begin with a clause in place of a subject; `path:line text` for each. */
export function riddles(sources: readonly Source[]): string[] {
  return sources
    .flatMap(commentsOf)
    .filter(({ text }) => RIDDLE.test(text))
    .map(({ path, line, text }) => `${path}:${line} ${text.slice(0, 80)}`);
}

/** Exported functions and classes without a docstring; `path:line name` for each. */
export function undocumented(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.ast.statements
      .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
      .filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true)
      .filter((node) => ts.getJSDocCommentsAndTags(node).length === 0)
      .map((node) => `${source.path}:${lineOf(source, node)} ${node.name?.text ?? 'default'}`),
  );
}
