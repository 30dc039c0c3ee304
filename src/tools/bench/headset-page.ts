import { metaQuest3, XRDevice } from 'iwer';
import { NO_BODY } from '../../core/base/ids.ts';
import { TICK_MS } from '../../core/base/constants.ts';
import { peerView } from '../../core/peer/shown/peer-view.ts';
import type { HandKind } from '../../core/room/profile.ts';
import { Headset } from '../../pages/headset/headset.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { HeadsetDisplay } from '../../view/headset/display.ts';
import { createRenderer } from '../../view/renderer.ts';
import { Signpost } from '../../view/signpost.ts';
import { WorldView } from '../../view/world-view.ts';
import { RoomHarness } from '../../harness/room.ts';

/** The cost of a headset's frame in a world with this many cubes. */
export type HeadsetFigures = {
  readonly cubes: number;
  /** Drawn players besides the wearer. */
  readonly avatars: number;
  /** 2: one picture for each eye. */
  readonly views: number;
  /** The most in any frame, for each view. */
  readonly drawCalls: number;
  readonly triangles: number;
  /** The most in any frame for the shadows, which both views share. */
  readonly shadowCalls: number;
  /** Milliseconds of JavaScript in a frame, with the wearer's share of the ticks. */
  readonly frameMs: { readonly p50: number; readonly p99: number };
};

/** The page's side of the bench. */
export type HeadsetBench = { run(cubes: number, frames: number, warmUp: number): Promise<HeadsetFigures> };

declare global {
  interface Window {
    headsetBench?: HeadsetBench;
  }
}

/** Players besides the wearer. */
const AVATARS = 4;
/** CSS pixels. */
const SIZE = 128;
/** Everybody else has controllers, which cost more than other hands. */
const DRAWN = { ghosts: null, highlight: NO_BODY, handsOf: (): HandKind => 'controllers' };
/** Frames from one piece of news to the next. */
const NEWS_EVERY = 5;
/** The most ticks that a frame makes up for. */
const MOST_TICKS = 3;

const device = new XRDevice(metaQuest3, { stereoEnabled: true });
device.installRuntime({ forceInstall: true });
const renderer = createRenderer(document.querySelector('canvas') ?? new HTMLCanvasElement(), 'full');
renderer.resize(SIZE, SIZE, 1);
const display = new HeadsetDisplay(renderer);
let onFrame: ((now: number, frame: XRFrame) => void) | null = null;
// Set this before entering the headset; afterwards three would go on with the window's frames as well.
renderer.webgl.setAnimationLoop((now, frame) => {
  if (frame !== undefined) onFrame?.(now, frame);
});

/** A room in which everybody throws cubes, as the first player sees it in a headset. */
async function run(cubes: number, frames: number, warmUp: number): Promise<HeadsetFigures> {
  await loadPhysics();
  if (display.session === null && !(await display.enter('vr'))) throw new Error('There is no headset.');
  const room = new RoomHarness(
    {
      players: AVATARS + 1,
      scene: { id: 'grid', seed: 1, count: cubes },
      bots: 'chaos',
      seed: 1,
      conditions: { latencyMs: 30 },
      quietFrom: Infinity,
    },
    createRapierSimulation,
  );
  const world = new WorldView(room.level, 'full');
  const headset = new Headset(display, world, () => ({ position: { x: 0, y: 1.6, z: 6 }, yaw: 0 }));
  const sign = new Signpost('KQXMT', world.light);
  world.extras.add(sign.group);
  const figures = await measure(room, world, headset, { frames, warmUp });
  headset.takeOff();
  sign.dispose();
  world.dispose();
  room.dispose();
  return figures;
}

function measure(
  room: RoomHarness,
  world: WorldView,
  headset: Headset,
  { frames, warmUp }: { readonly frames: number; readonly warmUp: number },
): Promise<HeadsetFigures> {
  const { webgl } = renderer;
  const [peer] = room.peers;
  const view = peerView(room.level.bodies.length);
  const pane = { view: world, left: 0, top: 0, width: SIZE, height: SIZE };
  const times: number[] = [];
  const most = { calls: 0, triangles: 0, all: 0 };
  let views = 1;
  let [count, last, tickTime] = [0, performance.now(), performance.now()];

  /** @returns milliseconds that the other players' worlds took. */
  const tick = (now: number): number => {
    const begun = performance.now();
    if (now - tickTime > MOST_TICKS * TICK_MS) tickTime = now - TICK_MS;
    for (; tickTime + TICK_MS <= now; tickTime += TICK_MS) room.step();
    return ((performance.now() - begun) * AVATARS) / (AVATARS + 1);
  };

  const draw = (now: number, frame: XRFrame): number => {
    const begun = performance.now();
    const seconds = Math.min(0.1, (now - last) / 1000);
    last = now;
    headset.begin(now, frame, peer);
    const others = tick(now);
    peer.view(Math.min(1, (now - tickTime) / TICK_MS), headset.player?.drawn() ?? null, view);
    headset.place();
    world.update(view, seconds, { ...DRAWN, ...headset.options });
    if (count % NEWS_EVERY === 0) headset.say('Red is here.');
    headset.update(view, seconds, null);
    renderer.render([pane]);
    return performance.now() - begun - others;
  };

  return new Promise((resolve) => {
    onFrame = (now, frame) => {
      // Every other frame counts the shadows too, which are drawn before the views.
      const countsAll = count % 2 === 1;
      webgl.info.autoReset = !countsAll;
      webgl.info.reset();
      const ms = draw(now, frame);
      if (++count <= warmUp) return;
      times.push(ms);
      const { calls, triangles } = webgl.info.render;
      views = webgl.xr.getCamera().cameras.length;
      if (countsAll) most.all = Math.max(most.all, calls);
      else {
        most.calls = Math.max(most.calls, calls);
        most.triangles = Math.max(most.triangles, triangles);
      }
      if (times.length < frames) return;
      onFrame = null;
      resolve({
        cubes: room.level.bodies.length,
        avatars: view.avatars.filter(({ slot, present }) => present && slot !== view.self).length,
        views,
        drawCalls: most.calls / views,
        triangles: most.triangles / views,
        shadowCalls: Math.max(0, most.all - most.calls),
        frameMs: { p50: percentile(times, 0.5), p99: percentile(times, 0.99) },
      });
    };
  });
}

function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return Number((values[Math.ceil(share * values.length) - 1] ?? 0).toFixed(3));
}

window.headsetBench = { run };
