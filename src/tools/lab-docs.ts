import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelOf } from '../lab/models.ts';
import type { LabModel } from '../lab/lab-model.ts';
import type { PublicationName, PublishedFile } from '../lab/sweep/published.ts';
import {
  CHARTED,
  PUBLICATIONS,
  PUBLISHED_FIGURES,
  readRows,
  storeRows,
  withTables,
} from '../lab/sweep/published.ts';
import { figureChart } from '../lab/sweep/report.ts';
import type { SweepRow } from '../lab/sweep/sweep.ts';
import { sweep } from '../lab/sweep/sweep.ts';
import { loadDeterministicEngine } from '../physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../physics/engine.ts';
import { ProgressLine } from './progress.ts';

/** `npm run lab:docs`: measures the figures on which docs/which-model.md rests, and draws its charts and tables. With
 * names it measures only these, with `none` nothing. */

const FOLDER = 'docs/lab';
const FILE = join(FOLDER, 'figures.json');
const PAGE = 'docs/which-model.md';

async function measure(name: PublicationName): Promise<SweepRow[]> {
  await loadPhysics();
  const engines = { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  const publication = PUBLICATIONS[name];
  const models = publication.models.map(modelOf).filter((model): model is LabModel => model !== undefined);
  const rows: SweepRow[] = [];
  const progress = new ProgressLine();
  for (const { row, finished, runs } of sweep({ ...publication, models, engines })) {
    rows.push(row);
    progress.show(`${name}: ${finished} of ${runs} runs`);
  }
  progress.end();
  return rows;
}

/** A line for each row, so that a change can be read. */
function textOf({ figures, sweeps }: PublishedFile): string {
  const parts = Object.entries(sweeps).map(
    ([name, rows]) =>
      `    ${JSON.stringify(name)}: [\n${rows.map((row) => `      ${JSON.stringify(row)}`).join(',\n')}\n    ]`,
  );
  return `{\n  "figures": ${JSON.stringify(figures)},\n  "sweeps": {\n${parts.join(',\n')}\n  }\n}\n`;
}

const names = Object.keys(PUBLICATIONS) as PublicationName[];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'none' && !names.some((known) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no measurement "${unknown[0]}"; there are ${names.join(', ')}.\n`);
  process.exit(1);
}
const before = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as PublishedFile).sweeps : {};
const sweeps: Record<string, PublishedFile['sweeps'][string]> = {};
for (const name of names) {
  const isAsked = asked.length === 0 || asked.includes(name);
  sweeps[name] = isAsked ? storeRows(await measure(name)) : (before[name] ?? []);
}
const file: PublishedFile = { figures: PUBLISHED_FIGURES, sweeps };
writeFileSync(FILE, textOf(file));
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), file));
for (const figure of CHARTED)
  writeFileSync(
    join(FOLDER, `latency-${figure}.svg`),
    `${figureChart(readRows(file, 'latency'), 'latency', figure)}\n`,
  );
