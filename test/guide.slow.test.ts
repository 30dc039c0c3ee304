import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

/** Within the project, so that its own name is found as that of an installed package is. */
const FOLDER = 'test/output/guide';
const GUIDE = 'docs/guide';
const TEMPLATE = 'create-handover/template';

const pages = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(`${GUIDE}/${page}`, 'utf8');

/** The code of a page, in a language, block by block. */
function blocks(page: string, language: string): string[] {
  return [...textOf(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code);
}

const programs = pages.filter((page) => blocks(page, 'ts').length > 0);

describe('the guide', () => {
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  test.each(programs)('%s: its program prints what the page says', async (page) => {
    mkdirSync(FOLDER, { recursive: true });
    const file = `${FOLDER}/${page.replace('.md', '.mts')}`;
    writeFileSync(file, blocks(page, 'ts').join(''));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file]);
    expect(stdout).toBe(blocks(page, 'text').join(''));
  });

  test('its programs compile as it says', () => {
    mkdirSync(FOLDER, { recursive: true });
    const files = programs.map((page) => page.replace('.md', '-types.mts'));
    programs.forEach((page, i) => writeFileSync(`${FOLDER}/${files[i]}`, blocks(page, 'ts').join('')));
    const project = `${FOLDER}/tsconfig.json`;
    writeFileSync(project, JSON.stringify({ extends: '../../../tsconfig.json', include: [], files }));
    const compiler = ['node_modules/typescript/bin/tsc', '-p', project];
    expect(spawnSync(process.execPath, compiler, { encoding: 'utf8' }).stdout).toBe('');
    expect(textOf('README.md')).toContain('not with `noUncheckedIndexedAccess`');
  });

  test('has a program on each page that explains how play works', () => {
    expect(programs.sort()).toEqual([
      'authority.md',
      'levels.md',
      'machines.md',
      'own-world.md',
      'testing.md',
      'time.md',
      'wire.md',
    ]);
  });

  test('the first page shows the template as it is', () => {
    const files = readdirSync(TEMPLATE)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(`${TEMPLATE}/${name}`, 'utf8'));
    const shown = blocks('start.md', 'js');
    expect(shown.length).toBeGreaterThan(3);
    for (const code of shown)
      expect(
        files.filter((text) => text.includes(code)),
        code,
      ).toHaveLength(1);
  });

  test('the index names every page', () => {
    for (const page of pages.filter((name) => name !== 'README.md'))
      expect(textOf('README.md')).toContain(`](${page})`);
  });

  test('links lead to files', () => {
    for (const page of pages)
      for (const [, path] of textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        expect(() => readFileSync(`${GUIDE}/${path}`), `${page}: ${path}`).not.toThrow();
  });
});
