import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { build } from 'vite';
import { buildPackage } from './build.ts';

/**
 * `npm run sizes`: installs this package and others like it, each in a folder of its own, and writes docs/sizes.md with
 * what they weigh, installed and in a page. It needs the npm registry.
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

/** Engines and renderers, which every project of this kind has already: they are not counted in a page. */
const NOT_COUNTED = /^(?:three|aframe|@dimforge\/[^/]+)(?:\/|$)/;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The weight of a package in bytes, installed and in a page. */
type Weight = { readonly packages: number; readonly installed: number; readonly gzip: number | null };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-sizes-'));
  try {
    const rows: string[] = [];
    for (const contender of [...(await ownFaces(folder)), ...OTHERS]) {
      const weight = await weigh(contender, mkdtempSync(join(folder, 'project-')));
      rows.push(rowOf(contender, weight));
      console.log(rows.at(-1));
    }
    writeFileSync(join(ROOT, 'docs/sizes.md'), pageOf(rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  return [
    { title: 'Handover, the core', installs: [own], imports: 'handover' },
    {
      title: 'Handover, a room in a page',
      installs: [own, `peerjs@${dependencies.peerjs}`],
      imports: 'handover/room',
    },
  ];
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

/** Bytes of everything that a page loads before it runs, minified and gzipped; null if it can't be bundled. */
async function inPage(folder: string, imports: string): Promise<number | null> {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, `import * as all from '${imports}';\nglobalThis.all = all;\n`);
  try {
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      publicDir: false,
      build: {
        write: false,
        target: 'es2023',
        rolldownOptions: {
          input: entry,
          external: (id: string, from = entry) => NOT_COUNTED.test(id) || isAbsent(id, from),
        },
      },
    });
    return 'output' in built ? loadedAtOnce(built.output) : null;
  } catch {
    return null;
  }
}

/**
 * True for a package that is not installed: an optional one, which a page loads only if it wants it.
 * @param from the path of the file that imports it.
 */
function isAbsent(id: string, from: string): boolean {
  const [name] = /^(?:@[\w.-]+\/)?[a-z][\w.-]*/.exec(id) ?? [];
  if (name === undefined || !isAbsolute(from)) return false;
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return !folders.some((folder) => existsSync(join(folder, name)));
}

/** The entry and what it imports, and so on; what is imported later is not counted. */
function loadedAtOnce(output: Rolldown.RolldownOutput['output']): number {
  const chunks = new Map(
    output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const loaded = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded)
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined) loaded.add(chunk);
    }
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}

function rowOf({ title, installs }: Contender, { packages, installed, gzip }: Weight): string {
  const names = installs.map((name) => `\`${name.endsWith('.tgz') ? 'handover' : name}\``).join(', ');
  const page = gzip === null ? 'is not bundled' : `${(gzip / 1000).toFixed(0)} kB`;
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
