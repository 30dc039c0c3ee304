import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packedReadme } from '../../src/tools/package/readme.ts';

const EXAMPLE = '```ts\nplay();\n```\n';

it('the package’s page leaves out what leads to files that the package does not have, and nothing else', () => {
  const library =
    '# The library\nIt plays. See [more](more.md).\n\n## Rooms\n- One. [Two](two.md) is. `Three` [is](https://a.example/b.md), too.\n';
  const page = packedReadme(EXAMPLE, library);
  expect(page).toContain('# Handover\n\nIt plays.\n\n');
  expect(page).toContain('```ts\nplay();\n```');
  expect(page).toContain('## Rooms\n- One. `Three` [is](https://a.example/b.md), too.\n');
  expect(page).not.toMatch(/more\.md|two\.md|\[Two|Two is/);
});

it('each item of docs/library.md still says something in the package', () => {
  const library = readFileSync('docs/library.md', 'utf8');
  const page = packedReadme(readFileSync('README.md', 'utf8'), library);
  const items = (text: string): number => [...text.matchAll(/^- \S/gm)].length;
  expect(items(library)).toBeGreaterThan(20);
  expect(items(page)).toBe(items(library));
  expect(page).not.toMatch(/\]\((?!https?:|#)/);
});
