import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { vector } from '../../../src/core/base/math.ts';
import { DeskPlayer } from '../../../src/input/desk-player.ts';
import { DeedWatch } from '../../../src/pages/room/deeds.ts';
import type { DeskAction } from '../../../src/storage/done-actions.ts';

const CUBE = 3 as BodyId;

let desk: DeskPlayer;
let deeds: Set<DeskAction>;
let watch: DeedWatch;
let ticks: number;

beforeEach(() => {
  desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw: 0, pitch: 0 });
  desk.point(0, 0);
  deeds = new Set();
  watch = new DeedWatch((deed) => deeds.add(deed));
  ticks = 0;
  play(1, NO_BODY);
});

/** So many ticks with this body in the hand, or none. */
function play(count: number, held: BodyId, each: (index: number) => void = () => undefined): void {
  for (let i = 0; i < count; i++) {
    each(i);
    const now = ++ticks * TICK_MS;
    desk.beginFrame(now);
    watch.tick(desk.sample(now), held);
  }
}

describe('what a player does', () => {
  test('standing there is nothing, whatever the buttons say', () => {
    desk.grip(true);
    desk.key('turnLeft', true);
    play(60, NO_BODY, () => desk.wheel(0.1));
    expect([...deeds]).toEqual([]);
  });

  test('holding is holding, and letting go at rest is no throw', () => {
    desk.grip(true);
    play(5, CUBE);
    expect([...deeds]).toEqual(['hold']);
    desk.grip(false);
    play(5, NO_BODY);
    expect([...deeds]).toEqual(['hold']);
  });

  test('letting go in motion is a throw, and so with a finger that is lifted', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    expect(deeds.has('throw')).toBe(false);
    desk.leave();
    play(2, NO_BODY);
    expect([...deeds]).toEqual(['hold', 'throw']);
  });

  test('carrying it about and putting it down is no throw', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    play(45, CUBE);
    desk.grip(false);
    play(2, NO_BODY);
    expect([...deeds]).toEqual(['hold']);
  });

  test('a throw is noticed where a frame lasts many ticks', () => {
    desk.grip(true);
    play(6, CUBE);
    desk.point(0.15, 0);
    desk.beginFrame(ticks * TICK_MS);
    for (let i = 0; i < 8; i++) watch.tick(desk.sample(++ticks * TICK_MS), CUBE);
    desk.leave();
    watch.tick(desk.sample(++ticks * TICK_MS), NO_BODY);
    expect([...deeds]).toEqual(['hold', 'throw']);
  });

  test('what somebody else takes out of the hand, or a lost pointer drops, is not thrown', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    play(1, NO_BODY);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    desk.drop();
    play(1, NO_BODY);
    expect([...deeds]).toEqual(['hold']);
  });

  test('the wheel and the turn keys count while something is held', () => {
    desk.grip(true);
    desk.wheel(2);
    play(20, CUBE);
    expect([...deeds]).toEqual(['hold', 'reach']);
    desk.key('turnRight', true);
    play(20, CUBE);
    expect([...deeds]).toEqual(['hold', 'reach', 'turn']);
  });

  test('looking around and walking, but not a nudge of either', () => {
    desk.look(0.1, 0);
    play(1, NO_BODY);
    desk.walk(0, 1);
    play(6, NO_BODY);
    desk.walk(0, 0);
    play(30, NO_BODY);
    expect([...deeds]).toEqual([]);
    desk.look(0.3, -0.1);
    play(1, NO_BODY);
    expect([...deeds]).toEqual(['look']);
    desk.walk(1, 0);
    play(60, NO_BODY);
    expect([...deeds]).toEqual(['look', 'walk']);
  });
});
