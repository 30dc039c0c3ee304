import ts from 'typescript-6';
import type { Source } from './gates/source.ts';

/**
 * Runs a check for each seed of a range within one test.
 * @param last the last seed, which is checked, too.
 * @throws what the check throws first; an Error's message then begins with its seed.
 */
export function forSeeds(first: number, last: number, check: (seed: number) => void): void {
  for (let seed = first; seed <= last; seed++) {
    try {
      check(seed);
    } catch (error) {
      if (error instanceof Error) error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}

/** The places in test files at which a check can fail for a seed without printing it. */
export function namelessSeeds(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, ast }) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const line = ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
      if (isSeedLoop(node)) found.push(`${path}:${line} loops over seeds without forSeeds`);
      if (hidesItsSeed(node)) found.push(`${path}:${line} has a title without its seed`);
      ts.forEachChild(node, visit);
    };
    visit(ast);
    return found;
  });
}

/** True for `for (let seed ...)` and `for (const seed of ...)`. */
function isSeedLoop(node: ts.Node): boolean {
  if (!ts.isForStatement(node) && !ts.isForOfStatement(node)) return false;
  const { initializer } = node;
  if (initializer === undefined || !ts.isVariableDeclarationList(initializer)) return false;
  return initializer.declarations.some(({ name }) => ts.isIdentifier(name) && name.text === 'seed');
}

/** True for `test.each(...)(title, (seed) => ...)` whose title has no place for the seed. */
function hidesItsSeed(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isCallExpression(node.expression)) return false;
  const { expression: each } = node.expression;
  if (!ts.isPropertyAccessExpression(each) || each.name.text !== 'each') return false;
  const [title] = node.arguments;
  const check = node.arguments.find(ts.isArrowFunction);
  if (check === undefined || !ts.isStringLiteralLike(title)) return false;
  const at = check.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === 'seed');
  return at >= (title.text.match(/%[sdifjo]/g) ?? []).length;
}
