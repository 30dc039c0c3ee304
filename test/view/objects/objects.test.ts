import { BoxGeometry, Group, InstancedMesh, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Existence } from '../../../src/core/base/ids.ts';
import { RIGHT, toBody, toSlot } from '../../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { existing } from '../../../src/core/world/existence.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { AvatarObjects } from '../../../src/view/objects/avatar-objects.ts';
import { BodyObjects } from '../../../src/view/objects/body-objects.ts';
import { placeInstances } from '../../../src/view/objects/place.ts';

const ball = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.5 } } as const;
const box = { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [1, 1, 1] } } as const;
const start = { position: { x: 0, y: 1, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };

describe('objects for bodies', () => {
  const flat = flatLevel('two', [
    { template: ball, start },
    { template: ball, start },
  ]);
  const level: Level = {
    ...flat,
    templates: [ball, box],
    spawning: { perPlayer: 1, slots: 1, perSecond: 1, templates: [box] },
  };
  const spawned = toBody(2);

  function scene(): { group: Group; objects: BodyObjects<Object3D>; view: ReturnType<typeof peerView> } {
    const group = new Group();
    const objects = new BodyObjects<Object3D>(level, {
      create: (body, { shape }) => {
        const object = new Object3D();
        object.name = `${shape.kind} ${body}`;
        group.add(object);
        return object;
      },
      remove: (object) => group.remove(object),
    });
    const view = peerView(3);
    view.exists[spawned] = 0;
    return { group, objects, view };
  }

  it('are where the view has the bodies', () => {
    const { objects, view } = scene();
    view.poses.set([1, 2, 3, 0, 1, 0, 0], POSE_STRIDE);
    objects.update(view);
    const object = objects.objectOf(toBody(1));
    expect(object?.position).toEqual(new Vector3(1, 2, 3));
    expect(object?.quaternion.equals(new Quaternion(0, 1, 0, 0))).toBe(true);
    expect(object?.visible).toBe(true);
  });

  it('appear, change and go with the bodies', () => {
    const { group, objects, view } = scene();
    const names = (): string[] => {
      objects.update(view);
      return group.children.map(({ name }) => name);
    };
    expect(names()).toEqual(['ball 0', 'ball 1']);
    view.exists[spawned] = 1;
    view.existence[spawned] = existing(0, 1);
    expect(names()).toEqual(['ball 0', 'ball 1', 'box 2']);
    const first = objects.objectOf(spawned);
    names();
    expect(objects.objectOf(spawned), 'the same as long as the body is').toBe(first);
    view.existence[spawned] = existing(1, 0) satisfies Existence;
    expect(names()).toEqual(['ball 0', 'ball 1', 'ball 2']);
    view.exists[0] = 0;
    expect(names()).toEqual(['ball 1', 'ball 2']);
    expect(objects.objectOf(toBody(0))).toBeNull();
    objects.dispose();
    expect(group.children).toEqual([]);
  });

  it('are instances of one mesh, without the absent', () => {
    const { view } = scene();
    view.exists[0] = 0;
    view.poses.set([1, 2, 3, 0, 1, 0, 0], POSE_STRIDE);
    const mesh = new InstancedMesh(new BoxGeometry(), undefined, 3);
    placeInstances(view, [toBody(0), toBody(1)], mesh);
    expect(mesh.count).toBe(1);
    const matrix = new Matrix4();
    mesh.getMatrixAt(0, matrix);
    const expected = new Matrix4().compose(
      new Vector3(1, 2, 3),
      new Quaternion(0, 1, 0, 0),
      new Vector3(1, 1, 1),
    );
    expect(matrix.equals(expected)).toBe(true);
    expect(mesh.instanceMatrix.version).toBe(1);
  });
});

describe('objects for players', () => {
  it('follow heads and tracked hands, and go with the player; the own head is not seen', () => {
    const group = new Group();
    const objects = new AvatarObjects({
      create: (slot) => {
        const parts = { head: new Object3D(), hands: [null, new Object3D()] as const };
        parts.head.name = `head ${slot}`;
        group.add(parts.head, parts.hands[1]);
        return parts;
      },
      remove: ({ head, hands }) => group.remove(head, hands[1]),
    });
    const view = peerView(1);
    view.self = toSlot(0);
    const [own, other] = view.avatars;
    own.present = true;
    other.present = true;
    other.head.position.y = 1.7;
    objects.update(view);
    expect(group.children.map(({ name }) => name)).toEqual(['head 0', '', 'head 1', '']);
    expect([group.children[0].visible, group.children[2].visible]).toEqual([false, true]);
    expect(group.children[2].position.y).toBe(1.7);
    expect(group.children[3].visible, 'an untracked hand').toBe(false);
    other.hands[RIGHT].tracked = true;
    other.hands[RIGHT].pose.position.x = 2;
    objects.update(view);
    expect([group.children[3].visible, group.children[3].position.x]).toEqual([true, 2]);
    own.present = false;
    objects.update(view);
    expect(group.children).toHaveLength(2);
    objects.dispose();
    expect(group.children).toHaveLength(0);
  });
});
