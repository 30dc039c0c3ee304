import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The tables of docs/server-rooms.md, which the tools of this folder measure. */

const PAGE = fileURLToPath(new URL('../../docs/server-rooms.md', import.meta.url));

/** @returns a table in Markdown. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Puts a table into the page, in place of the last one. @throws Error if the page has no place of that name. */
export function writeTable(name: string, table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const between = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
  if (!between.test(page)) throw new Error(`docs/server-rooms.md has no place for the table "${name}".`);
  writeFileSync(
    PAGE,
    page.replace(between, (_, begin: string, end: string) => `${begin}${table}\n${end}`),
  );
}
