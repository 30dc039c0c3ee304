import { expect, it } from 'vitest';
import { modelOf } from '../../../src/lab/models.ts';
import type { PublicationName, PublishedFile } from '../../../src/lab/sweep/published.ts';
import { PUBLICATIONS, PUBLISHED_FIGURES, storeRows } from '../../../src/lab/sweep/published.ts';
import { sweep } from '../../../src/lab/sweep/sweep.ts';
import { loadEngines } from '../play.ts';
import { CLAIMS, mediansOf } from './claims.ts';

it('every sentence of docs/which-model.md that compares holds for figures that were measured just now', async () => {
  const engines = await loadEngines();
  const sweeps: Record<string, PublishedFile['sweeps'][string]> = {};
  for (const name of Object.keys(PUBLICATIONS) as PublicationName[]) {
    const publication = PUBLICATIONS[name];
    const models = publication.models.flatMap((id) => modelOf(id) ?? []);
    sweeps[name] = storeRows([...sweep({ ...publication, models, engines })].map(({ row }) => row));
  }
  const medians = mediansOf({ figures: PUBLISHED_FIGURES, sweeps });
  const broken = CLAIMS.filter(({ holds }) => !holds(medians)).map(({ sentence }) => sentence);
  expect(broken).toEqual([]);
});
