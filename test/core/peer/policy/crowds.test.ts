import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MAX_BODIES } from '../../../../src/core/base/constants.ts';
import type { BodyId, Existence, Slot } from '../../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { STRIDE } from '../../../../src/core/base/state.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import type { PeerState } from '../../../../src/core/peer/peer-state.ts';
import { dequantiseMotion, POSITION_STEPS } from '../../../../src/core/wire/bodies/quantise.ts';
import { AS_AT_START } from '../../../../src/core/world/existence.ts';
import type { Level, Template } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import type { Shape } from '../../../../src/core/world/shape.ts';
import { createLevel, LEVEL_IDS } from '../../../../src/levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const CUBE: Shape = { kind: 'box', halfExtents: [0.25, 0.25, 0.25] };
const BALL: Shape = { kind: 'ball', radius: 0.1 };
/** An L whose body has its origin away from its first part. */
const COMPOUND: Shape = {
  kind: 'compound',
  parts: [
    { shape: CUBE, pose: { position: vector(3, 0, 0), rotation: quaternion() } },
    { shape: CUBE, pose: { position: vector(-3, 0, 0), rotation: quaternion() } },
  ],
};

/** A host alone, in whose level bodies of these shapes lie in a row, twenty metres up. */
function hostWith(shapes: readonly Shape[]): Peer {
  const templates = new Map([...new Set(shapes)].map((shape) => [shape, templateOf(shape)]));
  const bodies = shapes.map((shape, i) => ({
    template: templates.get(shape) ?? templateOf(shape),
    start: { position: vector(i * 2 - shapes.length, 20, 0), rotation: quaternion() },
  }));
  return hostOf(flatLevel('row', bodies));
}

function templateOf(shape: Shape): Template {
  return { ...STANDARD_MATERIAL, shape };
}

function hostOf(level: Level): Peer {
  const peer = new Peer({
    slot: 0 as Slot,
    host: 0 as Slot,
    level,
    simulation: createRapierSimulation(level),
  });
  onTestFinished(() => {
    peer.dispose();
  });
  return peer;
}

/** The host judges a guest's state of a body. */
function puts(state: PeerState, body: number, existence: number, numbers: Int32Array): boolean {
  dequantiseMotion(numbers, 0, state.tears.motion, body * STRIDE);
  const update = { ...bodyUpdate(), body: body as BodyId };
  update.claim.existence = existence as Existence;
  return state.crowds.admits(state, [update.body], update, state.tears.motion);
}

/** The same there, in metres. */
function admits({ state }: Peer, body: number, x: number, y: number, z: number, turned = false): boolean {
  const numbers = new Int32Array(STRIDE);
  numbers.set([x, y, z].map((metres) => Math.round(metres * POSITION_STEPS)));
  // The largest component of a rotation: w, or y for half a turn about the upward axis.
  numbers[3] = turned ? 1 : 3;
  return puts(state, body, AS_AT_START, numbers);
}

describe('[H9.5] a guest puts bodies into a cell', () => {
  test('eight cubes that touch fit, wherever the cell begins, and the ninth does not', () => {
    const host = hostWith(Array<Shape>(10).fill(CUBE));
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2].map((n) => n * 0.499));
    corners.forEach(([x, y, z], body) => {
      expect(admits(host, body, x, 5 + y, z), `corner ${body}`).toBe(true);
    });
    expect(admits(host, 8, 0.25, 5.25, 0.25)).toBe(false);
    // It may be in the cell beside it, and what is in a full cell may move there.
    expect(admits(host, 8, 0.6, 5.25, 0.25)).toBe(true);
    expect(admits(host, 3, 0.2, 5.1, 0.2)).toBe(true);
    // One leaves: there is room for another.
    expect(admits(host, 0, 20, 5, 20)).toBe(true);
    expect(admits(host, 9, 0.25, 5.25, 0.25)).toBe(true);
  });

  test('bodies of another size are counted apart', () => {
    const host = hostWith([...Array<Shape>(9).fill(CUBE), ...Array<Shape>(9).fill(BALL)]);
    for (let body = 0; body < 8; body++) expect(admits(host, body, 5.05, 5.05, 5.05)).toBe(true);
    expect(admits(host, 8, 5.05, 5.05, 5.05)).toBe(false);
    for (let body = 9; body < 17; body++) expect(admits(host, body, 5.05, 5.05, 5.05)).toBe(true);
    expect(admits(host, 17, 5.05, 5.05, 5.05)).toBe(false);
    expect(admits(host, 17, 5.2, 5.05, 5.05)).toBe(true);
  });

  test('a body is where its inner ball is, as it is turned', () => {
    const host = hostWith(Array<Shape>(10).fill(COMPOUND));
    for (let body = 0; body < 8; body++) expect(admits(host, body, 0, 5, 0)).toBe(true);
    expect(admits(host, 8, 0, 5, 0)).toBe(false);
    expect(admits(host, 8, 0, 5, 0, true)).toBe(true);
    expect(admits(host, 9, 6, 5, 0, true)).toBe(false);
  });

  test('bodies that the host simulates count, too, where they are', () => {
    const host = hostWith(Array<Shape>(9).fill(CUBE));
    for (let body = 0; body < 8; body++) {
      const pose = { position: vector(8.2, 12, 0.2), rotation: quaternion() };
      expect(host.act({ kind: 'teleport', body: body as BodyId, pose })).toBeNull();
    }
    host.tick(playerInput());
    const { state } = host.state.bodies.records;
    const [x, y, z] = [...state.slice(0, 3)].map((n) => n / POSITION_STEPS);
    expect(admits(host, 8, x, y, z)).toBe(false);
    host.reset();
    expect(admits(host, 8, x, y, z)).toBe(true);
  });

  test('ids without a body are never too many', () => {
    const host = hostWith(Array<Shape>(2).fill(CUBE));
    const { state } = host;
    const gone = 0x01fb as Existence;
    for (let body = 0; body < 2; body++) expect(puts(state, body, gone, new Int32Array(STRIDE))).toBe(true);
  });
});

describe('[H9.5] honest heaps are never too many', () => {
  const cases = [
    ...LEVEL_IDS.map((id) => ({ id, seed: 3 })),
    { id: 'grid', seed: 1, count: MAX_BODIES },
    { id: 'pile', seed: 7, count: 1024 },
  ];

  test.each(cases)('$id of $count: each body may leave its place, and come back', (recipe) => {
    const level = createLevel(recipe);
    const host = hostOf(level);
    // They fall on one another, and lie in a heap.
    const ticks = level.bodies.length > 300 ? 30 : 180;
    for (let tick = 0; tick <= ticks; tick++) {
      if (tick % 30 === 0) expectRoom(host);
      host.tick(playerInput());
    }
  });

  function expectRoom({ state }: Peer): void {
    const { bodies } = state;
    const far = new Int32Array(STRIDE);
    for (let body = 0 as BodyId; body < bodies.level.bodies.length; body++) {
      far[0] = (100 + body) * 4 * POSITION_STEPS;
      far[3] = 3;
      const { existence } = bodies.records;
      expect(puts(state, body, existence[body], far)).toBe(true);
      const own = bodies.records.state.subarray(body * STRIDE, (body + 1) * STRIDE);
      if (!puts(state, body, existence[body], own)) expect.fail(`body ${body} is one too many`);
    }
  }
});
