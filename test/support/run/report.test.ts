import { expect, test } from 'vitest';
import type { VitestReport } from './report.ts';
import { closingLine, failedFiles, replaced, tally, total } from './report.ts';

function report(results: Record<string, string>, status = 'passed', message = ''): VitestReport {
  const assertionResults = Object.entries(results).map(([fullName, status]) => ({ fullName, status }));
  return { testResults: [{ name: 'x.test.ts', status, message, assertionResults }] };
}

test('tests are counted by how they ended', () => {
  const some = report({ a: 'passed', b: 'passed', c: 'failed', d: 'pending', e: 'todo' }, 'failed');
  const counted = tally('unit', some, 1);
  expect(counted).toEqual({ passed: 2, failed: ['unit: c'], skipped: ['d', 'e'], unsteady: [] });
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

test('what a later run found takes the place of what the first found in the same files, and of nothing else', () => {
  const file = (name: string, results: Record<string, string>): VitestReport['testResults'][number] => {
    const failed = Object.values(results).includes('failed');
    return { ...report(results, failed ? 'failed' : 'passed').testResults[0], name };
  };
  const first = {
    testResults: [file('a', { one: 'passed' }), file('b', { two: 'failed', three: 'passed' })],
  };
  expect(failedFiles(first)).toEqual(['b']);
  expect(failedFiles(undefined)).toEqual([]);
  const later = { testResults: [file('b', { two: 'passed', three: 'failed' })] };
  const both = tally('stories', replaced(first, later), 1);
  expect(both.failed).toEqual(['stories: three']);
  expect(both.passed).toBe(2);
  expect(tally('stories', replaced(first, undefined), 1).failed).toEqual(['stories: two']);
});
