import { describe, expect, test } from 'vitest';
import type { Rectangle } from '../../src/input/panes.ts';
import { acrossPane, GUEST_PANE, HOST_PANE, paneAt, paneRectangles, upPane } from '../../src/input/panes.ts';

const WINDOWS = [
  ['a desktop', 1280, 720],
  ['an odd width', 1281, 721],
  ['a phone in portrait', 390, 844],
  ['a phone in landscape', 844, 390],
  ['a tablet in portrait', 820, 1180],
] as const;

describe('panes', () => {
  test.each(WINDOWS)('fill %s without overlap', (_, width, height) => {
    const [host, guest] = paneRectangles(width, height);
    const area = (r: Rectangle): number => r.width * r.height;
    expect(area(host) + area(guest)).toBe(width * height);
    expect([host.x, host.y]).toEqual([0, 0]);
    expect([guest.x + guest.width, guest.y + guest.height]).toEqual([width, height]);
  });

  test.each(WINDOWS)('a single one fills %s and contains every point', (_, width, height) => {
    const panes = paneRectangles(width, height, 1);
    expect(panes).toEqual([{ x: 0, y: 0, width, height }]);
    for (const [x, y] of [
      [0, 0],
      [width, height],
      [-5, height + 5],
    ]) {
      expect(paneAt(panes, x, y)).toBe(HOST_PANE);
    }
  });

  test('stand side by side, but on top of each other on a phone in portrait', () => {
    expect(paneRectangles(1280, 720)[GUEST_PANE]).toEqual({ x: 640, y: 0, width: 640, height: 720 });
    expect(paneRectangles(390, 844)[GUEST_PANE]).toEqual({ x: 0, y: 422, width: 390, height: 422 });
    expect(paneRectangles(844, 390)[GUEST_PANE].x).toBe(422);
  });

  test('a point belongs to the pane that it is in', () => {
    const wide = paneRectangles(1280, 720);
    expect(paneAt(wide, 639, 700)).toBe(HOST_PANE);
    expect(paneAt(wide, 640, 0)).toBe(GUEST_PANE);
    const tall = paneRectangles(390, 844);
    expect(paneAt(tall, 389, 421)).toBe(HOST_PANE);
    expect(paneAt(tall, 0, 422)).toBe(GUEST_PANE);
  });

  test('coordinates run from -1 to 1, upwards', () => {
    const pane = { x: 640, y: 0, width: 640, height: 720 };
    expect([acrossPane(pane, 640), acrossPane(pane, 960), acrossPane(pane, 1280)]).toEqual([-1, 0, 1]);
    expect([upPane(pane, 720), upPane(pane, 360), upPane(pane, 0)]).toEqual([-1, 0, 1]);
  });
});
