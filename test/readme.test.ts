import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

/** Within the project, so that its own name is found as that of an installed package is. */
const FOLDER = 'test/output/readme';
const FILE = `${FOLDER}/two-peers.mts`;

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test('the example of the README runs, and says what the README says', () => {
  const example = /```ts\n(.*?)```\n/s.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(FILE, example);
  const said = execFileSync(process.execPath, ['--import', 'tsx', FILE], { encoding: 'utf8' });
  expect(said).toBe('The host sees the cube 1.25 m up.\n');
});
