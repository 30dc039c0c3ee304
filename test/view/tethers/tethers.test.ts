import type { InstancedMesh } from 'three';
import { Matrix4, Texture, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { pose, quaternion, vector } from '../../../src/core/base/math.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Joint } from '../../../src/core/world/joints/joint.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { Light } from '../../../src/view/light/daylight.ts';
import { PIECES } from '../../../src/view/tethers/tether-path.ts';
import { Tethers } from '../../../src/view/tethers/tethers.ts';

const LIGHT: Light = {
  uniforms: { sunMatrix: { value: new Matrix4() }, sunShadow: { value: new Texture() } },
  defines: {},
};
const CUBE = { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [0.1, 0.1, 0.1] } } as const;
/** From the world, 3 m up, to half a metre above the middle of the only body. */
const ROPE: Joint = {
  kind: 'rope',
  length: 1,
  collides: true,
  ends: [
    { body: null, frame: { position: vector(0, 3, 0), rotation: quaternion() } },
    { body: 0, frame: { position: vector(0, 0.5, 0), rotation: quaternion() } },
  ],
};

function levelWith(joints: readonly Joint[]): Level {
  return { ...flatLevel('tethers', [{ template: CUBE, start: pose() }]), joints };
}

/** The body lies at 0, 2, 0, a quarter turned about z: up is -x. */
function viewWith(joints: readonly (Joint | null)[]): PeerView {
  const view = peerView(1);
  view.poses.set([0, 2, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  view.joints.push(...joints);
  return view;
}

function meshOf(tethers: Tethers): InstancedMesh {
  return tethers.group.children[0] as InstancedMesh;
}

test('a rope goes from its place in the world to its place on the body as drawn, in pieces', () => {
  const tethers = new Tethers(levelWith([ROPE]), LIGHT);
  tethers.update(viewWith([ROPE]));
  const mesh = meshOf(tethers);
  expect(mesh.count).toBe(PIECES.rope);
  const last = new Matrix4();
  mesh.getMatrixAt(PIECES.rope - 1, last);
  const end = new Vector3(0, 0.5, 0).applyMatrix4(last);
  [-0.5, 2, 0].forEach((n, i) => expect(end.getComponent(i)).toBeCloseTo(n, 4));
});

test('nothing is drawn of a joint that is gone, or whose body is not there', () => {
  const tethers = new Tethers(levelWith([ROPE]), LIGHT);
  tethers.update(viewWith([null]));
  expect([meshOf(tethers).count, meshOf(tethers).visible]).toEqual([0, false]);
  const view = viewWith([ROPE]);
  view.exists[0] = 0;
  tethers.update(view);
  expect(meshOf(tethers).count).toBe(0);
});

test('a view of a level with more ropes is drawn as far as there is room', () => {
  const tethers = new Tethers(levelWith([ROPE]), LIGHT);
  tethers.update(viewWith([ROPE, ROPE]));
  expect(meshOf(tethers).count).toBe(PIECES.rope);
});

test('in a level with very many, each is a line', () => {
  const many = Array.from({ length: 1000 }, () => ROPE);
  const tethers = new Tethers(levelWith(many), LIGHT);
  tethers.update(viewWith(many));
  expect(meshOf(tethers).count).toBe(1000);
});
