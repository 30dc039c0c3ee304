import { describe, expect, it } from 'vitest';
import { HAND_STEPS } from '../../../src/lab/game/hand.ts';
import { VIEWER } from '../../../src/lab/run.ts';
import { createLabScene } from '../../../src/lab/game/scenes.ts';
import { labCamera, LabHands } from '../../../src/pages/lab/lab-hands.ts';
import {
  formatLabSettings,
  labConditions,
  parseLabSettings,
  seedsOf,
} from '../../../src/pages/lab/lab-settings.ts';
import { labPanes, paneAt } from '../../../src/pages/lab/panes.ts';

describe('the link of the lab', () => {
  it('brings back all that was set, and says nothing of what was not', () => {
    const query =
      '?view=lab&models=lockstep,owner-add&scene=tower&seed=7&hands=own&latency=150&rate=15&ghosts=off&line=jumps&axis=loss&figure=jumps&seeds=5';
    const { settings, complaints } = parseLabSettings(query);
    expect(complaints).toEqual([]);
    expect(formatLabSettings(settings)).toBe(query);
    expect(formatLabSettings(parseLabSettings('').settings)).toBe('?view=lab');
    expect(labConditions(settings).rate).toBe(15);
    expect(labConditions(parseLabSettings('').settings).rate).toBeNull();
  });

  it('gives the chart its seeds: three from the own one on, if nothing else is asked for', () => {
    const seeds = (query: string): number[] => seedsOf(parseLabSettings(query).settings);
    expect(seeds('')).toEqual([1, 2, 3]);
    expect(seeds('?seed=7&seeds=5')).toEqual([7, 8, 9, 10, 11]);
    expect(seeds('?seed=4294967295')).toEqual([4294967295, 0, 1]);
    expect(parseLabSettings('?seeds=4').complaints).toHaveLength(1);
  });

  it('says what makes no sense, and keeps the rest', () => {
    const { settings, complaints } = parseLabSettings('?models=lockstep,magic&latency=30&colour=red');
    expect(complaints).toHaveLength(2);
    expect(settings.models).toHaveLength(4);
    expect(settings.latency).toBe(30);
  });
});

describe('the panes of the lab', () => {
  it.each([1, 2, 3, 4])('%i of them fill their part of the window, without a gap', (count) => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      const panes = labPanes(count, width, height);
      const area = panes.reduce((sum, pane) => sum + pane.width * pane.height, 0);
      const right = Math.max(...panes.map((pane) => pane.left + pane.width));
      const bottom = Math.max(...panes.map((pane) => pane.top + pane.height));
      expect(panes).toHaveLength(count);
      expect(area).toBe(right * bottom);
      for (const pane of panes) expect(paneAt(panes, pane.left + 1, pane.top + 1)).toBe(pane);
    }
  });
});

describe('the viewer’s hand', () => {
  const scene = createLabScene('plane', 1);
  const pane = { left: 100, top: 50, width: 400, height: 300 };

  it('goes to what the pointer points at, and every pane of the shape gives the same', () => {
    const hands = new LabHands(scene, 1, true);
    hands.point(pane, 300, 200);
    const { x, y, z } = hands.next(1)[VIEWER];
    // The middle of the picture: a straight line from the camera to the point at which it looks, down to the
    // hand's height.
    const { position } = labCamera(pane);
    const share = (position.y - y / HAND_STEPS) / (position.y - 0.9);
    expect(x).toBeCloseTo(0);
    expect(z / HAND_STEPS).toBeCloseTo(position.z * (1 - share), 2);
    hands.point({ ...pane, left: 700 }, 900, 200);
    expect(hands.next(2)[VIEWER]).toEqual({ x, y, z });
  });

  it('is moved by keys while they are held, and by nothing while a script plays', () => {
    const hands = new LabHands(scene, 1, true);
    const from = hands.next(1)[VIEWER].x;
    expect(hands.key('ArrowLeft', true)).toBe(true);
    for (let tick = 2; tick < 62; tick++) hands.next(tick);
    expect((hands.next(62)[VIEWER].x - from) / HAND_STEPS).toBeCloseTo(-3.05, 1);
    expect(hands.key('KeyQ', true)).toBe(false);
    hands.isOwn = false;
    expect(hands.next(63)[VIEWER]).toEqual(new LabHands(scene, 1, false).next(1)[VIEWER]);
  });
});
