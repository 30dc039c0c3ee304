import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LAB_MODELS } from '../src/lab/models.ts';
import { BOT_NAMES } from '../src/pages/settings.ts';

test('README and which-model.md count the lab’s models', () => {
  expect(LAB_MODELS).toHaveLength(14);
  for (const page of ['README.md', 'docs/which-model.md'])
    expect(readFileSync(page, 'utf8'), page).toContain('fourteen network models');
});

test('play.md names every bot', () => {
  const row = /^\| `bots` \| (.*?):/m.exec(readFileSync('docs/play.md', 'utf8'))?.[1];
  expect(row).toBe(BOT_NAMES.map((name) => `\`${name}\``).join(', '));
});
