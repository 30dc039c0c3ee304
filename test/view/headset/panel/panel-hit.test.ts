import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import type { PanelHit } from '../../../../src/view/headset/panel/panel-hit.ts';
import { rayHit, touchHit } from '../../../../src/view/headset/panel/panel-hit.ts';

const SIZE = { width: 0.3, height: 0.2, density: 1000 };
const WRIST = new Matrix4().compose(
  new Vector3(1, 1.2, -2),
  new Quaternion().setFromEuler(new Euler(-0.6, 0.8, 0.3)),
  new Vector3(1, 1, 1),
);
const TO_PANEL = WRIST.clone().invert();

/** Converts from the panel's frame to the world. */
const world = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z).applyMatrix4(WRIST);
const untouched = (): PanelHit => ({ x: -1, y: -1, distance: -1 });

function shoot(from: Vector3, to: Vector3): PanelHit | null {
  const out = untouched();
  const direction = to.clone().sub(from).normalize();
  return rayHit(TO_PANEL, SIZE, from, direction, out) ? out : null;
}

describe('a ray', () => {
  test('meets a panel at a pixel, from its left and its top', () => {
    const from = world(0.4, 0.3, 0.5);
    for (const [x, y, left, top] of [
      [0, 0, 150, 100],
      [-0.149, 0.099, 1, 1],
      [0.149, -0.099, 299, 199],
    ]) {
      const to = world(x, y, 0);
      const hit = shoot(from, to);
      expect(hit?.x).toBeCloseTo(left, 6);
      expect(hit?.y).toBeCloseTo(top, 6);
      expect(hit?.distance).toBeCloseTo(from.distanceTo(to), 9);
    }
  });

  test.each([
    ['passes beside it', world(0, 0, 1), world(0.151, 0, 0)],
    ['passes over it', world(0, 0, 1), world(0, 0.101, 0)],
    ['comes from behind', world(0, 0, -1), world(0, 0, 0)],
    ['goes away from it', world(0, 0, 1), world(0, 0, 2)],
    ['has gone through it', world(0, 0, -1), world(0, 0, -2)],
    ['goes along it', world(-1, 0, 0.01), world(1, 0, 0.01)],
    ['is nowhere', new Vector3(NaN, 0, 0), world(0, 0, 0)],
  ])('that %s does not', (_, from, to) => {
    expect(shoot(from, to)).toBeNull();
  });
});

describe('a fingertip', () => {
  test('has a distance in front of a panel, negative behind it', () => {
    for (const depth of [0.02, 0, -0.01]) {
      const out = untouched();
      expect(touchHit(TO_PANEL, SIZE, world(0.05, 0.05, depth), out)).toBe(true);
      expect(out.x).toBeCloseTo(200, 6);
      expect(out.y).toBeCloseTo(50, 6);
      expect(out.distance).toBeCloseTo(depth, 9);
    }
  });

  test('beside the panel does not touch it', () => {
    expect(touchHit(TO_PANEL, SIZE, world(0, -0.11, 0), untouched())).toBe(false);
    expect(touchHit(TO_PANEL, SIZE, new Vector3(0, NaN, 0), untouched())).toBe(false);
  });
});
