import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { temporaryFolder } from '../folders.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** The parts of the project that a server of the tests runs, and the file that has the version. */
const PARTS = ['package.json', 'tsconfig.json', 'src', 'test/dedicated/site.ts', 'test/server/cluster'];
const VERSION_FILE = 'src/core/room/messages.ts';

export const NEXT_VERSION = PROTOCOL_VERSION + 1;

/** @returns the folder of a copy of this project that has the next protocol version. It ends with the test. */
export function copyWithNextVersion(): string {
  const copy = temporaryFolder();
  for (const part of PARTS) cpSync(join(PROJECT, part), join(copy, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  const file = join(copy, VERSION_FILE);
  const [before, after] = [PROTOCOL_VERSION, NEXT_VERSION].map((version) => `PROTOCOL_VERSION = ${version};`);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${VERSION_FILE} has no "${before}".`);
  writeFileSync(file, text.replace(before, after));
  return copy;
}
