import { join, relative } from 'node:path';
import ts from 'typescript-6';
import type { Face } from './manifest.ts';
import { typesOf } from './manifest.ts';

/**
 * Reports what a face has: a text for each, to be committed, so that a change of the face is seen in review. It has every
 * exported declaration, and those that these refer to and that no face exports, without comments.
 */

/** The folder of the committed reports. */
export const REPORTS = 'docs/api';

const HEADING = {
  exported: 'Exported',
  reached: 'Referred to, but exported nowhere',
} as const;

type Found = { readonly symbol: ts.Symbol; readonly isExported: boolean };

/**
 * The reports of all faces, by their names.
 * @param folder has the package's declarations, as `typesOf` names them.
 */
export function reportFaces(folder: string, faces: readonly Face[]): Map<string, string> {
  const entries = faces.map((face) => join(folder, typesOf(face)));
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const exported = entries.map((entry) => exportsOf(checker, program.getSourceFile(entry)));
  const anywhere = new Set(exported.flat());
  return new Map(
    faces.map((face, i) => [face.name, report(face, collect(checker, exported[i], anywhere, folder))]),
  );
}

/** @throws Error for a file that is missing, and for one without exports. */
function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile | undefined): ts.Symbol[] {
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error('The declarations of a face are missing.');
  return checker.getExportsOfModule(module).map((symbol) => resolved(checker, symbol));
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The symbols of a face, and those that they refer to and that no face exports. */
function collect(
  checker: ts.TypeChecker,
  exported: readonly ts.Symbol[],
  anywhere: ReadonlySet<ts.Symbol>,
  folder: string,
): Found[] {
  const found = new Set(exported);
  const queue = [...exported];
  const visit = (node: ts.Node): void => {
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const symbol = named === undefined ? undefined : resolved(checker, named);
    if (symbol !== undefined && isWhole(symbol) && isOurs(symbol, folder)) {
      if (!found.has(symbol) && !anywhere.has(symbol)) {
        found.add(symbol);
        queue.push(symbol);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop())
    for (const declaration of symbol.declarations ?? []) visit(declaration);
  return [...found].map((symbol) => ({ symbol, isExported: anywhere.has(symbol) }));
}

/** True for what a file declares at its top: not for members, parameters and type parameters. */
function isWhole(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) => ts.isSourceFile(statementOf(declaration).parent));
}

/** A declaration, or the statement around a declared variable. */
function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function isOurs(symbol: ts.Symbol, folder: string): boolean {
  const path = symbol.declarations?.[0]?.getSourceFile().fileName;
  return path !== undefined && !relative(folder, path).startsWith('..');
}

function report({ subpath }: Face, found: readonly Found[]): string {
  const name = subpath === '.' ? 'handover' : `handover${subpath.slice(1)}`;
  const parts = (['exported', 'reached'] as const).flatMap((kind) => {
    const texts = found
      .filter(({ isExported }) => isExported === (kind === 'exported'))
      .map(({ symbol }) => [symbol.name, textOf(symbol)] as const)
      .sort(([a, textA], [b, textB]) => (`${a}\n${textA}` < `${b}\n${textB}` ? -1 : 1))
      .map(([, text]) => text);
    return texts.length === 0 ? [] : [`## ${HEADING[kind]}`, ...texts];
  });
  return `# ${name}\n\n${parts.join('\n\n')}\n`;
}

const printer = ts.createPrinter({ removeComments: true });

function textOf(symbol: ts.Symbol): string {
  const statements = new Set((symbol.declarations ?? []).map(statementOf));
  return [...statements]
    .map((node) => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
    .map((text) => text.replace(/^(?:export )?(?:declare )?/, ''))
    .join('\n');
}
