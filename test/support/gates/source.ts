import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript-6';

/** One text file of the project, by its path from the root with forward slashes. */
export type TextFile = { readonly path: string; readonly text: string };

/** A TypeScript file with its syntax tree. */
export type Source = TextFile & { readonly ast: ts.SourceFile };

/** The imports that one file takes from another. `'*'` among the names stands for all of them. */
export type Import = {
  /** As written: `./x.ts` or a package. `'?'` where it is not a plain string. */
  readonly from: string;
  readonly names: readonly string[];
  readonly line: number;
};

/** A name that a file exports. */
export type Export = { readonly name: string; readonly isType: boolean; readonly line: number };

export function parse(path: string, text: string): Source {
  return { path, text, ast: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Parses the TypeScript files among these. */
export function sourcesAmong(files: readonly TextFile[]): Source[] {
  return files.filter(({ path }) => path.endsWith('.ts')).map(({ path, text }) => parse(path, text));
}

const BINARY = /\.(png|jpe?g|webp|gif|ico|ogg|mp3|wav|woff2?|ttf|glb|gltf|bin|wasm|ktx2)$/;

/** Every text file of the project; what .gitignore names, and .git itself, are not part of it. */
export function readTree(root: string): TextFile[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (path: string): boolean =>
    ignored.some((rule) =>
      rule.startsWith('*') ? path.endsWith(rule.slice(1)) : path === rule || path.endsWith(`/${rule}`),
    );
  const files: TextFile[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.name === '.git' || isIgnored(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (!BINARY.test(path)) files.push({ path, text: readFileSync(join(root, path), 'utf8') });
    }
  };
  walk('');
  return files;
}

/** The file that a relative import means, from the root and without a `?query`; undefined for a package. */
export function target(from: string, specifier: string): string | undefined {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('/')) return plain.slice(1);
  return plain.startsWith('.') ? posix.join(posix.dirname(from), plain) : undefined;
}

/** The package that an import means: `three` for `three/addons/x.js`. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function lineOf(source: Source, node: ts.Node): number {
  return source.ast.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** Calls `see` for a node and all that is in it; where `see` returns false, not for what is inside. */
export function visit(node: ts.Node, see: (node: ts.Node) => boolean | void): void {
  if (see(node) === false) return;
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

/** All that a file takes from others: imports, re-exports, `import()`, import types, and worker URLs. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  visit(source.ast, (node) => {
    const import_ = importIn(node);
    if (import_ !== undefined) found.push({ ...import_, line: lineOf(source, node) });
  });
  return found;
}

function importIn(node: ts.Node): Omit<Import, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return { from: textOf(node.moduleSpecifier), names: namesOfClause(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const named = node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
    const names = named ? node.exportClause.elements.map((e) => (e.propertyName ?? e.name).text) : ['*'];
    return { from: textOf(node.moduleSpecifier), names };
  }
  if (ts.isImportTypeNode(node)) {
    const literal = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
    return { from: textOf(literal), names: [node.qualifier?.getText() ?? '*'] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return { from: textOf(node.arguments[0]), names: ['*'] };
  }
  // new URL('../../fuzz/worker.ts', import.meta.url)
  if (ts.isNewExpression(node) && node.expression.getText() === 'URL' && node.arguments?.length === 2) {
    const [file, base] = node.arguments;
    const own = base.getText() === 'import.meta.url' && ts.isStringLiteralLike(file);
    if (own && /^\..*\.\w+$/.test(file.text)) return { from: file.text, names: ['*'] };
  }
  return undefined;
}

function namesOfClause(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return [];
  const names = clause.name === undefined ? [] : ['default'];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, '*'];
  return [...names, ...bindings.elements.map((e) => (e.propertyName ?? e.name).text)];
}

function textOf(node: ts.Node | undefined): string {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : '?';
}

/** The names that a file exports; `export *` is not followed. */
export function exportsOf(source: Source): Export[] {
  const found: Export[] = [];
  for (const statement of source.ast.statements) {
    const add = (name: string, isType: boolean): void => {
      found.push({ name, isType, line: lineOf(source, statement) });
    };
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (clause === undefined) continue;
      if (ts.isNamespaceExport(clause)) add(clause.name.text, false);
      else for (const e of clause.elements) add(e.name.text, statement.isTypeOnly || e.isTypeOnly);
    } else if (ts.isExportAssignment(statement)) {
      add('default', false);
    } else if (isExported(statement)) {
      for (const name of declaredBy(statement)) add(name, isTypeDeclaration(statement));
    }
  }
  return found;
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) ?? false)
  );
}

function isTypeDeclaration(node: ts.Node): boolean {
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
}

/** The names that a statement declares. */
export function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((d) => bindingNames(d.name));
  }
  const named =
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || isTypeDeclaration(statement);
  if (!named) return [];
  const { name } = statement as ts.FunctionDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration;
  return [name?.text ?? 'default'];
}

function bindingNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((e) => (ts.isOmittedExpression(e) ? [] : bindingNames(e.name)));
}

/** The names that a file declares anywhere: variables, parameters, functions, classes, imports, types. */
export function declaredIn(source: Source): Set<string> {
  const names = new Set<string>();
  visit(source.ast, (node) => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionLike(node) ||
      ts.isClassLike(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    if (declares && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
  });
  return names;
}

/** True if an identifier stands for a value in scope: not a property's name, a key or part of a type. */
export function isValueUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return false;
  const isKey =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isAccessor(parent);
  if (isKey) return parent.name !== node;
  if (ts.isBindingElement(parent)) return parent.propertyName !== node;
  return true;
}
