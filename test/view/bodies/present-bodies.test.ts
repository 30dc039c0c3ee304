import { MeshBasicMaterial, Raycaster, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { pose } from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { capacityOf, existing, firstIdOf, gone } from '../../../src/core/world/existence.ts';
import type { Level, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { BodyInstances } from '../../../src/view/bodies/body-instances.ts';
import { ColourFlow } from '../../../src/view/bodies/colour-flow.ts';
import { Emphasis } from '../../../src/view/bodies/emphasis.ts';
import { PresentBodies } from '../../../src/view/bodies/present-bodies.ts';
import { shapeGeometry } from '../../../src/view/bodies/shapes.ts';

const CUBE: Template = { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [0.25, 0.25, 0.25] } };
const BALL: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.25 } };
const [CUBES, BALLS] = [0, 1];

/** Two cubes of its own; players may spawn balls. */
function levelOf(): Level {
  const plain = flatLevel(
    'two cubes',
    [0, 1].map(() => ({ template: CUBE, start: pose() })),
  );
  return {
    ...plain,
    templates: [CUBE, BALL],
    spawning: { slots: 2, perPlayer: 2, perSecond: 2, templates: [BALL, CUBE] },
  };
}

const level = levelOf();
const SPAWNED = firstIdOf(level, 0 as Slot);

/** A view in which only the level's bodies are; each stands one metre to the right of the one before. */
function viewOf(): PeerView {
  const view = peerView(capacityOf(level));
  view.exists.fill(0, level.bodies.length);
  for (let body = 0; body < view.exists.length; body++)
    view.poses.set([body, 1, 0, 0, 0, 0, 1], body * POSE_STRIDE);
  return view;
}

function spawn(view: PeerView, body: BodyId, template: number, generation = 0): void {
  view.exists[body] = 1;
  view.existence[body] = existing(generation, template);
}

describe('[S1] the bodies of a view', () => {
  test('are those of the level first; ids without a body have no shape', () => {
    const present = new PresentBodies(level);
    expect(present.bodiesOf).toEqual([[0, 1], []]);
    expect(present.shapeOf(SPAWNED)).toBeLessThan(0);
    expect(present.update(viewOf())).toBe(true);
    expect(present.update(viewOf())).toBe(false);
    expect(present.bodiesOf).toEqual([[0, 1], []]);
  });

  test('begin with the shape of their template, and end', () => {
    const present = new PresentBodies(level);
    const view = viewOf();
    spawn(view, SPAWNED, BALLS);
    expect(present.update(view)).toBe(true);
    expect([present.bodiesOf, [...present.begun]]).toEqual([[[0, 1], [SPAWNED]], [SPAWNED]]);
    view.exists[SPAWNED] = 0;
    view.existence[SPAWNED] = gone(existing(0, BALLS), 'despawned');
    view.exists[0] = 0;
    expect(present.update(view)).toBe(true);
    expect([present.bodiesOf, [...present.begun]]).toEqual([[[1], []], []]);
  });

  test('change if another generation begins under the same id, also with the same shape', () => {
    const present = new PresentBodies(level);
    const view = viewOf();
    spawn(view, SPAWNED, BALLS);
    present.update(view);
    spawn(view, SPAWNED, BALLS, 1);
    expect(present.update(view)).toBe(true);
    expect([...present.begun]).toEqual([SPAWNED]);
    spawn(view, SPAWNED, CUBES, 2);
    present.update(view);
    expect(present.bodiesOf).toEqual([[0, 1, SPAWNED], []]);
  });
});

describe('[S1] instances', () => {
  const ray = (x: number): Raycaster => new Raycaster(new Vector3(x, 1, 5), new Vector3(0, 0, -1));

  test('draw and aim at a body from the update that has it to the one that has it no more', () => {
    const present = new PresentBodies(level);
    const instances = new BodyInstances(present, {});
    const meshes = instances.addMeshes((shape) => shapeGeometry(shape, 'coarse'), new MeshBasicMaterial());
    const view = viewOf();
    const show = (): number[] => {
      if (present.update(view)) instances.recount();
      instances.place(view.poses);
      return meshes.map(({ count }) => count);
    };
    expect(show()).toEqual([2, 0]);
    expect(instances.pick(ray(SPAWNED), meshes)).toBeNull();
    spawn(view, SPAWNED, BALLS);
    expect(show()).toEqual([2, 1]);
    expect(instances.pick(ray(SPAWNED), meshes)?.body).toBe(SPAWNED);
    view.exists[SPAWNED] = 0;
    expect(show()).toEqual([2, 0]);
    expect(instances.pick(ray(SPAWNED), meshes)).toBeNull();
  });

  test('are no more than the level allows, whatever a host says', () => {
    const present = new PresentBodies(level);
    const instances = new BodyInstances(present, {});
    const [, balls] = instances.addMeshes((shape) => shapeGeometry(shape, 'coarse'), new MeshBasicMaterial());
    const view = viewOf();
    for (let body = 0 as BodyId; body < view.exists.length; body++) spawn(view, body, BALLS);
    present.update(view);
    instances.recount();
    instances.place(view.poses);
    expect(balls.count).toBe(view.exists.length - level.bodies.length);
  });
});

describe('[S1] a body that was spawned', () => {
  test('is white as it begins, whatever colour the one before it under its id had', () => {
    const flow = new ColourFlow(2, [[0, 0, 1]], [1, 1, 1]);
    for (let i = 0; i < 90; i++) flow.advance({ ...viewOf(), authority: Int8Array.of(0, 0) }, 1 / 60);
    flow.begin(1);
    expect([...flow.tint]).toEqual([0, 0, 1, 1, 1, 1]);
    expect([...flow.mark]).toEqual([0, 1, 0, 0]);
  });

  test('has a line if it is pointed at; an id without a body has none', () => {
    const present = new PresentBodies(level);
    const emphasis = new Emphasis(present);
    const view = viewOf();
    view.self = 0 as Slot;
    const lines = (): number[] => {
      present.update(view);
      emphasis.update(view, SPAWNED, 1 / 60);
      return emphasis.group.children.filter(({ visible }) => visible).map(({ position }) => position.x);
    };
    expect(lines()).toEqual([]);
    spawn(view, SPAWNED, BALLS);
    expect(lines()).toEqual([SPAWNED]);
    view.exists[SPAWNED] = 0;
    expect(lines()).toEqual([]);
  });
});
