#!/usr/bin/env node
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm create handover FOLDER`: begins a game in a new folder. */
const [, , given = 'my-game'] = process.argv;
const folder = resolve(given);
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`The folder ${given} is not empty.`);
  process.exit(1);
}
cpSync(fileURLToPath(new URL('template', import.meta.url)), folder, { recursive: true });
// npm packs no file of the name .gitignore.
renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
const file = join(folder, 'package.json');
const name = basename(folder)
  .toLowerCase()
  .replace(/[^a-z0-9-]+/g, '-');
writeFileSync(file, readFileSync(file, 'utf8').replace('"name": "my-game"', `"name": "${name}"`));

// In Handover's repository the game takes the package from there, whether or not npm has it.
const repository = fileURLToPath(new URL('..', import.meta.url));
const isInRepository = existsSync(join(repository, 'src/core'));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const steps = isInRepository
  ? [
      `(cd "${repository}" && npm install && npm run build:package && npm pack ./dist-package)`,
      `cd "${given}"`,
      `npm install "${join(repository, `handover-${version}.tgz`)}"`,
    ]
  : [`cd "${given}"`, 'npm install'];
console.log(`The game is in ${given}. Now:\n\n  ${[...steps, 'npm start'].join('\n  ')}\n`);
