import { metaQuest3, XRDevice } from 'iwer';
import type { BufferGeometry, Matrix4, ShaderMaterial } from 'three';
import { Mesh } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { BodyId, HandSide, Slot } from '../../../src/core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../../src/core/base/ids.ts';
import { copyPose } from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import { TeleportArc } from '../../../src/view/headset/lines/arc.ts';
import { ControllerModel } from '../../../src/view/headset/hands/controller-model.ts';
import type { HeadsetMode } from '../../../src/view/headset/display.ts';
import { HeadsetDisplay, offeredModes } from '../../../src/view/headset/display.ts';
import { controllerModelUrl } from '../../../src/view/headset/hands/input-profiles.ts';
import { HandLabels } from '../../../src/view/headset/labels/label.ts';
import { OwnHands } from '../../../src/view/headset/hands/own-hands.ts';
import { FriendSigns } from '../../../src/view/headset/gaze/friend-signs.ts';
import { GazeNews } from '../../../src/view/headset/gaze/gaze-news.ts';
import { Vignette } from '../../../src/view/headset/gaze/vignette.ts';
import { PanelSurface } from '../../../src/view/headset/panel/panel-surface.ts';
import { PointerLines } from '../../../src/view/headset/lines/pointer.ts';
import { createRenderer } from '../../../src/view/renderer.ts';
import { Signpost } from '../../../src/view/signpost.ts';
import { WorldView } from '../../../src/view/world-view.ts';

/** The picture of a player in an emulated Quest 3, with every part of it at once. */
const device = new XRDevice(metaQuest3, { ipd: 0 });
device.installRuntime({ forceInstall: true });
const canvas = document.querySelector('canvas')!;
const renderer = createRenderer(canvas, 'full');
renderer.resize(1280, 960, 1);
const scene = createLevel({ id: 'grid', seed: 1, count: 24 });
const world = new WorldView(scene, 'full');
const display = new HeadsetDisplay(renderer);
const player = new HeadsetPlayer({ position: { x: 0, y: 1.6, z: 3 }, yaw: 0 });
const view = peerView(scene.bodies.length);
const parts = {
  hands: new OwnHands(world.light),
  pointers: new PointerLines(),
  arc: new TeleportArc(),
  labels: new HandLabels(),
  news: new GazeNews(),
  signs: new FriendSigns(),
  vignette: new Vignette(),
  signpost: new Signpost('KQXMT', world.light),
  panel: new PanelSurface(0.24, 0.16),
};
world.rig.add(parts.hands.group);
world.extras.add(parts.pointers.mesh, parts.arc.group, parts.labels.mesh, parts.panel.mesh);
world.extras.add(parts.news.mesh, parts.signs.mesh, parts.vignette.mesh, parts.signpost.group);
parts.signpost.place({ x: 0.4, y: 0, z: 1.6 });
parts.panel.mesh.position.set(-0.28, 1.28, 2.45);
parts.panel.mesh.rotation.set(-0.35, 0.35, 0);

scene.bodies.forEach(({ start }, i) => {
  const { position: p, rotation: r } = start;
  view.poses.set([p.x, p.y, p.z, r.x, r.y, r.z, r.w], i * POSE_STRIDE);
});
view.self = 0 as Slot;
const me = view.avatars[0];
me.present = true;

let last = 0;
let frames = 0;
/** Red, green, blue and opacity of the picture's upper left corner. */
const corner = new Uint8Array(4);
let withParts = true;
let isMoved = false;
/** The waiting tests, by the frame that they wait for. */
let due: { readonly frame: number; readonly resolve: () => void }[] = [];
renderer.webgl.setAnimationLoop((now) => {
  const { session, space, frame, mode } = display;
  if (session === null || space === null || frame === null) return;
  const seconds = Math.min(0.1, (now - last) / 1000);
  last = now;
  player.beginFrame(now, frame, space, session.inputSources, [false, false]);
  const input = player.drawn();
  copyPose(input.head, me.head);
  for (const side of HAND_SIDES) {
    const [from, to] = [input.hands[side], me.hands[side]];
    copyPose(from.pose, to.pose);
    Object.assign(to, { tracked: from.tracked, grip: from.grip, trigger: from.trigger });
  }
  world.rig.position.copy(player.rig.position);
  world.rig.quaternion.copy(player.rig.rotation);
  world.rig.updateMatrixWorld(true);
  const passthrough = mode === 'ar';
  const { hands, pointers, arc, labels } = parts;
  const { devices, joints } = player;
  hands.update({
    self: view.self,
    passthrough,
    frame,
    space,
    sources: session.inputSources,
    devices,
    joints,
  });
  pointers.update(view, seconds);
  arc.update(player.teleport, view.self, seconds);
  labels.update(view, hands, world.camera, seconds);
  parts.news.update(me.head, seconds);
  parts.signs.update(view, seconds);
  parts.vignette.update(isMoved, seconds);
  parts.signpost.update(me.head.position, seconds);
  world.extras.visible = hands.group.visible = withParts;
  const options = { highlight: NO_BODY, showOwnHands: true, replacedHands: hands.shown, passthrough };
  world.update(view, seconds, options);
  renderer.render([{ view: world, left: 0, top: 0, width: 1280, height: 960 }]);
  frames++;
  const gl = renderer.webgl.getContext();
  gl.readPixels(2, gl.drawingBufferHeight - 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, corner);
  for (const { frame: number, resolve } of due) if (number <= frames) resolve();
  due = due.filter(({ frame: number }) => number > frames);
});

function meshes(): Mesh<BufferGeometry, ShaderMaterial>[] {
  const found: Mesh<BufferGeometry, ShaderMaterial>[] = [];
  for (const group of [parts.hands.group, world.extras]) {
    group.traverse((object) => {
      if (object instanceof Mesh) found.push(object as Mesh<BufferGeometry, ShaderMaterial>);
    });
  }
  return found;
}

const page = {
  device,
  display,
  hands: parts.hands,
  labels: parts.labels,
  say: (sentence: string) => parts.news.say(sentence),
  linesLeft: () => parts.news.left,
  /** Lets seconds pass for the news, without a picture for each step. */
  passNews: (seconds: number) => {
    const STEP = 0.05;
    for (let passed = 0; passed < seconds; passed += STEP) parts.news.update(me.head, STEP);
  },
  /** Puts a friend somewhere. @returns nothing; its arrow is seen some frames later. */
  friendAt: (x: number, y: number, z: number) => {
    const friend = view.avatars[1];
    friend.present = true;
    Object.assign(friend.head.position, { x, y, z });
  },
  arrowOf: (slot: number) => parts.signs.opacities[slot],
  /** Whether the picture's edge is dark. */
  glide: (moved: boolean) => {
    isMoved = moved;
  },
  corner: () => [...corner],
  offers: () => offeredModes(),
  enter: (mode: HeadsetMode) => display.enter(mode),
  isPresenting: () => renderer.webgl.xr.isPresenting,
  resize: (width: number, height: number) => renderer.resize(width, height, 1),
  canvasSize: () => [canvas.width, canvas.height],
  /** Lets frames be drawn. */
  draw: (count: number) =>
    new Promise<void>((resolve) => {
      due.push({ frame: frames + count, resolve });
    }),
  select: (side: HandSide, body: number) => {
    me.hands[side].selected = body as BodyId;
  },
  /** Draw calls for each eye. */
  calls: () => renderer.webgl.info.render.calls / renderer.webgl.xr.getCamera().cameras.length,
  showParts: (shown: boolean) => {
    withParts = shown;
  },
  /** Where the joints of all hands that are drawn have moved to. */
  joints: () =>
    meshes()
      .filter(({ visible, material }) => visible && material.name === 'own hand')
      .map(({ material }) => (material.uniforms.joints.value as Matrix4[]).flatMap((m) => m.elements)),
  /** The buttons that the model of a controller has. */
  async buttonsOf(profile: string, side: HandSide): Promise<string[]> {
    const { scene: model } = await new GLTFLoader().loadAsync(controllerModelUrl([profile], side) ?? '');
    const controller = new ControllerModel(model, world.light);
    controller.dispose();
    return Object.keys(controller.buttons).sort();
  },
  drawPanel: () => {
    parts.panel.redraw((context) => {
      context.fillStyle = '#fcfcfb';
      context.beginPath();
      context.roundRect(0, 0, parts.panel.width, parts.panel.height, 20);
      context.fill();
      context.fillStyle = '#22272e';
      context.font = '600 26px system-ui, sans-serif';
      context.fillText('Room KITE · 3 players', 24, 48);
      context.font = '20px system-ui, sans-serif';
      context.fillText('Round trip 42 ms, bandwidth 61 kbit/s', 24, 90);
    });
  },
  /** @returns how many geometries and pictures of the parts are still with the GPU afterwards. */
  dispose(): number {
    renderer.webgl.setAnimationLoop(null);
    const { properties, info } = renderer.webgl;
    const pictures = meshes().map(({ material }) => material.uniforms.picture?.value as object | null);
    const kept = pictures.filter((picture) => picture !== null && picture !== undefined);
    world.dispose();
    for (const part of Object.values(parts)) part.dispose();
    return info.memory.geometries + kept.filter((picture) => properties.has(picture)).length;
  },
};
export type HeadsetViewPage = typeof page;
declare global {
  interface Window {
    headsetView?: HeadsetViewPage;
  }
}
window.headsetView = page;
