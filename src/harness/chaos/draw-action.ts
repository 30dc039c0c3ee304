import type { BodyId } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import { vector } from '../../core/base/math.ts';
import type { Random } from '../../core/base/random.ts';
import type { BodyAction } from '../../core/peer/actions/body-action.ts';

/** [A13] Draws an action on one of the first bodies, so that several players want the same ones. */
export function drawAction(random: Random, bodies: number): BodyAction {
  const body = random.below(bodies) as BodyId;
  switch (random.below(7)) {
    case 0:
      return { kind: 'take', body };
    case 1:
      return { kind: 'impulse', body, push: anyVector(random, 8), at: null };
    case 2:
      return { kind: 'force', body, push: anyVector(random, 300), at: vector(0, 1, 0) };
    case 3:
      return { kind: 'velocity', body, linear: anyVector(random, 10), angular: anyVector(random, 10) };
    case 4:
    case 5:
      return { kind: 'keep', body, on: random.chance(0.6) };
    default: {
      const position = anyVector(random, 2);
      position.y += 3;
      return { kind: 'teleport', body, pose: { position, rotation: { x: 0, y: 0, z: 0, w: 1 } } };
    }
  }
}

function anyVector(random: Random, most: number): Vector {
  return vector(random.between(-most, most), random.between(-most, most), random.between(-most, most));
}
