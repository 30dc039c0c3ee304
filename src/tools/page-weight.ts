import type { Manifest } from 'vite';

/** Bytes of files on disk, and gzipped as they travel. */
export type Weight = { readonly raw: number; readonly gzip: number };

/** The downloads of the one page. */
export type PageWeights = {
  /** Until somebody sees the lobby. */
  readonly lobby: Weight;
  /** Until somebody is in a room, the lobby included. */
  readonly play: Weight;
};

const ENTRY = 'index.html';
/** The chunk that the lobby imports once somebody enters a room. */
const ROOM = 'src/pages/room/entry.ts';

/**
 * A page loads the faster of the engine's two builds for its browser; the plain one, which weighs more, is left
 * out.
 */
const LIGHTER_ENGINE = 'node_modules/@dimforge/rapier3d-simd-compat/dist/rapier.mjs';

/** The most bytes that may travel, gzipped. */
export const BUDGETS: Readonly<Record<keyof PageWeights, number>> = {
  // Half a second over a bad mobile connection of 1 Mbit/s.
  lobby: 60_000,
  // Nearly all of it is Rapier's WebAssembly and three.js.
  play: 1_540_000,
};

/**
 * Weighs the page by vite's manifest.
 * @param weigh returns the weight of a built file, by its path in the build's folder.
 * @throws Error if the manifest lacks the page or the room.
 */
export function pageWeights(manifest: Manifest, weigh: (file: string) => Weight): PageWeights {
  const sum = (files: ReadonlySet<string>): Weight =>
    [...files].map(weigh).reduce((a, b) => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip }), NOTHING);
  const lobby = filesOf(manifest, [ENTRY], false).add(ENTRY);
  const room = filesOf(manifest, [ROOM], true);
  return { lobby: sum(lobby), play: sum(new Set([...lobby, ...room])) };
}

const NOTHING: Weight = { raw: 0, gzip: 0 };

/** The scripts and styles behind some chunks and all their imports: static ones, or lazy ones too. */
function filesOf(manifest: Manifest, keys: readonly string[], later: boolean): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (seen.has(key) || key === LIGHTER_ENGINE) continue;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build's manifest lacks ${key}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    // The entry's other pages do not belong to this room.
    const dynamic = later && chunk.isEntry !== true ? (chunk.dynamicImports ?? []) : [];
    queue.push(...(chunk.imports ?? []), ...dynamic);
  }
  return files;
}

/** A line for each page, and one more for each page over its budget. */
export function describeWeights(weights: PageWeights): { lines: string[]; overweight: string[] } {
  const pages = ['lobby', 'play'] as const;
  const lines = pages.map((page) => {
    const { raw, gzip } = weights[page];
    return `${page.padEnd(6)} ${kilobytes(raw)}, ${kilobytes(gzip)} gzipped (budget ${kilobytes(BUDGETS[page])})`;
  });
  const overweight = pages
    .filter((page) => weights[page].gzip > BUDGETS[page])
    .map((page) => `The ${page} is over its budget: see BUDGETS in src/tools/page-weight.ts.`);
  return { lines, overweight };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
