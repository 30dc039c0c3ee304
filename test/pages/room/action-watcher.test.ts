import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import { vector } from '../../../src/core/base/math.ts';
import { DeskPlayer } from '../../../src/input/desk-player.ts';
import { ActionWatcher } from '../../../src/pages/room/screen/action-watcher.ts';
import type { DeskAction } from '../../../src/storage/done-actions.ts';

const CUBE = 3 as BodyId;

let desk: DeskPlayer;
let actions: Set<DeskAction>;
let watch: ActionWatcher;
let ticks: number;

beforeEach(() => {
  desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw: 0, pitch: 0 });
  desk.point(0, 0);
  actions = new Set();
  watch = new ActionWatcher((action) => actions.add(action));
  ticks = 0;
  play(1, NO_BODY);
});

/** Runs `count` ticks with this body in the hand, or with none. */
function play(count: number, held: BodyId, each: (index: number) => void = () => undefined): void {
  for (let i = 0; i < count; i++) {
    each(i);
    const now = ++ticks * TICK_MS;
    desk.beginFrame(now);
    watch.tick(desk.sample(now), held);
  }
}

describe('an action watcher', () => {
  test('finds no action in standing, whatever the buttons do', () => {
    desk.grip(true);
    desk.key('turnLeft', true);
    play(60, NO_BODY, () => desk.wheel(0.1));
    expect([...actions]).toEqual([]);
  });

  test('finds a hold, and no throw in letting go at rest', () => {
    desk.grip(true);
    play(5, CUBE);
    expect([...actions]).toEqual(['hold']);
    desk.grip(false);
    play(5, NO_BODY);
    expect([...actions]).toEqual(['hold']);
  });

  test('finds a throw in letting go in motion, also by lifting a finger', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    expect(actions.has('throw')).toBe(false);
    desk.leave();
    play(2, NO_BODY);
    expect([...actions]).toEqual(['hold', 'throw']);
  });

  test('finds no throw in carrying a body and putting it down', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    play(45, CUBE);
    desk.grip(false);
    play(2, NO_BODY);
    expect([...actions]).toEqual(['hold']);
  });

  test('finds a throw where a frame lasts many ticks', () => {
    desk.grip(true);
    play(6, CUBE);
    desk.point(0.15, 0);
    desk.beginFrame(ticks * TICK_MS);
    for (let i = 0; i < 8; i++) watch.tick(desk.sample(++ticks * TICK_MS), CUBE);
    desk.leave();
    watch.tick(desk.sample(++ticks * TICK_MS), NO_BODY);
    expect([...actions]).toEqual(['hold', 'throw']);
  });

  test('finds no throw when another player takes the body, or the pointer is lost', () => {
    desk.grip(true);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    play(1, NO_BODY);
    play(10, CUBE, (i) => desk.point(i * 0.08, 0));
    desk.drop();
    play(1, NO_BODY);
    expect([...actions]).toEqual(['hold']);
  });

  test('counts the wheel and the turn keys only while a body is held', () => {
    desk.grip(true);
    desk.wheel(2);
    play(20, CUBE);
    expect([...actions]).toEqual(['hold', 'reach']);
    desk.key('turnRight', true);
    play(20, CUBE);
    expect([...actions]).toEqual(['hold', 'reach', 'turn']);
  });

  test('finds looking and walking, but not in a nudge', () => {
    desk.look(0.1, 0);
    play(1, NO_BODY);
    desk.walk(0, 1);
    play(6, NO_BODY);
    desk.walk(0, 0);
    play(30, NO_BODY);
    expect([...actions]).toEqual([]);
    desk.look(0.3, -0.1);
    play(1, NO_BODY);
    expect([...actions]).toEqual(['look']);
    desk.walk(1, 0);
    play(60, NO_BODY);
    expect([...actions]).toEqual(['look', 'walk']);
  });
});
