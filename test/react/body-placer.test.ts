import type { RapierContext } from '@react-three/rapier';
import { Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { beforeAll, expect, test } from 'vitest';
import { toBody } from '../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import { BodyPlacer } from '../../src/react/body-placer.ts';
import { REACT_ENGINE } from '../support/react-engine.ts';

type Bodies = RapierContext['rigidBodyStates'];

beforeAll(() => REACT_ENGINE.init());

test('shared bodies are where the view has them, others where the engine has them, within parents that are moved', () => {
  const world = new REACT_ENGINE.World({ x: 0, y: 0, z: 0 });
  const bodies: Bodies = new Map();
  const parent = new Object3D();
  parent.position.set(0, 5, 0);
  parent.rotation.set(0, Math.PI / 2, 0);
  parent.updateMatrixWorld();
  const add = (x: number): { readonly object: Object3D; readonly handle: number } => {
    const rigidBody = world.createRigidBody(REACT_ENGINE.RigidBodyDesc.dynamic().setTranslation(x, 0, 0));
    const object = new Object3D();
    object.scale.setScalar(2);
    parent.add(object);
    bodies.set(rigidBody.handle, {
      meshType: 'mesh',
      rigidBody,
      object,
      invertedWorldMatrix: parent.matrixWorld.clone().invert(),
      setMatrix: () => undefined,
      getMatrix: (matrix) => matrix,
      scale: object.scale.clone(),
      isSleeping: false,
    });
    return { object, handle: rigidBody.handle };
  };
  const [shared, absent, own] = [add(1), add(2), add(3)];
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.5);
  const view = peerView(2);
  view.exists[1] = 0;
  view.poses.set([7, 8, 9, ...turn.toArray()], 0);
  expect(POSE_STRIDE).toBe(7);
  const ids = new Map([
    [shared.handle, toBody(0)],
    [absent.handle, toBody(1)],
  ]);
  new BodyPlacer(bodies, ids).place(view);
  parent.updateMatrixWorld(true);
  const expected = new Matrix4().compose(new Vector3(7, 8, 9), turn, new Vector3(2, 2, 2));
  shared.object.matrixWorld.elements.forEach((value, i) =>
    expect(value).toBeCloseTo(expected.elements[i], 5),
  );
  expect(
    new Vector3().setFromMatrixPosition(own.object.matrixWorld).distanceTo(new Vector3(3, 0, 0)),
  ).toBeLessThan(1e-5);
  expect([shared, absent, own].map(({ object }) => object.visible)).toEqual([true, false, true]);
});
