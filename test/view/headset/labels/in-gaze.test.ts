import { Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { HintPlace } from '../../../../src/view/headset/labels/in-gaze.ts';

const EYE = new Vector3(0, 1.6, 0);
const AHEAD = new Vector3(0, 0, -1);
const RIGHT = new Vector3(1, 0, 0);

function placeOf(x: number, y: number, z: number, place = new HintPlace(1)): HintPlace {
  place.find(EYE, AHEAD, RIGHT, new Vector3(x, y, z));
  return place;
}

/** Radians from the gaze. */
function away({ anchor }: HintPlace): number {
  return anchor.clone().sub(EYE).angleTo(AHEAD);
}

describe('the hints of a hand', () => {
  test('are at a hand in the gaze, on its outer side', () => {
    const { anchor, outwards } = placeOf(0.05, 1.5, -0.5);
    expect(anchor.toArray()).toEqual([0.05, 1.5, -0.5]);
    expect(outwards).toBe(1);
  });

  test.each([
    ['that hangs', 0.2, 1, -0.2],
    ['far aside', 0.8, 1.5, -0.1],
    ['behind the back', 0.1, 1.5, 0.3],
    ['just behind the head', 0, 1.6, 0.3],
  ])('come into the gaze from a hand %s', (_, x, y, z) => {
    const place = placeOf(x, y, z);
    expect(away(place)).toBeLessThan(0.61);
    expect(place.anchor.distanceTo(EYE)).toBeGreaterThan(0.4);
  });

  test('do not jump while the hand leaves the gaze', () => {
    const place = new HintPlace(1);
    let before = placeOf(0.1, 1.6, -0.6, place).anchor.clone();
    for (let down = 0; down < 0.6; down += 0.01) {
      const now = placeOf(0.1, 1.6 - down, -0.6, place).anchor;
      expect(now.distanceTo(before)).toBeLessThan(0.012);
      before = now.clone();
    }
  });

  test('go towards the middle from a hand at its own side, and turn back later than there', () => {
    const place = new HintPlace(-1);
    const sides = [0.05, -0.13, -0.2, -0.13, -0.08].map((x) => placeOf(x, 1.5, -0.5, place).outwards);
    expect(sides).toEqual([-1, -1, 1, 1, -1]);
  });
});
