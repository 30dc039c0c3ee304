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
console.log(`The game is in ${given}. Now:\n\n  cd ${given}\n  npm install\n  npm start\n`);
