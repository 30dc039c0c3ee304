import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clausesOf } from './support/gates/protocol-gates.ts';
import { readTree, sourcesAmong } from './support/gates/source.ts';
import {
  circles,
  commentsOf,
  fileGraph,
  folderSizes,
  modulePicture,
  riddles,
  undocumented,
  wordsIn,
} from './support/gates/survey.ts';

/**
 * `npm run survey`: prints the measures of the house: folder sizes, import circles, the longest clauses of
 * PROTOCOL.md, the longest comments, and exports of core without a docstring. `--write` also draws the picture of
 * modules in ARCHITECTURE.md anew.
 */

const MOST = 10;
const root = fileURLToPath(new URL('..', import.meta.url));
const files = readTree(root);
const sources = sourcesAmong(files);
const inSrc = sources.filter(({ path }) => path.startsWith('src/'));
const inCore = inSrc.filter(({ path }) => path.startsWith('src/core/'));

function print(title: string, lines: readonly string[]): void {
  console.log(`\n${title}`);
  for (const line of lines.length > 0 ? lines : ['none']) console.log(`  ${line}`);
}

const sizes = [...folderSizes(inSrc.map(({ path }) => path))].sort(([, a], [, b]) => b - a);
print(
  `Largest folders of src, in files (src/core: ${sizes
    .filter(([path]) => path.startsWith('src/core'))
    .at(0)
    ?.join(' ')})`,
  sizes.slice(0, MOST).map(([path, count]) => `${count} ${path}`),
);

print(
  'Import circles, types included',
  circles(fileGraph(inSrc)).map((group) => group.join(', ')),
);

const protocol = files.find(({ path }) => path === 'src/core/PROTOCOL.md')?.text ?? '';
const clauses = clausesOf(protocol).sort((a, b) => b.words - a.words);
print(
  `Longest of ${clauses.length} clauses, in words`,
  clauses.slice(0, 3).map(({ mark, words }) => `${words} [${mark}]`),
);

const comments = inSrc
  .flatMap(commentsOf)
  .map((comment) => ({ ...comment, words: wordsIn(comment.text) }))
  .sort((a, b) => b.words - a.words);
print(
  'Longest comments of src, in words',
  comments.slice(0, MOST).map(({ words, path, line }) => `${words} ${path}:${line}`),
);

print('Comments of src and test that begin with a clause', riddles(sources).slice(0, MOST));
print('Exported functions and classes of core without a docstring', undocumented(inCore));
print('Exported functions and classes of all of src without a docstring', [
  String(undocumented(inSrc).length),
]);

if (process.argv.includes('--write')) {
  const path = join(root, 'ARCHITECTURE.md');
  const text = readFileSync(path, 'utf8');
  const drawn = text.replace(/(```mermaid\n)(?:.*\n)*?(```\n)/, `$1${modulePicture(inSrc)}\n$2`);
  writeFileSync(path, drawn);
  console.log('\nARCHITECTURE.md has the picture.');
}
