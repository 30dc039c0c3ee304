import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { peerInsidesRead } from './support/gates/peer-gate.ts';
import { parse, readTree, sourcesAmong } from './support/gates/source.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

describe("a peer's insides", () => {
  /** The types of the whole project, on a machine that may be busy with other things. */
  const PATIENCE_MS = 120_000;

  test(
    'are read by core and its own tests alone',
    () => {
      expect(peerInsidesRead(sourcesAmong(readTree(root)))).toEqual([]);
    },
    PATIENCE_MS,
  );

  const peer = parse(
    'src/core/peer/peer.ts',
    'export class Peer { readonly state = { tick: 0 }; readonly reader = 1; diagnostics = {}; }',
  );
  const session = "import { Peer } from '../core/peer/peer.ts'; export const peers = [new Peer()];";

  test.each([
    'const a = peers[0].state.tick;',
    "const a = peers[0]['reader'];",
    'const a = peers.find(() => true)?.state;',
    'for (const { state } of peers) state;',
    'peers.map(({ reader: r }) => r);',
    "import type { Peer } from '../core/peer/peer.ts'; let a: Peer['state'];",
  ])('a read of them is caught: %s', (text) => {
    const sample_ = [
      peer,
      parse('src/pages/session.ts', session),
      parse('src/pages/x.ts', `import { peers } from './session.ts';\n${text}`),
    ];
    expect(peerInsidesRead(sample_)).toEqual([
      expect.stringMatching(/^src\/pages\/x\.ts:2 reads (state|reader) of a Peer$/),
    ]);
  });

  test.each([
    ['src/pages/x.ts', "import { peers } from './session.ts'; peers[0].diagnostics;"],
    ['src/pages/x.ts', 'const line = { state: 1 }; line.state; const { state } = line;'],
    ['test/simulation/x.test.ts', "import { peers } from '../../src/pages/session.ts'; peers[0].state;"],
  ])('another read is not: %s %s', (path, text) => {
    expect(peerInsidesRead([peer, parse('src/pages/session.ts', session), parse(path, text)])).toEqual([]);
  });
});
