import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { HeadsetActionWatch } from '../../../src/pages/headset/headset-actions.ts';
import type { Wearer } from '../../input/headset/wearer.ts';
import { putOn } from '../../input/headset/wearer.ts';
import type { Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube] = CUBES;

let worn: Wearer;
let stage: Stage;
let done: Set<string>;
let watch: HeadsetActionWatch;

/** Runs ticks of the cubes and the headset, with one frame per tick. */
function letPass(ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    worn.frames();
    watch.frame();
    stage.tick();
    watch.tick(stage.host.peer);
  }
}

beforeEach(async () => {
  worn = await putOn();
  stage = await setStage({ guests: 1, cubes: apart(1), latencyMs: 0 });
  worn.frames();
  done = new Set();
  watch = new HeadsetActionWatch(worn.player, (action) => done.add(action));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the watch of a headset's actions", () => {
  test('does not count an action that has only begun', () => {
    letPass(20);
    stage.host.grabs(cube);
    letPass(3);
    done.clear();
    stage.host.input.hands[RIGHT].trigger = 1;
    stage.host.input.hands[RIGHT].stick.x = 1;
    letPass(3);
    expect([...done]).toEqual([]);
  });

  test.each([
    ['controller', 'grip'],
    ['hand', 'pinch'],
  ] as const)('taken a cube with a %s: %s', (device, action) => {
    worn.headset.device.primaryInputMode = device;
    letPass(3);
    stage.host.grabs(cube);
    letPass(3);
    expect([...done]).toEqual([action]);
  });

  test('recognises a snap, a shift and a throw', () => {
    stage.host.grabs(cube);
    letPass(2);
    done.clear();
    const { hands } = stage.host.input;
    hands[RIGHT].trigger = 1;
    letPass(8);
    expect([...done]).toEqual(['snap']);
    hands[RIGHT].trigger = 0;
    hands[RIGHT].stick.y = 0.5;
    letPass(8);
    expect([...done]).toEqual(['snap', 'shift']);
    hands[RIGHT].stick.y = 0;
    stage.host.throws([3, 1, 0]);
    letPass(1);
    expect([...done]).toEqual(['snap', 'shift', 'throw']);
  });

  test('does not count a cube put down as a throw', () => {
    stage.host.grabs(cube);
    letPass(10);
    stage.host.releases();
    letPass(3);
    expect([...done]).toEqual(['grip']);
  });

  test('recognises a turn, which is not a step, and a walk', () => {
    worn.headset.device.position.set(0.8, 1.6, 0.8);
    letPass(2);
    worn.turnOnce();
    worn.turnOnce();
    letPass(1);
    expect([...done]).toEqual(['turn']);
    worn.teleportOnce();
    letPass(1);
    expect([...done]).toEqual(['turn', 'go']);
  });

  test.each(['left', 'right'] as const)('opened the menu at the %s hand', (side) => {
    worn.headset[side].updateButtonValue(side === 'left' ? 'y-button' : 'b-button', 1);
    letPass(1);
    expect([...done]).toEqual(['menu']);
  });
});
