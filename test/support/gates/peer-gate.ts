import { dirname, join } from 'node:path';
import ts from 'typescript-6';
import type { Source, TextFile } from './source.ts';
import { lineOf, parse, target, visit } from './source.ts';

/**
 * The gate around a peer's insides: the fields of `Peer` that only core and its own tests may read. All others read
 * `peer.diagnostics`. It asks the compiler for the type of each reader, since many things have a `state`.
 */
const INSIDES = new Set(['state', 'player', 'spread', 'reader']);
const PEER_FILE = 'src/core/peer/peer.ts';

/**
 * The folders that may: core, and the tests of core. The simulations, the model and the fuzzer test core with whole
 * rooms of peers; so do the harness's own tests, which break a room on purpose, and the helpers of these tests.
 */
const MAY = ['src/core/', 'test/core/', 'test/simulation/', 'test/model/', 'test/fuzz/'];
const MAY_FILES = new Set([
  'test/harness/referee.test.ts',
  'test/harness/referee-moving.test.ts',
  'test/support/stage.ts',
  'test/support/handover/handover-page.ts',
  'test/support/hostile-guest.ts',
  'test/support/stage-attacker.ts',
]);

/**
 * The reads of a peer's insides where they may not be, one line each: `path:line reads peer.state`.
 * @param files all TypeScript files of the project; the others are passed over.
 */
export function peerInsidesRead(files: readonly TextFile[]): string[] {
  const sources = new Map(
    files.filter(({ path }) => path.endsWith('.ts')).map(({ path, text }) => [path, parse(path, text)]),
  );
  const program = ts.createProgram([...sources.keys()].map(absolute), OPTIONS, hostOf(sources));
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of sources.values()) {
    const isJudged = !MAY_FILES.has(source.path) && !MAY.some((folder) => source.path.startsWith(folder));
    if (!isJudged) continue;
    visit(source.ast, (node) => {
      const name = insideRead(node, checker);
      if (name !== undefined) found.push(`${source.path}:${lineOf(source, node)} reads ${name} of a Peer`);
    });
  }
  return found;
}

/** The field of a Peer that a node reads, if it reads one: `a.state`, `a['state']`, `{ state } = a`, `A['state']`. */
function insideRead(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return insideOf(node.expression, node.name.text, checker);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return insideOf(node.expression, node.argumentExpression.text, checker);
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? insideOf(node.parent, name.text, checker) : undefined;
  }
  if (ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType)) {
    const { literal } = node.indexType;
    return ts.isStringLiteralLike(literal) ? insideOf(node.objectType, literal.text, checker) : undefined;
  }
  return undefined;
}

function insideOf(of: ts.Node, name: string, checker: ts.TypeChecker): string | undefined {
  if (!INSIDES.has(name)) return undefined;
  const field = checker.getNonNullableType(checker.getTypeAtLocation(of)).getProperty(name);
  const isPeers = field?.declarations?.some(
    ({ parent }) =>
      ts.isClassDeclaration(parent) &&
      parent.name?.text === 'Peer' &&
      parent.getSourceFile().fileName === absolute(PEER_FILE),
  );
  return isPeers === true ? name : undefined;
}

/** Files are given to the compiler under a root of their own; packages are unknown to it, and of no interest. */
const ROOT = '/project/';
const LIBRARY = dirname(ts.getDefaultLibFilePath({}));
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.esnext.d.ts'],
  types: [],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

function absolute(path: string): string {
  return ROOT + path;
}

function hostOf(sources: ReadonlyMap<string, Source>): ts.CompilerHost {
  const sourceOf = (file: string): ts.SourceFile | undefined => {
    if (!file.startsWith(ROOT)) {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
    }
    const source = sources.get(file.slice(ROOT.length));
    if (source !== undefined) source.ast.fileName = file;
    return source?.ast;
  };
  return {
    getSourceFile: sourceOf,
    resolveModuleNameLiterals: (literals, containing) =>
      literals.map(({ text }) => {
        const path = containing.startsWith(ROOT) ? target(containing.slice(ROOT.length), text) : undefined;
        const isKnown = path !== undefined && sources.has(path);
        return {
          resolvedModule: isKnown ? { resolvedFileName: absolute(path), extension: '.ts' } : undefined,
        };
      }),
    getDefaultLibFileName: () => join(LIBRARY, 'lib.esnext.d.ts'),
    getDefaultLibLocation: () => LIBRARY,
    writeFile: () => undefined,
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (file) =>
      file.startsWith(ROOT) ? sources.has(file.slice(ROOT.length)) : ts.sys.fileExists(file),
    readFile: (file) => ts.sys.readFile(file),
  };
}
