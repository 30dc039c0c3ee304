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
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import sirv from 'sirv';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type * as Handover from '../../src/core/index.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import type { Room } from '../../src/room/room.ts';
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
declare function draw(view: PeerView): void;
declare function meshOf(shape: Shape): Mesh;
declare function headOf(slot: Slot): Mesh;
declare function removeParts(parts: AvatarParts): void;
declare class MyBot implements Bot {
  constructor(seat: BotSeat);
  act: Bot['act'];
}
`;

/** The same for its snippet with React Three Fiber. */
const REACT_PRELUDE = `
import type { RapierRigidBody } from '@react-three/rapier';
import { Physics, RigidBody } from '@react-three/rapier';
import { SharedRoom, useShared } from 'handover/react';
import { useRef } from 'react';
import '@react-three/fiber';
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
    write('guide.ts', guideFragments());
    const files = ['every.ts', 'library.ts', 'guide.ts'];
    expect(compile('typescript', files, { lib: OTHERS_NEED, ...BUNDLED })).toBe('');
  });

  it('has types that fit React Three Fiber', () => {
    const needed = [
      'react',
      '@types/react',
      'three',
      '@types/three',
      '@react-three/fiber',
      '@react-three/rapier',
    ];
    for (const name of needed) have(name);
    const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
    const snippets = [...page.matchAll(/```tsx\n(.*?)```\n/gs)].map(([, code]) => code);
    expect(snippets).toHaveLength(1);
    write('react.tsx', `${REACT_PRELUDE}${snippets[0]}export { game };\n`);
    // The declarations of React's world have faults of their own.
    const more = { lib: OTHERS_NEED, ...BUNDLED, jsx: 'react-jsx', skipLibCheck: true };
    expect(compile('typescript', ['react.tsx'], more)).toBe('');
    write(
      'wrong.tsx',
      `${REACT_PRELUDE}export const wrong = <SharedRoom link={1} />;\nvoid [useRef, Physics, RigidBody, useShared];\n`,
    );
    expect(compile('typescript', ['wrong.tsx'], more)).toContain('wrong.tsx');
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
    const broker = encodeURIComponent(new URL('broker', site.url).href);
    const address = `http://127.0.0.1:${port}/examples/two-pages/?broker=${broker}`;
    const host = await openPlain(browser, address);
    await host.getByText('You are the host.').waitFor();
    const guest = await openPlain(browser, host.url());
    await guest.getByText('You are the guest.').waitFor();
    await guest.waitForTimeout(3000);
    const [before] = await bodiesOf(host);
    await guest.getByRole('button').click();
    // The height of a kicked ball lasts for a moment, which a busy machine may miss; who has had it last is kept.
    await expect
      .poll(async () => (await bodiesOf(host))[0].authoritySequence)
      .toBeGreaterThan(before.authoritySequence);
    // Once all rests, both pages have the same, to the last bit. The lift may rise after a first rest, so both are read anew.
    const haveTheSame = async (): Promise<boolean> => {
      const [there, here] = await Promise.all([bodiesOf(host), bodiesOf(guest)]);
      return there.every(({ resting }) => resting) && isDeepStrictEqual(here, there);
    };
    await expect.poll(haveTheSame, { interval: 250 }).toBe(true);

    // A tab that is loaded again has its place again; and when the host goes, the guest is the host.
    const slot = await slotOf(guest);
    await guest.reload();
    await guest.getByText('You are the guest.').waitFor();
    expect(await slotOf(guest)).toBe(slot);
    await host.close();
    await guest.getByText('You are the host.').waitFor();

    // A player that was removed does not come back by loading the page again.
    const third = await openPlain(browser, guest.url());
    await third.getByText('You are the guest.').waitFor();
    const removed = await slotOf(third);
    await guest.evaluate((slot) => {
      const { game } = globalThis as unknown as { game: { room: Room } };
      game.room.hosting?.remove(slot);
    }, removed as Slot);
    await third.getByText('The host removed you from the room.').waitFor();
    expect(await third.evaluate(() => sessionStorage.getItem('handover.seat'))).toBeNull();
  });

  it('has types that can fail', () => {
    write('wrong.ts', "import { Peer } from 'handover';\nnew Peer({ slot: 1 });\n");
    expect(compile('typescript', ['wrong.ts'])).toContain('wrong.ts(2,');
  });
});

type SharedBody = Pick<
  ReturnType<typeof Handover.inspect>['bodies'][number],
  'id' | 'position' | 'rotation' | 'authority' | 'resting' | 'ownershipSequence' | 'authoritySequence'
>;

async function openPlain(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(address);
  return page;
}

/** The lines of the guide that are no program: each in a block of its own, with what it takes from the game around it. */
function guideFragments(): string {
  const pages = ['README.md', 'docs/guide/time.md', 'docs/guide/hosting.md'];
  const fragments = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```js\n(.*?)```\n/gs)].map(([, code]) => code),
  );
  expect(fragments).toHaveLength(pages.length);
  return `${PRELUDE}
import type { Room } from 'handover/room';
import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
declare const room: Room, bodies: readonly RAPIER.RigidBody[];
void [Peer, createSimulation, Referee, RoomHarness, joinRoom, readRoomLink];
${fragments.map((code) => `{\n${code}void room;\n}`).join('\n')}
`;
}

/** The part of the example's game that the test reads. */
type ExampleGame = { readonly room: Pick<Room, 'peer' | 'slot'> };

/** The shared bodies of a page, without what only that page knows of them. */
async function bodiesOf(page: Page): Promise<readonly SharedBody[]> {
  // As a text, which no tool changes: the page finds the module by its import map.
  const script = "import('handover').then(({ inspect }) => inspect(game.room.peer).bodies)";
  const bodies = await page.evaluate<ReturnType<typeof Handover.inspect>['bodies']>(script);
  return bodies.map(({ id, position, rotation, authority, resting, ...record }) => {
    const { ownershipSequence, authoritySequence } = record;
    return { id, position, rotation, authority, resting, ownershipSequence, authoritySequence };
  });
}

function slotOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { game: ExampleGame }).game.room.slot);
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
import type { RigidBody } from '@dimforge/rapier3d-compat';
import { Group, InstancedMesh, Mesh, Object3D } from 'three';
import type { Level, PeerEvent } from 'handover';
import { MOTION, Peer, peerView, toBody, toSlot } from 'handover';
import { Member, Offences } from 'handover/membership';
import { readRecording } from 'handover/files';
import { adopt, createSimulation } from 'handover/rapier';
import { AvatarObjects, BodyObjects, placeInstances } from 'handover/three';
import type { OwnWorld } from 'handover/room';
import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
import { joinRoom as joinInNode, openRoom as openInNode } from 'handover/node';
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
  const own: OwnWorld<RigidBody> = { engine: RAPIER0, world: world0, bodies: [ball0] };
  const joined = readRoomLink('KQXMT') === null ? openRoom(own) : joinRoom('KQXMT', { ...own, name: 'Ada' });
  void joined.then((room) => {
    const stop = startTicker({ tick: () => room.tick(), frame: (alpha) => bodies.update(room.view(alpha)) });
    const body: RigidBody | null = room.bodyOf(toBody(0));
    room.peer.act({ kind: 'impulse', body: toBody(0), push: { x: 0, y: 1, z: 0 }, at: null });
    if (room.error !== null || body === null) stop();
  });
  void openInNode({ ...own, broker: 'ws://127.0.0.1:9000/' }).then((room) => joinInNode(room.link('http://a/'), own));
  void [Member, Offences, readRecording, Referee, RoomHarness, createLevel, MOTION.linear];
}
`;
}
