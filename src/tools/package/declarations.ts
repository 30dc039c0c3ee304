import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A relative module in a declaration: `from './a.ts'`, `import('./a.ts')`, `import './a.ts'`. */
const RELATIVE = /((?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\2/g;

/** A declaration for other projects: it names modules by the scripts that they become. */
export function withScriptNames(declaration: string): string {
  return declaration.replace(
    RELATIVE,
    (_, before: string, quote: string, path: string) =>
      `${before}${quote}${path.replace(/\.ts$/, '.js')}${quote}`,
  );
}

/** The relative modules that a declaration names, as they stand there. */
export function modulesOf(declaration: string): string[] {
  return [...declaration.matchAll(RELATIVE)].map(([, , , path]) => path);
}

/**
 * Writes the declarations of some sources and of all that these refer to, without what is marked as internal.
 * @param root the repository.
 * @param sources within `src`.
 * @param out the folder, which is emptied.
 * @returns the paths of the files within `out`.
 * @throws Error with the compiler's words.
 */
export function writeDeclarations(root: string, sources: readonly string[], out: string): string[] {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const project = join(out, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        stripInternal: true,
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
        rootDir: join(root, 'src'),
        outDir: out,
      },
      files: sources.map((source) => join(root, source)),
      include: [],
    }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The declarations can't be made:\n${stdout}`);
  rmSync(project);
  const declared = sources.map((source) => source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
  return finish(out, declared);
}

/** Gives the declarations that `faces` lead to their final form, and deletes all others. */
function finish(out: string, faces: readonly string[]): string[] {
  const reached = new Set<string>();
  const queue = [...faces];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = readFileSync(join(out, path), 'utf8');
    writeFileSync(join(out, path), withScriptNames(text));
    for (const module of modulesOf(text))
      queue.push(posix.join(posix.dirname(path), module.replace(/\.ts$/, '.d.ts')));
  }
  for (const entry of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    const path = entry.replaceAll('\\', '/');
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(join(out, path));
  }
  return [...reached].sort();
}
