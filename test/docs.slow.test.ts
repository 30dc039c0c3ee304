import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Within the project, so that its own name is found as that of an installed package is. */
const FOLDER = 'test/output/readme';

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Runs the first example of a page. @returns the file, and what it says. */
function run(page: string): { readonly file: string; readonly said: string } {
  const example = /```ts\n(.*?)```\n/s.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
  const file = `${FOLDER}/${page.replaceAll(/\W/g, '-')}.mts`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, example);
  return { file, said: execFileSync(process.execPath, ['--import', 'tsx', file], { encoding: 'utf8' }) };
}

test('the example of the README runs, and says what the README says', () => {
  expect(run('README.md').said).toBe('The host sees the cube 1.25 m up.\n');
});

test('the example of shared-state.md runs, and its types follow from its schema', () => {
  const { file, said } = run('docs/shared-state.md');
  expect(said.split('\n')).toEqual([
    'Player 1 blows a horn: 0.7.',
    'The room is wild.',
    'The guest is ready: true.',
    'On the cube stands “the guest’s cube”.',
    'The guest gives itself points: not the writer.',
    '',
  ]);
  expect(faultsOf(file)).toBe('');
  const wrong = `${FOLDER}/wrong.mts`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(wrong, text.replace("set('mode', 'wild')", "set('mode', 'mild')"));
  expect(faultsOf(wrong)).toContain('\'"mild"\' is not assignable to parameter of type');
});

/** The compiler's words on a file; empty if it finds no fault. */
function faultsOf(file: string): string {
  const project = `${FOLDER}/tsconfig.json`;
  writeFileSync(
    project,
    JSON.stringify({ extends: '../../../tsconfig.json', include: [], files: [basename(file)] }),
  );
  const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], {
    encoding: 'utf8',
  });
  return stdout;
}
