import { readFileSync } from 'node:fs';

/** @type {{ name: string, exports: Record<string, string> }} */
const { name, exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/**
 * The imports of the package: what a project writes, the file with which the import begins, and the name of its page in
 * the reference.
 */
export const FACES = Object.entries(exports).map(([path, source]) => ({
  import: path === '.' ? name : `${name}/${path.slice(2)}`,
  source: source.slice(2),
  page: path === '.' ? name : path.slice(2),
}));
