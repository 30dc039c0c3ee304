import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../src/tools/package/build.ts';

const ROOT = resolve('.');
/** Strict as a project can be, and it checks the package's own declarations, too. */
const OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

/** The versions of Rapier and of TypeScript that other projects may have. */
const ENGINES = [
  '@dimforge/rapier3d-compat',
  '@dimforge/rapier3d-simd-compat',
  '@dimforge/rapier3d-deterministic-compat',
  'rapier-0.19',
  'rapier-0.21',
];
const COMPILERS = ['typescript', 'typescript-6'];
/** The declarations of Rapier, three.js and PeerJS need these themselves. */
const OTHERS_NEED = ['ESNext', 'DOM', 'DOM.Iterable'];
const BUNDLED = { module: 'ESNext', moduleResolution: 'bundler' };

const NEEDS_NOTHING = `
import { Peer, toSlot } from 'handover';
import { Member } from 'handover/membership';
import { readRecording } from 'handover/files';
import { adopt } from 'handover/rapier';
import { BodyObjects } from 'handover/three';
import { RoomHarness } from 'handover/testing';
import { createLevel } from 'handover/levels';
export const all = [Peer, toSlot, Member, readRecording, adopt, BodyObjects, RoomHarness, createLevel];
`;

/** In a folder of its own outside the repository, from the packed file, by npm alone and without a network. */
describe('the packed file', () => {
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'handover-package-'));
    await buildPackage(ROOT, join(folder, 'built'));
    npm(['pack', '--silent', './built'], folder);
    const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    npm(['install', '--offline', '--no-audit', '--no-fund', join('..', tarball)], join(folder, 'consumer'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function npm(words: readonly string[], cwd: string): void {
    execFileSync('npm', words, { cwd, stdio: 'pipe', shell: process.platform === 'win32' });
  }

  function write(path: string, text: string): string {
    const file = join(folder, 'consumer', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Another package, as if the project had installed it. */
  function have(name: string): void {
    const link = join(folder, 'consumer/node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }

  /** @returns the compiler's words; empty if it has nothing to say. */
  function compile(
    compiler: string,
    files: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): string {
    const project = write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...OPTIONS, module: 'NodeNext', noEmit: true, ...more }, files }),
    );
    try {
      return execFileSync(
        process.execPath,
        [join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', project],
        {
          encoding: 'utf8',
        },
      );
    } catch (error) {
      return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    }
  }

  function run(script: string): string {
    return execFileSync(process.execPath, [script], { encoding: 'utf8' });
  }

  it('installs itself alone', () => {
    const installed = readdirSync(join(folder, 'consumer/node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(installed).toEqual(['handover']);
    const files = readdirSync(join(folder, 'consumer/node_modules/handover')).sort();
    expect(files).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'lib', 'package.json', 'types']);
  });

  it('runs in plain Node, with nothing else installed', () => {
    const script = write('plain.js', `${NEEDS_NOTHING}console.log(all.every(Boolean));`);
    expect(run(script)).toBe('true\n');
  });

  it.each(COMPILERS)('has types for the strictest project, with nothing else installed: %s', (compiler) => {
    write('alone.ts', NEEDS_NOTHING);
    expect(compile(compiler, ['alone.ts'])).toBe('');
  });

  it('has types that fit every engine, three.js and PeerJS, and the README’s example runs', () => {
    for (const name of [...ENGINES, 'peerjs', 'three', '@types/three']) have(name);
    const example = /```ts\n(.*?)```\n/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
    write('two-peers.ts', example);
    write('every.ts', everyFace());
    const toRun = { lib: OTHERS_NEED, noEmit: false, outDir: 'out' };
    expect(compile('typescript', ['two-peers.ts'], toRun)).toBe('');
    expect(run(join(folder, 'consumer/out/two-peers.js'))).toBe('The host sees the cube 1.25 m up.\n');
    // Only bundlers find the declarations of Rapier 0.19.
    expect(compile('typescript', ['every.ts'], { lib: OTHERS_NEED, ...BUNDLED })).toBe('');
  });

  it('has types that can fail', () => {
    write('wrong.ts', "import { Peer } from 'handover';\nnew Peer({ slot: 1 });\n");
    expect(compile('typescript', ['wrong.ts'])).toContain('wrong.ts(2,');
  });
});

/** Uses each face, with each build of the engine, and three.js's own types. */
function everyFace(): string {
  const engines = ENGINES.map((name, i) => `import RAPIER${i} from '${name}';`).join('\n');
  const uses = ENGINES.map(
    (_, i) => `
  const world${i} = new RAPIER${i}.World({ x: 0, y: -9.81, z: 0 });
  const ball${i} = world${i}.createRigidBody(RAPIER${i}.RigidBodyDesc.dynamic());
  const adopted${i} = adopt(RAPIER${i}, world${i}, [ball${i}], { onContactForce: (e) => e.totalForceMagnitude() });
  adopted${i}.bodyOf(toBody(0))?.userData;
  createSimulation(RAPIER${i}, adopted${i}.level);`,
  );
  return `${engines}
import { Group, InstancedMesh, Mesh, Object3D } from 'three';
import type { Level, PeerEvent } from 'handover';
import { MOTION, Peer, peerView, toBody, toSlot } from 'handover';
import { Member, Offences } from 'handover/membership';
import { readRecording } from 'handover/files';
import { adopt, createSimulation } from 'handover/rapier';
import { AvatarObjects, BodyObjects, placeInstances } from 'handover/three';
import { WebRtcStation } from 'handover/webrtc';
import { Referee, RoomHarness } from 'handover/testing';
import { createLevel } from 'handover/levels';

export function use(level: Level, peer: Peer, scene: Group): void {
  ${uses.join('\n')}
  const bodies = new BodyObjects<Mesh>(level, {
    create: (_, { shape }) => (shape.kind === 'ball' ? new Mesh() : null),
    remove: (mesh) => scene.remove(mesh),
  });
  const players = new AvatarObjects({
    create: () => ({ head: new Object3D(), hands: [new Object3D(), null] as const }),
    remove: ({ head }) => scene.remove(head),
  });
  const view = peerView(3);
  bodies.update(view);
  players.update(view);
  placeInstances(view, [toBody(1)], new InstancedMesh(undefined, undefined, 1));
  const events: PeerEvent[] = [];
  peer.diagnostics.events.each(0, (event) => events.push({ ...event }));
  const station = new WebRtcStation({ host: '', port: 1, path: '', secure: true, rtc: {} });
  station.transport.ready(toSlot(1));
  peer.dispose();
  void [Member, Offences, readRecording, Referee, RoomHarness, createLevel, MOTION.linear];
}
`;
}
