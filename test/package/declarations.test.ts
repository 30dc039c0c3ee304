import { expect, it } from 'vitest';
import { modulesOf, withScriptNames } from '../../src/tools/package/declarations.ts';

const DECLARATION = [
  "import type { A } from './a.ts';",
  'export { B } from "../b/b.ts";',
  "export declare const c: import('./c.ts').C;",
  "import './side.ts';",
  "import { Peer } from 'peerjs';",
  "/** Reads './d.ts'. */ export declare const e = './e.ts';",
].join('\n');

it('declarations for other projects name scripts, and leave packages and texts alone', () => {
  expect(withScriptNames(DECLARATION).split('\n')).toEqual([
    "import type { A } from './a.js';",
    'export { B } from "../b/b.js";',
    "export declare const c: import('./c.js').C;",
    "import './side.js';",
    "import { Peer } from 'peerjs';",
    "/** Reads './d.ts'. */ export declare const e = './e.ts';",
  ]);
});

it('the modules of a declaration are those that it names', () => {
  expect(modulesOf(DECLARATION)).toEqual(['./a.ts', '../b/b.ts', './c.ts', './side.ts']);
});
