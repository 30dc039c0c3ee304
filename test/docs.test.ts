import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { LAB_MODELS } from '../src/lab/models.ts';
import { BOT_NAMES } from '../src/pages/settings.ts';

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

test('README and which-model.md count the lab’s models', () => {
  expect(LAB_MODELS).toHaveLength(14);
  for (const page of ['README.md', 'docs/which-model.md'])
    expect(readFileSync(page, 'utf8'), page).toContain('fourteen network models');
});

test('play.md names every bot', () => {
  const row = /^\| `bots` \| (.*?):/m.exec(readFileSync('docs/play.md', 'utf8'))?.[1];
  expect(row).toBe(BOT_NAMES.map((name) => `\`${name}\``).join(', '));
});
