import { describe, expect, it, onTestFinished } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { NO_BODY } from '../../src/core/base/ids.ts';
import type { Pose, Vector } from '../../src/core/base/math.ts';
import { fromAxisAngle, quaternion, setVector, vector } from '../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import { reachBelow } from '../../src/core/world/extent/extent.ts';
import type { Level, StaticBody, Template } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import type { Point, Shape, StaticShape } from '../../src/core/world/shape.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';

const [A, B] = [0, 1] as BodyId[];
const BALL: Shape = { kind: 'ball', radius: 0.05 };

function at(x: number, y: number, z: number): Pose {
  return { position: vector(x, y, z), rotation: quaternion() };
}

/** Corners of a box that is narrower at the top. */
function stump(half: number): Shape {
  const points = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) =>
      [-1, 1].map((z): Point => [x * half * (y > 0 ? 0.5 : 1), y * half, z * half * (y > 0 ? 0.5 : 1)]),
    ),
  );
  return { kind: 'hull', points };
}

/** Two boxes of this half size, joined by a bar of air: they have `apart` metres between their centres. */
function pair(half: number, apart: number): Shape {
  const part: Shape = { kind: 'box', halfExtents: [half, half, half] };
  return { kind: 'compound', parts: [-1, 1].map((x) => ({ shape: part, pose: at((x * apart) / 2, 0, 0) })) };
}

/** Every shape in about this size, in metres. */
const SHAPES: readonly (readonly [string, (size: number) => Shape])[] = [
  ['box', (size) => ({ kind: 'box', halfExtents: [size / 2, size / 4, size / 3] })],
  ['ball', (size) => ({ kind: 'ball', radius: size / 2 })],
  ['capsule', (size) => ({ kind: 'capsule', radius: size / 4, halfHeight: size / 4 })],
  ['cylinder', (size) => ({ kind: 'cylinder', radius: size / 2, halfHeight: size / 4 })],
  ['cone', (size) => ({ kind: 'cone', radius: size / 2, halfHeight: size / 2 })],
  ['hull', (size) => stump(size / 2)],
  ['compound', (size) => pair(size / 4, size)],
];

/** The duties of every engine for all shapes of bodies, and of what never moves. */
export function shapesContract(create: (level: Level) => Simulation): void {
  type Start = readonly [shape: Shape, start: Pose, template?: Partial<Template>];
  type World = { readonly simulation: Simulation; readonly motion: Float32Array; run(ticks: number): void };

  function world(starts: readonly Start[], changes: Partial<Level> = {}): World {
    const bodies = starts.map(([shape, start, template]) => ({
      template: { ...STANDARD_MATERIAL, shape, ...template },
      start,
    }));
    const simulation = create({ ...flatLevel('shapes', bodies), ...changes });
    onTestFinished(() => simulation.dispose());
    const motion = new Float32Array(simulation.count * STRIDE);
    simulation.capture(motion);
    const run = (ticks: number): void => {
      for (let i = 0; i < ticks; i++) simulation.step();
      simulation.capture(motion);
    };
    return { simulation, motion, run };
  }

  function throwTo({ simulation, motion }: World, body: BodyId, linear: Point, angular: Point): void {
    motion.set([...linear, ...angular], body * STRIDE + MOTION.linear);
    simulation.write(body, motion);
  }

  function ground(shape: StaticShape, position = vector(), rotation = quaternion()): Partial<Level> {
    const fixed: StaticBody = { shape, pose: { position, rotation }, friction: 0.6, restitution: 0 };
    return { statics: [fixed] };
  }

  const heightOf = ({ motion }: World, body = A): number => motion[body * STRIDE + 1];
  const rotationOf = ({ motion }: World, body: number) => {
    const [x, y, z, w] = motion.subarray(body * STRIDE + MOTION.rotation);
    return quaternion(x, y, z, w);
  };

  describe.each(SHAPES)('a %s', (kind, shapeOf) => {
    it.each([0.04, 0.5, 20])('of %d m lies on the floor, whatever it weighs', (size) => {
      const shape = shapeOf(size);
      const lift = reachBelow(shape, quaternion()) + 0.1 * size;
      const masses = [0.001, 1, 1000];
      const one = world(masses.map((mass, i) => [shape, at((i - 1) * 2.1 * size, lift, 0), { mass }]));
      one.run(300);
      masses.forEach((mass, body) => {
        const lowest = heightOf(one, body as BodyId) - reachBelow(shape, rotationOf(one, body));
        expect(Math.abs(lowest), `${mass} kg`).toBeLessThan(0.01);
      });
    });

    it('is touched, pointed at, held and pushed as it is', () => {
      const shape = shapeOf(1);
      const one = world([[shape, at(0, 2, 0)]], { gravity: 0 });
      one.run(1);
      const { simulation } = one;
      const bottom = 2 - reachBelow(shape, quaternion());
      // The lowest points of a pair of boxes are at its two ends.
      const x = kind === 'compound' ? 0.5 : 0;
      expect(simulation.overlapSphere(vector(x, bottom - 0.05, 0), 0.06)).toBe(A);
      expect(simulation.overlapSphere(vector(x, bottom - 0.05, 0), 0.04)).toBe(NO_BODY);
      expect(simulation.castRay(vector(x, 0.1, 0), vector(0, 1, 0), bottom - 0.11)).toBe(NO_BODY);
      expect(simulation.castRay(vector(x, 0.1, 0), vector(0, 1, 0), bottom - 0.09)).toBe(A);
      simulation.hold(A, true);
      const target = at(0, 2, 0);
      for (let i = 0; i < 10; i++) {
        setVector(target.position, 0, 2 + i * 0.1, 0);
        simulation.moveHeld(A, target);
        simulation.step();
      }
      simulation.capture(one.motion);
      expect(heightOf(one)).toBeCloseTo(2.9, 3);
      simulation.release(A, vector(0, 0, 3), vector());
      one.run(60);
      expect(one.motion[2]).toBeGreaterThan(2.5);
    });

    it('is ground, too, if it never moves', () => {
      if (kind === 'compound') return;
      const shape = shapeOf(1) as StaticShape;
      const top = 1 + (shape.kind === 'box' ? 0.25 : shape.kind === 'cylinder' ? 0.25 : 0.5);
      const one = world([[BALL, at(0, top + 0.3, 0)]], ground(shape, vector(0, 1, 0)));
      const landed: number[] = [];
      for (let i = 0; i < 30; i++) {
        one.run(1);
        if (one.simulation.contacts.landedCount > 0) landed.push(heightOf(one));
      }
      expect(landed[0]).toBeGreaterThan(top + 0.03);
      expect(landed[0]).toBeLessThan(top + 0.13);
      expect(one.simulation.castRay(vector(0, 5, 1e-3), vector(0, -1, 0), 9)).toBe(A);
      expect(one.simulation.overlapSphere(vector(0, 1, 0), 0.05)).toBe(NO_BODY);
    });
  });

  describe('a compound', () => {
    it('has its mass shared by volume: it turns about the middle of its parts', () => {
      const parts = [
        { shape: { kind: 'box', halfExtents: [0.1, 0.1, 0.1] }, pose: at(0, 0, 0) },
        // Eight times the volume.
        { shape: { kind: 'box', halfExtents: [0.2, 0.2, 0.2] }, pose: at(0.9, 0, 0) },
      ] as const;
      const undamped = { linearDamping: 0, angularDamping: 0 };
      const one = world([[{ kind: 'compound', parts }, at(0, 5, 0), undamped]], { gravity: 0 });
      throwTo(one, A, [0, 0, 0], [0, Math.PI, 0]);
      one.run(60);
      // Half a turn about the middle, 0.8 m away.
      expect(one.motion[0]).toBeCloseTo(1.6, 1);
      expect(Math.abs(one.motion[2])).toBeLessThan(0.1);
    });

    it('touches another body from its first part to its last, and says so once', () => {
      const plate: Shape = { kind: 'box', halfExtents: [2, 0.1, 2] };
      const one = world([
        [plate, at(0, 0.1, 0), { mass: 50 }],
        [pair(0.1, 1), at(0, 0.31, 0)],
      ]);
      const { simulation } = one;
      let begun = 0;
      for (let i = 0; i < 60; i++) {
        simulation.step();
        begun += simulation.contacts.startedCount / 2;
      }
      expect(begun).toBe(1);
      expect(simulation.contacts.touching(A, B)).toBe(true);
      const target = at(0, 0.3, 0);
      simulation.hold(B, true);
      for (let turn = 0; turn < 0.4; turn += 0.01) {
        // It turns about one of its boxes, which stays where it is.
        fromAxisAngle(vector(0, 0, 1), turn, target.rotation);
        setVector(target.position, Math.cos(turn) / 2 - 0.5, 0.298 + Math.sin(turn) / 2, 0);
        simulation.moveHeld(B, target);
        simulation.step();
        expect(simulation.contacts.touching(A, B), `after ${turn} rad`).toBe(true);
      }
      target.position.y += 1;
      simulation.moveHeld(B, target);
      simulation.step();
      simulation.step();
      expect(simulation.contacts.touching(A, B)).toBe(false);
      expect(simulation.contacts.touching(B, A)).toBe(false);
    });

    it('lands once, whichever of its parts come down later', () => {
      const { simulation } = world([[pair(0.1, 1), at(0, 1.5, 0)]]);
      const target = at(0, 0, 0);
      let landed = 0;
      simulation.hold(A, true);
      for (let turn = 0.3; turn >= 0; turn -= 0.01) {
        // One of its boxes is on the floor, and the other comes down.
        fromAxisAngle(vector(0, 0, 1), turn, target.rotation);
        setVector(target.position, 0, 0.099 + Math.sin(turn) / 2, 0);
        simulation.moveHeld(A, target);
        simulation.step();
        landed += simulation.contacts.landedCount;
      }
      expect(landed).toBe(1);
    });

    it('is asked about, ignored and carried with all of its parts', () => {
      const plate: Shape = { kind: 'box', halfExtents: [2, 0.5, 2] };
      const one = world([
        [plate, at(0, 0.5, 0), { mass: 50 }],
        [pair(0.1, 1), at(0, 1.2, 0)],
      ]);
      const { simulation } = one;
      simulation.askAbout(B, true);
      for (let i = 0; i < 20; i++) simulation.step(() => true);
      simulation.capture(one.motion);
      expect(heightOf(one, B)).toBeLessThan(0.9);
      simulation.askAbout(B, false);
      const target = at(0, 0.9, 0);
      simulation.hold(B, false);
      for (let i = 0; i < 3; i++) {
        simulation.moveHeld(B, target);
        simulation.step();
      }
      expect(simulation.contacts.neighbours[B]).toEqual([]);
    });
  });

  it('[G1.1] the nearest body is the one whose surface is nearest, not the one whose centre is', () => {
    const plank: Shape = { kind: 'box', halfExtents: [1.5, 0.05, 0.1] };
    const one = world(
      [
        [plank, at(1.6, 1, 0)],
        [BALL, at(-0.2, 1, 0)],
      ],
      { gravity: 0 },
    );
    one.run(1);
    expect(one.simulation.overlapSphere(vector(0.02, 1, 0), 0.3)).toBe(A);
    expect(one.simulation.overlapSphere(vector(-0.1, 1, 0), 0.3)).toBe(B);
  });

  it.each([5, 20])('a marble at %d m/s does not pass through a thin board', (speed) => {
    const board: Shape = { kind: 'box', halfExtents: [0.01, 0.5, 0.5] };
    for (let i = 0; i < 12; i++) {
      const one = world(
        [
          [{ kind: 'ball', radius: 0.01 }, at(-0.5 - i * 0.03, 1, 0), { mass: 0.01 }],
          [board, at(0, 1, 0)],
        ],
        { gravity: 0 },
      );
      throwTo(one, A, [speed, 0, 0], [0, 0, 0]);
      one.run(15);
      expect(one.motion[0], `from try ${i}`).toBeLessThan(one.motion[STRIDE]);
    }
  });

  it('a height field has its rows along z, its columns along x, and its size and heights in metres', () => {
    const [columns, rows] = [4, 2];
    const heights = Array.from({ length: 15 }, (_, i) => 0.1 * (i % 5) + 0.7 * Math.floor(i / 5));
    const size = [8, 6] as const;
    const places = [-3.9, 0, 3.9].flatMap((x) => [-2.9, 2.9].map((z): Vector => vector(x, 0, z)));
    const field: StaticShape = { kind: 'height field', columns, rows, heights, size };
    const one = world(
      places.map(({ x, z }) => [BALL, at(1 + x, 4.5, 3 + z)]),
      ground(field, vector(1, 2, 3)),
    );
    const landed = places.map(() => Number.NaN);
    for (let i = 0; i < 120; i++) {
      one.run(1);
      const { contacts } = one.simulation;
      for (const body of contacts.landed.slice(0, contacts.landedCount))
        if (Number.isNaN(landed[body])) landed[body] = heightOf(one, body);
    }
    places.forEach(({ x, z }, i) => {
      const ground = 2 + 0.1 * ((x + 4) / 2) + 0.7 * ((z + 3) / 3);
      expect(Math.abs(landed[i] - ground - 0.05), `at ${x}, ${z}`).toBeLessThan(0.12);
    });
  });

  /** A square of triangles in the plane, as a mesh and as a height field. */
  function squares(count: number, size: number): StaticShape[] {
    const vertices: number[] = [];
    const triangles: number[] = [];
    const side = count + 1;
    for (let i = 0; i < side * side; i++)
      vertices.push(((i % side) / count - 0.5) * size, 0, (Math.floor(i / side) / count - 0.5) * size);
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        const a = row * side + column;
        triangles.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
      }
    }
    const heights = Array<number>(side * side).fill(0);
    return [
      { kind: 'mesh', vertices, triangles },
      { kind: 'height field', columns: count, rows: count, heights, size: [size, size] },
    ];
  }

  describe.each(squares(40, 20))('ground that is a $kind', (shape) => {
    it.each<readonly [string, Shape]>([
      ['a ball', { kind: 'ball', radius: 0.25 }],
      ['a marble', { kind: 'ball', radius: 0.02 }],
      ['a box', { kind: 'box', halfExtents: [0.25, 0.25, 0.25] }],
      ['a disc', { kind: 'cylinder', radius: 0.3, halfHeight: 0.1 }],
    ])('%s goes over inner edges as over a plane', (_, body) => {
      const height = reachBelow(body, quaternion());
      const slippery = { friction: 0.02 };
      const ways = [ground(shape), undefined].map((changes) => {
        const one = world([[body, at(-6, height, 0.13), slippery]], changes);
        one.run(10);
        throwTo(one, A, [4, 0, 0.7], [0, 0, 0]);
        let highest = 0;
        for (let i = 0; i < 60; i++) {
          one.run(1);
          highest = Math.max(highest, heightOf(one) - height);
        }
        expect(highest).toBeLessThan(0.003);
        return one.motion[0];
      });
      // Two to four metres; a marble stumbles a little.
      expect(Math.abs(ways[0] - ways[1])).toBeLessThan(0.4);
    });

    it.each([
      [28, 0, 0.01],
      [34, 0.3, 9],
    ])('a box on a slope of %d° stays if friction holds it', (degrees, least, most) => {
      const slope = fromAxisAngle(vector(0, 0, 1), (degrees * Math.PI) / 180, quaternion());
      const start = { position: vector(0, 0, 0), rotation: slope };
      setVector(
        start.position,
        -Math.sin((degrees * Math.PI) / 180) * 0.1,
        Math.cos((degrees * Math.PI) / 180) * 0.1,
        0,
      );
      const one = world(
        [[{ kind: 'box', halfExtents: [0.25, 0.1, 0.25] }, start]],
        ground(shape, vector(), slope),
      );
      one.run(30);
      const from = heightOf(one);
      one.run(120);
      expect(from - heightOf(one)).toBeGreaterThanOrEqual(least - 1e-4);
      expect(from - heightOf(one)).toBeLessThan(most);
    });
  });
}
