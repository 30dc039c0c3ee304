import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { pose } from '../../../src/core/base/math.ts';
import type { JointEnd } from '../../../src/core/world/joints/joint.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { GivingStep } from '../../../src/pages/giving/giving-step.ts';
import { givingStep, GivingSteps, halfOf, nearestOffer } from '../../../src/pages/giving/giving-step.ts';
import type { HandOverAction } from '../../../src/storage/done-actions.ts';
import { hand, viewOf } from './pair.ts';

const [SELF, FRIEND, OTHER] = [1, 0, 2];
const [MINE, THEIRS] = [0, 1];

let view: PeerView;

beforeEach(() => {
  // This player looks along -z at a friend 3.3 m away; both cubes are between them.
  const bodies = [
    [0.3, 1.2, -2],
    [-0.3, 1.2, -1.5],
  ] as const;
  view = viewOf(SELF, bodies, { [SELF]: [0, 1.6, 0], [FRIEND]: [0, 1.6, -3.3] });
});

function step(...known: HandOverAction[]): GivingStep | null {
  return givingStep(view, (half) => known.includes(half));
}

describe('the next step of a hand-over', () => {
  test('is none without a friend, or for who has given and taken', () => {
    expect(step('give', 'take')).toBeNull();
    view.avatars[FRIEND].present = false;
    expect(step()).toBeNull();
  });

  test('to give: to pick up a cube, to hold it out, to hold it still, to let go', () => {
    expect(step()).toEqual({ kind: 'pick up', friend: FRIEND, side: RIGHT });
    hand(view, SELF, RIGHT, { held: MINE });
    expect(step()).toEqual({ kind: 'hold still', friend: FRIEND, side: RIGHT });
    hand(view, FRIEND, LEFT, { reach: MINE });
    expect(step()).toEqual({ kind: 'let go', friend: FRIEND, side: RIGHT });
    expect(step('give')).toBeNull();
  });

  test('[J3.3] is none for a part of a machine, in either hand', () => {
    const end = (body: number): JointEnd => ({ body, frame: pose() });
    view.joints.push(null, { kind: 'ball', ends: [end(MINE), end(THEIRS)], collides: true });
    hand(view, SELF, RIGHT, { held: MINE });
    expect(step()).toBeNull();
    hand(view, FRIEND, LEFT, { reach: MINE });
    expect(step(), 'a friend pulls, too').toBeNull();
    hand(view, FRIEND, LEFT, { reach: NO_BODY });
    hand(view, SELF, RIGHT, { held: NO_BODY });
    hand(view, FRIEND, RIGHT, { held: THEIRS });
    expect(step()?.kind).toBe('pick up');
    expect(nearestOffer(view)).toBeNull();
    view.joints[1] = null;
    expect(step()?.kind).toBe('press');
  });

  test('is to hold a cube out that is too far from the friend, or behind it', () => {
    hand(view, SELF, LEFT, { held: MINE });
    view.poses.set([0, 1.2, 0.5], 0);
    expect(step()).toEqual({ kind: 'hold out', friend: FRIEND, side: LEFT });
    view.poses.set([0, 1.2, -4], 0);
    expect(step()?.kind).toBe('hold out');
    view.poses.set([0, 1.2, -1], 0);
    expect(step()?.kind).toBe('hold still');
  });

  test('is to hold a cube out that the friend would not see before the giver', () => {
    hand(view, SELF, LEFT, { held: MINE });
    view.poses.set([0.9, 1.2, -2], 0);
    expect(step()?.kind).toBe('hold out');
    view.poses.set([0.35, 1.2, -2], 0);
    expect(step()?.kind).toBe('hold still');
    // At the friend's hand.
    view.poses.set([0.5, 1.2, -3.1], 0);
    expect(step()?.kind).toBe('hold still');
  });

  test('to take: to press the friend’s cube, and to keep pressing', () => {
    hand(view, FRIEND, RIGHT, { held: THEIRS });
    expect(step()).toEqual({ kind: 'press', friend: FRIEND, side: RIGHT });
    hand(view, SELF, RIGHT, { reach: THEIRS });
    expect(step()).toEqual({ kind: 'keep', friend: FRIEND, side: RIGHT });
    expect(step('take')?.kind).toBe('pick up');
  });

  test('is at the free hand that is nearest to the friend’s cube', () => {
    hand(view, FRIEND, RIGHT, { held: THEIRS });
    hand(view, SELF, LEFT, { at: [-0.3, 1.2, -0.5] });
    hand(view, SELF, RIGHT, { at: [0.4, 1.2, -0.3] });
    expect(step()).toEqual({ kind: 'press', friend: FRIEND, side: LEFT });
    hand(view, SELF, LEFT, { held: MINE });
    expect(step()).toEqual({ kind: 'press', friend: FRIEND, side: RIGHT });
  });

  test('is not to take a cube that is out of reach, or beyond the friend', () => {
    hand(view, FRIEND, RIGHT, { held: THEIRS });
    view.poses.set([0, 1.2, -3.1], 7);
    expect(step()?.kind).toBe('pick up');
    Object.assign(view.avatars[FRIEND].head.position, { z: -2 });
    view.poses.set([0, 1.2, -2.5], 7);
    expect(step()?.kind).toBe('pick up');
    view.poses.set([0, 1.2, -1.5], 7);
    expect(step()?.kind).toBe('press');
  });

  test('of two who hold cubes out to each other: the lower slot gives, and the other puts its own down', () => {
    hand(view, SELF, RIGHT, { held: MINE });
    hand(view, FRIEND, RIGHT, { held: THEIRS });
    expect(step()).toEqual({ kind: 'put down', friend: FRIEND, side: RIGHT });
    view.self = view.avatars[FRIEND].slot;
    expect(step()).toEqual({ kind: 'hold still', friend: SELF, side: RIGHT });
    expect(step('give')).toEqual({ kind: 'put down', friend: SELF, side: RIGHT });
  });

  test('is for the nearest friend', () => {
    const [other] = [view.avatars[OTHER]];
    other.present = true;
    Object.assign(other.head.position, { x: 1, y: 1.6, z: -1.5 });
    expect(step()?.friend).toBe(OTHER);
  });
});

test('each step belongs to the half that it teaches', () => {
  const give = ['pick up', 'hold out', 'hold still', 'let go'] as const;
  for (const kind of give) expect(halfOf({ kind, friend: view.self, side: RIGHT })).toBe('give');
  for (const kind of ['put down', 'press', 'keep'] as const)
    expect(halfOf({ kind, friend: view.self, side: RIGHT })).toBe('take');
});

test('who has given a cube is not asked at once to take it back', () => {
  const steps = new GivingSteps();
  const kindAt = (ms: number): string | undefined => steps.next(view, (half) => half === 'give', ms)?.kind;
  hand(view, FRIEND, RIGHT, { held: THEIRS });
  steps.gave(THEIRS as BodyId);
  expect([kindAt(100), kindAt(3000)]).toEqual([undefined, undefined]);
  hand(view, FRIEND, RIGHT, { held: MINE });
  expect(kindAt(3100), 'another cube').toBe('press');
  hand(view, FRIEND, RIGHT, { held: THEIRS });
  expect([kindAt(3200), kindAt(4200)]).toEqual([undefined, 'press']);
});

test('who pressed only for a moment can read that it has to go on', () => {
  const steps = new GivingSteps();
  const kindAt = (ms: number): string | undefined => steps.next(view, () => false, ms)?.kind;
  hand(view, FRIEND, RIGHT, { held: THEIRS });
  expect(kindAt(0)).toBe('press');
  hand(view, SELF, RIGHT, { reach: THEIRS });
  expect(kindAt(100)).toBe('keep');
  hand(view, SELF, RIGHT, { reach: NO_BODY });
  expect([kindAt(200), kindAt(1500), kindAt(1700)]).toEqual(['keep', 'keep', 'press']);
});
