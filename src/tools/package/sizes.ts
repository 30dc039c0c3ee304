import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build.ts';
import { inPage, kilobytes, OWN } from './in-page.ts';

/**
 * `npm run sizes`: installs this package and others like it, each in a folder of its own, and writes docs/sizes.md with
 * what they weigh, installed and in a page. It needs the npm registry. `npm run sizes -- own` measures this package alone,
 * and keeps the rows of the others, whose versions are fixed.
 */

/** A package to measure, and the other packages that it can't do without. */
type Contender = {
  /** Its name in the table. */
  readonly title: string;
  /** The packages that npm installs. */
  readonly installs: readonly string[];
  /** The module that a page imports. */
  readonly imports: string;
  /** Packages of the registry in place of dependencies that are elsewhere. */
  readonly overrides?: Readonly<Record<string, string>>;
};

/** Packages of other projects, at versions of one day: the table changes only when somebody changes them here. */
const OTHERS: readonly Contender[] = [
  { title: 'Colyseus, client', installs: ['@colyseus/sdk@0.18.4'], imports: '@colyseus/sdk' },
  {
    title: 'netblocks, of XR Blocks',
    installs: ['xrblocks@0.21.1', 'lit@3.3.1'],
    imports: 'xrblocks/addons/netblocks/src/index.js',
  },
  {
    title: 'networked-aframe',
    installs: ['networked-aframe@0.14.3'],
    imports: 'networked-aframe',
    // It names a commit of this one at GitHub.
    overrides: { 'buffered-interpolation': '0.2.5' },
  },
  { title: 'Needle Engine', installs: ['@needle-tools/engine@4.16.5'], imports: '@needle-tools/engine' },
];

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

const PAGE = join(ROOT, 'docs/sizes.md');

/** The weight of a package in bytes, installed and in a page. */
type Weight = { readonly packages: number; readonly installed: number; readonly gzip: number | null };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-sizes-'));
  try {
    const rows: string[] = [];
    const isOwnAlone = process.argv.includes('own');
    for (const contender of [...(await ownFaces(folder)), ...(isOwnAlone ? [] : OTHERS)]) {
      const weight = await weigh(contender, mkdtempSync(join(folder, 'project-')));
      rows.push(rowOf(contender, weight));
      console.log(rows.at(-1));
    }
    writeFileSync(PAGE, pageOf(isOwnAlone ? [...rows, ...rowsOfOthers()] : rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rows of the other packages as the page has them. */
function rowsOfOthers(): string[] {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  return OTHERS.flatMap(({ title }) => lines.filter((line) => line.startsWith(`| ${title} |`)));
}

/** The package as it is here, packed; and what its larger faces need. */
async function ownFaces(folder: string): Promise<Contender[]> {
  await buildPackage(ROOT, join(folder, 'built'));
  execFileSync('npm', ['pack', '--silent', './built'], { cwd: folder });
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (packed === undefined) throw new Error('npm has packed nothing.');
  const own = join(folder, packed);
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  return OWN.map(({ title, imports, needs }) => ({
    title,
    imports,
    installs: [own, ...needs.map((name) => `${name}@${dependencies[name]}`)],
  }));
}

async function weigh({ installs, imports, overrides }: Contender, folder: string): Promise<Weight> {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', ...(overrides === undefined ? {} : { overrides }) }),
  );
  // No scripts run, and optional peers stay away: what is counted is what npm fetches for everybody.
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...installs];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, unknown>>;
  };
  return {
    packages: Object.keys(lock.packages).length - 1,
    installed: bytesIn(join(folder, 'node_modules')),
    gzip: await inPage(folder, imports),
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

function rowOf({ title, installs }: Contender, { packages, installed, gzip }: Weight): string {
  const names = installs.map((name) => `\`${name.endsWith('.tgz') ? 'handover' : name}\``).join(', ');
  const page = gzip === null ? 'is not bundled' : kilobytes(gzip);
  return `| ${title} | ${names} | ${packages} | ${(installed / 1e6).toFixed(1)} MB | ${page} |`;
}

function pageOf(rows: readonly string[]): string {
  return `# Sizes
\`npm run sizes\` writes this page: it installs each package in an empty folder, and bundles all of what it exports for a page.

| | installs | packages | installed | in a page, gzipped |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

"In a page" is everything that is loaded before the page runs, minified. three.js, A-Frame and Rapier are not counted, since a project of this kind has them anyway; a page that uses only a part of a package loads less. These packages do different things: Colyseus' client needs its server, networked-aframe brings its own server along, and XR Blocks and Needle are whole engines.
`;
}

await main();
