import { expect, test } from 'vitest';
import { FIELDS } from '../../src/tools/wire/fields.ts';
import { benchWire } from '../../src/tools/wire/wire-bench.ts';

test('[W1.2] a pile on the wire decodes as it was, and each field has its share of the worst second', async () => {
  const report = await benchWire({ scene: 'pile', count: 64, seeds: [101], authority: true });
  expect(report.wrong).toBe(0);
  const ours = report.rows.find(({ scheme }) => scheme === 'our range coder');
  expect(ours?.mean).toBeLessThan(50);
  expect(ours?.worstSecond).toBeLessThan(300);
  const shares = FIELDS.map((field) => report.worstFields[field]);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 1);
  // Velocities change by every knock; nothing foretells them.
  expect(report.worstFields.linear + report.worstFields.angular).toBeGreaterThan(0.45);
  for (const share of shares) expect(share).toBeGreaterThan(0.01);
});
