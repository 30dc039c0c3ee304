import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sirv from 'sirv';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildPackage } from '../../src/tools/package/build.ts';
import { connectBrowser, openOwnSite } from '../support/run/stories.ts';

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

/** The names that the snippets of docs/library.md take from the project around them. */
const PRELUDE = `
import RAPIER from '@dimforge/rapier3d-compat';
import type { Mesh, Scene } from 'three';
import type { ConnectionId, Level, PeerView, PlayerInput, Shape, Slot } from 'handover';
import { Peer } from 'handover';
import { createSimulation } from 'handover/rapier';
import type { AvatarParts } from 'handover/three';
import type { Bot, BotSeat } from 'handover/testing';
import { Referee, RoomHarness } from 'handover/testing';
declare const world: RAPIER.World, ball: RAPIER.RigidBody, box: RAPIER.RigidBody, scene: Scene;
declare const slot: Slot, host: Slot, other: Slot, connection: ConnectionId;
declare const alpha: number, input: PlayerInput, view: PeerView;
declare function meshOf(shape: Shape): Mesh;
declare function headOf(slot: Slot): Mesh;
declare function removeParts(parts: AvatarParts): void;
declare class MyBot implements Bot {
  constructor(seat: BotSeat);
  act: Bot['act'];
}
`;

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

  /** Another package, as if the project had installed it; it may have another name here. */
  function have(name: string, from = name): void {
    const link = join(folder, 'consumer/node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(join(ROOT, 'node_modules', from), link, 'junction');
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
    const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
    const snippets = [...page.matchAll(/```ts\n(.*?)```\n/gs)].map(([, code]) => code);
    expect(snippets.length).toBeGreaterThan(2);
    // Each goes on where the one before it ends.
    write('library.ts', [PRELUDE, ...snippets].join('\n'));
    expect(compile('typescript', ['every.ts', 'library.ts'], { lib: OTHERS_NEED, ...BUNDLED })).toBe('');
  });

  it('joins two plain pages without a bundler, with Rapier 0.21, over WebRTC', async () => {
    have('peerjs');
    have('@dimforge/rapier3d-compat', 'rapier-0.21');
    cpSync(join(ROOT, 'examples'), join(folder, 'consumer/examples'), { recursive: true });
    const files = createServer(sirv(join(folder, 'consumer'), { dev: true }));
    await new Promise<void>((resolve_) => {
      files.listen(0, '127.0.0.1', resolve_);
    });
    onTestFinished(() => void files.close());
    const site = await openOwnSite();
    onTestFinished(() => site.close());
    const browser = await connectBrowser();
    onTestFinished(() => browser.close());
    const { port } = files.address() as AddressInfo;
    const broker = `host=127.0.0.1&port=${new URL(site.url).port}&path=/broker`;
    const address = `http://127.0.0.1:${port}/examples/two-pages/?${broker}`;
    const host = await openPlain(browser, address);
    const code = await host.locator('#status a').getAttribute('href', { timeout: 30_000 });
    const guest = await openPlain(browser, `${address}${code}`);
    for (const page of [host, guest]) await page.getByText(/^You are the /).waitFor({ timeout: 30_000 });
    await guest.waitForTimeout(3000);
    const [before] = await placesIn(host);
    await guest.getByRole('button').click();
    await expect
      .poll(async () => (await placesIn(host))[0].y - before.y, { timeout: 10_000, interval: 50 })
      .toBeGreaterThan(0.02);
    await expect.poll(() => differenceOf(host, guest), { timeout: 60_000, interval: 500 }).toBeLessThan(0.01);
  });

  it('has types that can fail', () => {
    write('wrong.ts', "import { Peer } from 'handover';\nnew Peer({ slot: 1 });\n");
    expect(compile('typescript', ['wrong.ts'])).toContain('wrong.ts(2,');
  });
});

type Place = { readonly x: number; readonly y: number };

async function openPlain(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(address);
  return page;
}

/** Metres: the places of the balls, as a page has drawn them. */
async function placesIn(page: Page): Promise<readonly Place[]> {
  return page.evaluate(() => (globalThis as unknown as { places: Place[] }).places);
}

/** Metres: how far the balls of two pages are apart, and from where they were half a second ago, at most. */
async function differenceOf(host: Page, guest: Page): Promise<number> {
  const earlier = await placesIn(host);
  await host.waitForTimeout(500);
  const [now, other] = await Promise.all([placesIn(host), placesIn(guest)]);
  const apart = now.flatMap(({ x, y }, i) => [
    Math.hypot(x - other[i].x, y - other[i].y),
    Math.hypot(x - earlier[i].x, y - earlier[i].y),
  ]);
  return Math.max(...apart);
}

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
