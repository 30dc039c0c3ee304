import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION } from '../../../../src/core/base/state.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { Shape } from '../../../../src/core/world/shape.ts';
import type { JointKind } from '../../../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../../../src/core/world/joints/joint.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { BodilessSimulation } from '../../../../src/harness/bodiless-simulation.ts';

const BODY = 0 as BodyId;
const BALL: Shape = { kind: 'ball', radius: 0.07 };
const SKITTLE: Shape = { kind: 'cylinder', radius: 0.07, halfHeight: 0.2 };

/** A host alone, with one body that goes on at a speed for ever, as some do in an engine without rolling friction. */
function rolling(shape: Shape, at: number | (() => number), gravity = 9.81): Peer {
  const template = { ...STANDARD_MATERIAL, shape, linearDamping: 0, angularDamping: 0 };
  const start = { position: vector(-20, 0.07, 0), rotation: quaternion() };
  const level = { ...flatLevel('lane', [{ template, start }]), gravity };
  const simulation = new BodilessSimulation(level, (motion, from) => {
    const speed = typeof at === 'number' ? at : at();
    motion[from + MOTION.linear] = speed;
    motion[from] += speed * TICK_SECONDS;
  });
  return new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
}

/** @returns the seconds after which the body rests; null if it does not within 20. */
function restsAfter(peer: Peer, each: () => void = () => undefined): number | null {
  const input = playerInput();
  for (let tick = 0; tick < 20 * TICK_RATE; tick++) {
    if (peer.diagnostics.bodies.records.resting[BODY] === 1) return tick / TICK_RATE;
    each();
    peer.tick(input);
  }
  return null;
}

describe('[R1.3] a body that goes on slowly, without end', () => {
  test('is still after four seconds', () => {
    const after = restsAfter(rolling(SKITTLE, 0.2));
    expect(after).toBeGreaterThanOrEqual(4);
    expect(after).toBeLessThan(4.5);
  });

  test.each<readonly [string, Peer]>([
    ['is a ball', rolling(BALL, 0.2)],
    ['is faster', rolling(SKITTLE, 0.35)],
    ['drifts where nothing falls', rolling(SKITTLE, 0.2, 0)],
  ])('goes on if it %s', (_, peer) => {
    expect(restsAfter(peer)).toBeNull();
  });

  test('is still after some more if something flicks it now and then, and goes on if that is often', () => {
    const flicked = (every: number): number | null => {
      let tick = 0;
      return restsAfter(rolling(SKITTLE, () => (++tick % every === 0 ? 0.5 : 0.2)));
    };
    const after = flicked(90);
    expect(after).toBeGreaterThan(4.3);
    expect(after).toBeLessThan(6);
    expect(flicked(8)).toBeNull();
  });

  test('goes on while its player acts upon it', () => {
    const peer = rolling(SKITTLE, 0.2);
    const linear = vector(0.2);
    expect(
      restsAfter(peer, () => peer.act({ kind: 'velocity', body: BODY, linear, angular: vector() })),
    ).toBeNull();
  });
});

/** A host alone, with a ball that turns on the spot at a speed in rad/s, and sways by so many metres to either side. */
function turningBall(spin: number, metres: number): Peer {
  const start = { position: vector(0, 0.07, 0), rotation: quaternion() };
  const level = flatLevel('tray', [{ template: { ...STANDARD_MATERIAL, shape: BALL }, start }]);
  let tick = 0;
  const simulation = new BodilessSimulation(level, (motion, at) => {
    const angle = (spin * ++tick * TICK_SECONDS) / 2;
    motion[at] = metres * Math.sin((2 * Math.PI * tick) / TICK_RATE);
    motion[at + MOTION.angular + 1] = spin;
    motion[at + MOTION.rotation + 1] = Math.sin(angle);
    motion[at + MOTION.rotation + 3] = Math.cos(angle);
  });
  return new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
}

describe('[R1.7] a ball that turns on the spot, without end', () => {
  test('is still after four seconds', () => {
    const after = restsAfter(turningBall(2.6, 0.009));
    expect(after).toBeGreaterThanOrEqual(4);
    expect(after).toBeLessThan(6);
  });

  test.each<readonly [string, Peer]>([
    ['sways wider', turningBall(2.6, 0.03)],
    ['spins like a top', turningBall(6, 0)],
  ])('goes on if it %s', (_, peer) => {
    expect(restsAfter(peer)).toBeNull();
  });
});

/** A host alone, with two skittles that touch; from tick 230 on each twitches every so many ticks, in turn. */
function twitchingPair(every: number): Peer {
  const template = { ...STANDARD_MATERIAL, shape: SKITTLE, linearDamping: 0, angularDamping: 0 };
  const starts = [0, 1].map((x) => ({ position: vector(x, 0.07, 0), rotation: quaternion() }));
  const level = flatLevel(
    'pair',
    starts.map((start) => ({ template, start })),
  );
  let calls = 0;
  const simulation = new BodilessSimulation(level, (motion, at) => {
    const tick = calls++ >> 1;
    const isTwitching = tick >= 230 && (tick + (at === 0 ? 0 : every / 2)) % every === 0;
    motion[at + MOTION.linear] = isTwitching ? 0.5 : 0.2;
    motion[at] += 0.2 * TICK_SECONDS;
  });
  simulation.contacts.add(0 as BodyId, 1 as BodyId);
  return new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
}

test('[R1.3] a body that has rested so does not stop at once when it is hit, nor hang where a hand let it go', () => {
  let speed = 0.2;
  const peer = rolling(SKITTLE, () => speed);
  const { bodies } = peer.state;
  expect(restsAfter(peer)).not.toBeNull();
  speed = 3;
  // The engine wakes what is hit, and moves it, within a step.
  bodies.simulation.wake(BODY);
  bodies.simulation.step();
  bodies.simulation.capture(bodies.motion);
  for (let tick = 0; tick < 20; tick++) {
    peer.tick(playerInput());
    expect(bodies.records.resting[BODY]).toBe(0);
  }
  speed = 0.2;
  expect(restsAfter(peer)).not.toBeNull();
  bodies.rest.wakeRecord(BODY);
  bodies.simulation.wake(BODY);
  bodies.rest.refresh(BODY);
  for (let tick = 0; tick < 60; tick++) {
    peer.tick(playerInput());
    expect(bodies.records.resting[BODY]).toBe(0);
  }
});

describe('[R1.6] bodies that have been slow for four seconds, and twitch in turn', () => {
  test('rest together, in a tick in which neither twitches', () => {
    const after = restsAfter(twitchingPair(12));
    expect(after).toBeGreaterThanOrEqual(4);
    expect(after).toBeLessThan(15);
  });

  test('go on if they twitch so often that they are not slow for long', () => {
    expect(restsAfter(twitchingPair(8))).toBeNull();
  });
});

const ROPE: JointKind = { kind: 'rope', length: 10 };

/** A host alone, with a cube that hangs on a joint and swings by so many metres to either side. @param speed of its drift. */
function swinging(metres: number | (() => number), speed = 0, joint = ROPE): Peer {
  const start = { position: vector(0, 5, 0), rotation: quaternion() };
  const shape: Shape = { kind: 'box', halfExtents: [0.25, 0.25, 0.25] };
  const flat = flatLevel('swing', [{ template: { ...STANDARD_MATERIAL, shape }, start }]);
  const ends = [
    jointEnd(flat.bodies, BODY, start.position),
    jointEnd(flat.bodies, null, start.position),
  ] as const;
  const level = { ...flat, joints: [{ ...joint, ends, collides: true }] };
  let tick = 0;
  const simulation = new BodilessSimulation(level, (motion, at) => {
    tick++;
    const far = typeof metres === 'number' ? metres : metres();
    motion[at] = far * Math.sin((2 * Math.PI * tick) / TICK_RATE) + speed * tick * TICK_SECONDS;
    motion[at + MOTION.linear] = 0.1;
  });
  return new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
}

/** A slider that a motor drives. */
const DRIVEN: JointKind = {
  kind: 'slider',
  limits: null,
  motor: { speed: 0.015, strength: 100 },
  friction: 0,
};

describe('[R1.5] a body with a joint', () => {
  test.each<readonly [string, Peer]>([
    ['trembled in one place', swinging(0.009)],
    ['crept by less than 5 cm a second', swinging(0, 0.045)],
  ])('is still when it has %s for four seconds', (_, peer) => {
    const after = restsAfter(peer);
    expect(after).toBeGreaterThanOrEqual(4);
    expect(after).toBeLessThan(6);
  });

  test.each<readonly [string, Peer]>([
    ['swings wider', swinging(0.03)],
    ['goes on by more than 6 cm a second', swinging(0, 0.07)],
    ['creeps as a motor drives it', swinging(0, 0.015, DRIVEN)],
  ])('goes on if it %s', (_, peer) => {
    expect(restsAfter(peer)).toBeNull();
  });

  test('falls asleep after four seconds, too, if its record rests while it trembles', () => {
    let metres = 0;
    // It is on the other side in each tick.
    const peer = swinging(() => (metres = -metres));
    const { simulation, rest } = peer.state.bodies;
    expect(restsAfter(peer)).toBeLessThan(1);
    peer.tick(playerInput());
    expect(simulation.isAsleep(BODY)).toBe(true);
    rest.disturb(BODY);
    metres = 0.002;
    const isAsleep = Array.from({ length: 6 * TICK_RATE }, () => {
      peer.tick(playerInput());
      return simulation.isAsleep(BODY);
    });
    expect(peer.diagnostics.bodies.records.resting[BODY]).toBe(1);
    const after = isAsleep.indexOf(true) / TICK_RATE;
    expect(after).toBeGreaterThanOrEqual(3.8);
    expect(after).toBeLessThan(6);
  });

  test('does not tire while it lies quite still, kept awake by others', () => {
    const peer = swinging(0);
    const { simulation, rest } = peer.state.bodies;
    expect(restsAfter(peer)).toBeLessThan(1);
    for (let tick = 0; tick < 6 * TICK_RATE; tick++) {
      simulation.wake(BODY);
      peer.tick(playerInput());
    }
    expect(rest.detector.tired[BODY]).toBe(0);
  });

  test('goes on while its player acts upon it', () => {
    const peer = swinging(0.009);
    const linear = vector(0.1);
    expect(
      restsAfter(peer, () => peer.act({ kind: 'velocity', body: BODY, linear, angular: vector() })),
    ).toBeNull();
  });
});
