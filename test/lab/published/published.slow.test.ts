import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/lab/models.ts';
import type { PublicationName, PublishedFile } from '../../../src/lab/sweep/published.ts';
import { CHARTED, PUBLICATIONS, readRows, storeRows, withTables } from '../../../src/lab/sweep/published.ts';
import { figureChart } from '../../../src/lab/sweep/report.ts';
import { sweep } from '../../../src/lab/sweep/sweep.ts';
import { loadEngines } from '../play.ts';
import { CLAIMS, mediansOf } from './claims.ts';

const PAGE = readFileSync('docs/which-model.md', 'utf8');
const FILE = JSON.parse(readFileSync('docs/lab/figures.json', 'utf8')) as PublishedFile;

/** The sentences of the page's paragraphs, without headings, tables and pictures. */
const SENTENCES = PAGE.split('\n')
  .filter((line) => line !== '' && !/^[#|!<]/.test(line))
  .flatMap((line) => line.split(/(?<=[.?!])(?:\*\*?)? (?=[A-Z*`])/))
  .map((sentence) => sentence.replace(/^\*.*?\*\*? /, '').trim());

/** A sentence that names a figure or a table rests on it. */
const RESTS = /\((Figure|Table|the rates|the sweep)/;
/** Words by which models are compared. */
const COMPARES =
  /\b(more|less|least|most|greatest|worse|better|faster|slower|fewer) than|\bthe (most|least|greatest)\b|\bat once\b.*\b(than|but)\b/;

describe('docs/which-model.md', () => {
  it.each(CLAIMS.map((claim) => [claim.sentence, claim] as const))('%s', (sentence, { holds }) => {
    expect(PAGE).toContain(sentence);
    expect(holds(mediansOf(FILE))).toBe(true);
  });

  it('has no sentence that compares without a figure that is checked', () => {
    const checked = new Set(CLAIMS.map(({ sentence }) => sentence));
    const unchecked = SENTENCES.filter(
      (sentence) => (RESTS.test(sentence) || COMPARES.test(sentence)) && !checked.has(sentence),
    );
    expect(unchecked).toEqual([]);
  });

  it('shows charts and tables of the published figures', () => {
    for (const figure of CHARTED) {
      const chart = figureChart(readRows(FILE, 'latency'), 'latency', figure);
      expect(readFileSync(`docs/lab/latency-${figure}.svg`, 'utf8'), figure).toBe(`${chart}\n`);
      expect(PAGE).toContain(`lab/latency-${figure}.svg`);
    }
    expect(withTables(PAGE, FILE)).toBe(PAGE);
  });

  it('has every published run', () => {
    for (const name of Object.keys(PUBLICATIONS) as PublicationName[]) {
      const { models, values, seeds } = PUBLICATIONS[name];
      expect(FILE.sweeps[name], name).toHaveLength(models.length * values.length * seeds.length);
    }
  });

  it('rests on figures that the models still have', async () => {
    const { scene, seeds, seconds, conditions } = PUBLICATIONS.push;
    const engines = await loadEngines();
    const models = PUBLICATIONS.push.models.flatMap((id) => modelOf(id) ?? []);
    const options = { models, scene, seconds, conditions, engines, axis: 'latency', values: [100] } as const;
    const fresh = [...sweep({ ...options, seeds: seeds.slice(0, 1) })].map(({ row }) => row);
    const stored = FILE.sweeps.push.filter(([, , seed]) => seed === seeds[0]);
    // An engine of another machine may differ in the last bit, and a heap makes much of it; this scene does not.
    for (const [i, [model, , , figures]] of storeRows(fresh).entries()) {
      expect(model).toBe(stored[i][0]);
      figures.forEach((figure, at) => {
        const before = stored[i][3][at];
        const name = `${model} ${FILE.figures[at]}`;
        if (before === null || figure === null) expect(figure, name).toBe(before);
        else expect(Math.abs(figure - before), name).toBeLessThanOrEqual(0.05 + 0.1 * Math.abs(before));
      });
    }
  });
});
