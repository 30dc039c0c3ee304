import { expect, test } from 'vitest';
import type { VitestReport } from './report.ts';
import { closingLine, tally, total } from './report.ts';

function report(results: Record<string, string>, status = 'passed', message = ''): VitestReport {
  const assertionResults = Object.entries(results).map(([fullName, status]) => ({ fullName, status }));
  return { testResults: [{ name: 'x.test.ts', status, message, assertionResults }] };
}

test('tests are counted by how they ended', () => {
  const some = report({ a: 'passed', b: 'passed', c: 'failed', d: 'pending', e: 'todo' }, 'failed');
  const counted = tally('unit', some, 1);
  expect(counted).toEqual({ passed: 2, failed: ['unit: c'], skipped: ['d', 'e'] });
  expect(closingLine(counted)).toBe('2 passed, 1 failed, 2 skipped');
  expect(closingLine(total([counted, counted]))).toBe('4 passed, 2 failed, 4 skipped');
});

test('a file that does not load is a failure, not nothing', () => {
  const counted = tally('unit', report({}, 'failed', 'Cannot find x\nat y'), 1);
  expect(counted.failed).toEqual(['unit: x.test.ts: Cannot find x']);
});

test('no tests, no report and an error outside of tests are failures', () => {
  expect(tally('unit', report({}), 0).failed).toEqual(['unit: no test ran']);
  expect(tally('unit', report({ a: 'skipped' }), 0).failed).toEqual(['unit: no test ran']);
  expect(tally('unit', undefined, 0).failed).toEqual(['unit: no test ran']);
  expect(tally('unit', undefined, 2).failed).toEqual(['unit: no test ran']);
  expect(tally('unit', report({ a: 'passed' }), 1).failed).toEqual(['unit: vitest ended with code 1']);
});

test('where skips need a reason, one without is a failure', () => {
  const some = report({ a: 'passed', b: 'skipped', c: 'skipped', d: 'skipped' });
  const counted = tally('browser', some, 0, { b: 'needs a headset', c: ' ' });
  expect(counted.skipped).toEqual(['b']);
  expect(counted.failed).toEqual([
    'browser: skipped, and test/allowed-skips.json does not say why: "c"',
    'browser: skipped, and test/allowed-skips.json does not say why: "d"',
  ]);
});
