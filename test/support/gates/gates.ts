import ts from 'typescript-6';
import bans from './core-bans.json' with { type: 'json' };
import type { Import, Source, TextFile } from './source.ts';
import {
  declaredBy,
  declaredIn,
  exportsOf,
  importsOf,
  isValueUse,
  lineOf,
  packageOf,
  target,
  visit,
} from './source.ts';

/**
 * The rules that keep the house as it is drawn. Each gate takes files and returns one line for each
 * offender, `path:line what`; none means that the rule holds.
 */

/** The modules that a module may not import, directly or through src/core/index.ts. */
const NEVER: readonly (readonly [room: string, never: readonly string[]])[] = [
  ['core/world', ['core/hands', 'core/wire', 'core/link']],
  ['core/hands', ['core/wire', 'core/link']],
  ['core/wire', ['core/link', 'core/peer']],
  ['core/link', ['core/world', 'core/wire']],
  ['core/room', ['core/hands', 'core/wire', 'core/link', 'core/peer']],
  ['physics', ['core/wire', 'core/link', 'core/hands', 'core/peer', 'view']],
  [
    'cluster',
    [
      'core/peer',
      'core/wire',
      'core/world',
      'session',
      'transport',
      'physics',
      'dedicated',
      'server',
      'pages',
    ],
  ],
  ['dedicated', ['input', 'view', 'sound', 'storage', 'pages', 'server']],
  ['session', ['physics', 'levels', 'input', 'view', 'sound', 'storage', 'pages']],
  ['room', ['levels', 'input', 'view', 'sound', 'pages', 'server', 'dedicated', 'bots', 'harness']],
  ['transport', ['core/world', 'core/wire', 'physics', 'view']],
  ['view', ['transport', 'physics', 'input']],
  ['levels', ['core/hands', 'core/wire', 'core/link', 'core/room', 'core/peer', 'physics', 'view', 'pages']],
  ['sound', ['transport', 'physics', 'input']],
  ['storage', ['transport', 'physics', 'view', 'sound', 'pages']],
  ['server', ['transport/webrtc', 'physics', 'input', 'view', 'sound', 'storage', 'pages']],
  ['lab', ['view', 'pages']],
  ['hand-motion', ['core/world', 'core/hands', 'core/wire', 'core/peer', 'physics', 'pages', 'tools']],
];

/** The rooms that may import a package. What is not listed here, any room but core may import. */
const PACKAGE_ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['@dimforge/rapier3d-compat', ['physics']],
  ['@dimforge/rapier3d-simd-compat', ['physics']],
  ['@dimforge/rapier3d-deterministic-compat', ['physics']],
  ['peerjs', ['transport']],
  ['peer', ['server']],
  ['express', ['server']],
  ['ws', ['server', 'transport/node']],
  ['node-datachannel', ['transport/node']],
  ['selfsigned', ['server']],
  ['sirv', ['server']],
  ['pino', ['server']],
  ['prom-client', ['server']],
  ['proxy-addr', ['server']],
  ['uqr', ['server', 'pages']],
  ['three', ['view', 'input', 'react']],
  ['react', ['react']],
  ['@react-three/fiber', ['react']],
  ['@react-three/rapier', ['react']],
  ['@redis/client', ['cluster']],
  ['httpxy', ['server']],
  ['node:', ['tools', 'server', 'cluster', 'dedicated', 'transport/node']],
]);

const INDEX = 'src/core/index.ts';

/** Which rooms import what they must not, and what core imports from outside. */
export function wrongImports(sources: readonly Source[]): string[] {
  const offenders: string[] = [];
  const index = sources.find((s) => s.path === INDEX);
  for (const source of sources) {
    for (const import_ of importsOf(source)) {
      for (const what of forbidden(source.path, import_, index)) {
        offenders.push(`${source.path}:${import_.line} imports ${what}`);
      }
    }
  }
  return offenders;
}

function forbidden(path: string, import_: Import, index: Source | undefined): string[] {
  const to = target(path, import_.from);
  if (import_.from === '?') return ['something that is not a plain string'];
  if (to === undefined) {
    const name = packageOf(import_.from);
    const rooms = PACKAGE_ROOMS.get(name);
    const allowed = !inRoom(path, 'core') && (rooms?.some((room) => inRoom(path, room)) ?? true);
    return allowed ? [] : [import_.from];
  }
  if (inRoom(path, 'core') && !inRoom(to, 'core')) return [to];
  const never = NEVER.filter(([room]) => inRoom(path, room)).flatMap(([, rooms]) => rooms);
  return (to === INDEX ? behindIndex(index, import_.names) : [to]).filter((file) =>
    never.some((room) => inRoom(file, room)),
  );
}

function inRoom(path: string, room: string): boolean {
  return path.startsWith(`src/${room}/`);
}

/** The files from which index.ts re-exports these names; all of them for `'*'`, or for what is not by name. */
function behindIndex(index: Source | undefined, names: readonly string[]): string[] {
  if (index === undefined) return [];
  const files = new Set<string>();
  for (const statement of index.ast.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
    const clause = statement.exportClause;
    const offered =
      clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map((e) => e.name.text) : ['*'];
    const wanted = offered.includes('*') || names.includes('*') || offered.some((n) => names.includes(n));
    const file = target(INDEX, (statement.moduleSpecifier as ts.StringLiteral).text);
    if (wanted && file !== undefined) files.add(file);
  }
  return [...files];
}

/** Relative imports that name no file as it is written, and packages that package.json does not have. */
export function unknownImports(
  sources: readonly Source[],
  paths: Set<string>,
  packages: Set<string>,
): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter(({ from }) => {
        const to = target(source.path, from);
        const name = packageOf(from);
        return to === undefined ? name !== 'node:' && from !== '?' && !packages.has(name) : !paths.has(to);
      })
      .map(({ from, line }) => `${source.path}:${line} imports ${from}`),
  );
}

/** Modules without clocks or chance, and those whose mathematics is the same on every engine, to the bit. */
const PURE_ROOMS = ['core', 'hand-motion'];
const EXACT_ROOMS = ['core/wire', 'hand-motion'];

/** The functions that ECMAScript defines exactly, or that every engine computes alike (+ − × ÷, fround, sqrt). */
const EXACT_MATH = new Set(
  'PI SQRT2 SQRT1_2 E LN2 abs ceil clz32 floor fround imul max min round sign sqrt trunc'.split(' '),
);

/** Clocks, timers, chance, the DOM and the like in pure rooms; in exact ones mathematics that engines disagree on. */
export function bannedCalls(sources: readonly Source[]): string[] {
  const inexact = new Map(sources.map((s) => [s.path, inexactNames(s)]));
  return sources
    .filter((s) => PURE_ROOMS.some((room) => inRoom(s.path, room)))
    .flatMap((source) => {
      const exact = EXACT_ROOMS.some((room) => inRoom(source.path, room));
      const found = [
        ...bannedGlobals(source),
        ...mathUses(source).filter((u) => exact || u.name === 'Math.random'),
      ];
      const taken = exact ? importsOf(source).map((i) => inexactImport(source.path, i, inexact)) : [];
      return [...found, ...taken.flat()].map(({ line, name }) => `${source.path}:${line} uses ${name}`);
    });
}

type Use = { readonly name: string; readonly line: number };

function bannedGlobals(source: Source): Use[] {
  const declared = declaredIn(source);
  const banned = new Set(bans.globals.filter((name) => !declared.has(name)));
  const found: Use[] = [];
  visit(source.ast, (node) => {
    if (ts.isIdentifier(node) && banned.has(node.text) && isValueUse(node)) {
      found.push({ name: node.text, line: lineOf(source, node) });
    }
  });
  return found;
}

/** The uses of Math.random, and of mathematics that is not exact: `**` is, for powers of two. */
function mathUses(source: Source, within: ts.Node = source.ast): Use[] {
  const found: Use[] = [];
  visit(within, (node) => {
    const add = (name: string): void => {
      found.push({ name, line: lineOf(source, node) });
    };
    if (ts.isIdentifier(node) && node.text === 'Math' && isValueUse(node)) {
      for (const name of takenFromMath(node.parent)) if (!EXACT_MATH.has(name)) add(`Math.${name}`);
    }
    const power =
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken;
    if (power && node.left.getText() !== '2') add(`${node.left.getText()} ** …`);
  });
  return found;
}

/**
 * The name that a use of `Math` takes from it: `Math.floor`, `const { floor } = Math`; for any other use every
 * name, `random` too.
 */
function takenFromMath(user: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(user)) return [user.name.text];
  if (!ts.isVariableDeclaration(user) || !ts.isObjectBindingPattern(user.name)) return ['random'];
  return user.name.elements.map((e) => (e.dotDotDotToken ? 'random' : (e.propertyName ?? e.name).getText()));
}

/** The top-level names of a file that use inexact mathematics, themselves or through one another. */
function inexactNames(source: Source): Set<string> {
  const inexact = new Set<string>();
  for (let before = -1; before < inexact.size;) {
    before = inexact.size;
    for (const statement of source.ast.statements) {
      let uses = mathUses(source, statement).length > 0;
      visit(statement, (node) => {
        if (ts.isIdentifier(node) && inexact.has(node.text) && isValueUse(node)) uses = true;
      });
      if (uses) for (const name of declaredBy(statement)) inexact.add(name);
    }
  }
  return inexact;
}

function inexactImport(path: string, import_: Import, inexact: ReadonlyMap<string, Set<string>>): Use[] {
  const names = inexact.get(target(path, import_.from) ?? '') ?? new Set<string>();
  const taken = import_.names.includes('*') ? [...names] : import_.names.filter((name) => names.has(name));
  return taken.map((name) => ({ name: `${name}, which is not exact across engines`, line: import_.line }));
}

/** The files that no root leads to. */
export function deadFiles(
  files: readonly TextFile[],
  sources: readonly Source[],
  roots: readonly string[],
): string[] {
  const byPath = new Map(sources.map((s) => [s.path, s]));
  const reached = new Set<string>();
  const queue = [...roots];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const source = byPath.get(path);
    for (const { from } of source === undefined ? [] : importsOf(source)) {
      const to = target(path, from);
      if (to !== undefined) queue.push(to);
    }
  }
  return files.map((f) => f.path).filter((path) => !reached.has(path));
}

/**
 * Exported names that nothing needs. A name is needed if a file of src imports it, or it is in one of the
 * `faces` (what the package exports). One that only tests import must do something in its own file; a type
 * may also be exported for the signatures there.
 */
export function unusedExports(sources: readonly Source[], faces: readonly string[]): string[] {
  const users = new Map<string, { src: Set<string>; test: Set<string> }>();
  for (const source of sources) {
    for (const { from, names } of importsOf(source)) {
      const to = target(source.path, from);
      if (to === undefined) continue;
      const used = users.get(to) ?? { src: new Set(), test: new Set() };
      users.set(to, used);
      for (const name of names) used[source.path.startsWith('test/') ? 'test' : 'src'].add(name);
    }
  }
  return sources
    .filter((s) => s.path.startsWith('src/') && !faces.includes(s.path))
    .flatMap((source) => {
      const used = users.get(source.path);
      const has = (names: Set<string> | undefined, name: string): boolean =>
        names !== undefined && (names.has(name) || names.has('*'));
      return exportsOf(source)
        .filter(({ name, isType }) => {
          if (has(used?.src, name)) return false;
          return !((isType || has(used?.test, name)) && usesOf(source, name) > 1);
        })
        .map(({ name, line }) => `${source.path}:${line} exports ${name}`);
    });
}

function usesOf(source: Source, name: string): number {
  let count = 0;
  visit(source.ast, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name) return;
    if (isValueUse(node) || ts.isTypeReferenceNode(node.parent)) count++;
  });
  return count;
}

export const MAX_FILE_LINES = 400;
export const MAX_FUNCTION_LINES = 70;

export function longFiles(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > MAX_FILE_LINES)
    .map(({ path, lines }) => `${path}:1 has ${lines} lines`);
}

/** Functions that are too long. In tests, functions that contain `describe` or `test` calls may have any length. */
export function longFunctions(sources: readonly Source[]): string[] {
  const offenders: string[] = [];
  for (const source of sources) {
    visit(source.ast, (node) => {
      if (!ts.isFunctionLike(node) || (source.path.startsWith('test/') && groupsTests(node))) return;
      const [first, last] = [node.getStart(), node.end].map(
        (at) => source.ast.getLineAndCharacterOfPosition(at).line,
      );
      const lines = last - first + 1;
      const name = node.name?.getText() ?? 'a function';
      if (lines > MAX_FUNCTION_LINES)
        offenders.push(`${source.path}:${first + 1} ${name} has ${lines} lines`);
    });
  }
  return offenders;
}

/** The call's first name, through `.each(…)`, `.skipIf(…)` and the like. */
function calledName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return calledName(node.expression);
  return '';
}

const TEST_CALLS = ['describe', 'test', 'it'];

function groupsTests(node: ts.SignatureDeclaration): boolean {
  let groups = false;
  ts.forEachChild(node, (part) => {
    visit(part, (inner) => {
      if (ts.isCallExpression(inner) && TEST_CALLS.includes(calledName(inner.expression))) groups = true;
      return !ts.isFunctionLike(inner);
    });
  });
  return groups;
}

/** `any`, and checks that are silenced without saying why. */
export function silencedChecks(sources: readonly Source[]): string[] {
  const offenders: string[] = [];
  for (const source of sources) {
    visit(source.ast, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword)
        offenders.push(`${source.path}:${lineOf(source, node)} any`);
    });
    source.text.split('\n').forEach((line, i) => {
      const ignored = /(?:\/\/|\/\*)\s*@ts-(?:ignore|nocheck|expect-error\s*$)/.test(line);
      const disabled = /(?:\/\/|\/\*)\s*(?:eslint|oxlint)-disable/.test(line) && !/ -- \S/.test(line);
      if (ignored || disabled) offenders.push(`${source.path}:${i + 1} ${line.trim()}`);
    });
  }
  return offenders;
}

/** `test.only` and its kin. */
export function focusedTests(sources: readonly Source[]): string[] {
  const offenders: string[] = [];
  for (const source of sources) {
    visit(source.ast, (node) => {
      const focused = ts.isPropertyAccessExpression(node) && node.name.text === 'only';
      if (focused && TEST_CALLS.includes(calledName(node.expression))) {
        offenders.push(`${source.path}:${lineOf(source, node)} ${node.getText()}`);
      }
    });
  }
  return offenders;
}

const MACHINE_PATH = /(?<![\w.)\]}*-])\/(?:home|Users|root|work|tmp|mnt)\/|\b[A-Z]:\\+Users\\/;
const REGISTRY = /https?:\/\/[^\s"'`)]*(?:registry|artifactory|nexus|verdaccio|pypi|npmmirror)[^\s"'`)]*/i;
/** The registry that npm writes into a lock file, and replaces by the user's own. */
const PUBLIC_REGISTRY = /^https:\/\/registry\.npmjs\.org\//;

/** Paths of somebody's machine (`root`, the checkout, is one), and hosts of package registries. */
export function machineTraces(files: readonly TextFile[], root: string): string[] {
  const checkout = /^\/[^/]+\/./.test(root) ? root : undefined;
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => {
      const registry = REGISTRY.exec(line)?.[0];
      const named =
        registry !== undefined && !(path === 'package-lock.json' && PUBLIC_REGISTRY.test(registry));
      const traced = named || MACHINE_PATH.test(line) || (checkout !== undefined && line.includes(checkout));
      return traced ? [`${path}:${i + 1} ${line.trim().slice(0, 120)}`] : [];
    }),
  );
}
