import { expect, test } from 'vitest';
import { newLineage } from '../../src/core/room/identity/lineage.ts';
import { formerTenureOf } from '../../src/session/session-state.ts';
import { ROSTER } from '../core/room/samples.ts';
import { keyOf } from '../support/keys.ts';

test('[N6.2] [N3.7] a restored host keeps its seats, the door’s secret and the evidence of the snapshot', () => {
  const key = keyOf('the server');
  const lineage = newLineage(key, 'a salt', 5);
  const from = { lineage, epoch: 12 };
  const restored = { seats: ROSTER, door: 'the secret', from };
  expect(formerTenureOf({ lineage, restored }, key)).toMatchObject({
    tenure: { term: 5, lineage, door: 'the secret' },
    inherits: ROSTER,
    restoredFrom: from,
  });
  const reloaded = formerTenureOf({ lineage, restored: undefined }, key);
  expect(reloaded.tenure?.door).not.toBe('the secret');
  expect(reloaded.restoredFrom).toBeUndefined();
  expect(formerTenureOf({ lineage, restored }, keyOf('another')), 'another key has the room').toEqual({});
});
