import { describe, expect, test } from 'vitest';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Rgb } from '../../../src/view/light/colour.ts';
import { ColourFlow, flowFraction } from '../../../src/view/bodies/colour-flow.ts';

const WHITE: Rgb = [1, 1, 1];
const BLUE: Rgb = [0, 0.25, 1];
const RED: Rgb = [1, 0, 0.125];
const PALETTE = [BLUE, RED];
const FRAME = 1 / 90;

/** A view in which bodies are under these slots. */
function under(...slots: number[]): PeerView {
  const view = peerView(slots.length);
  view.authority.set(slots);
  return view;
}

describe('a flow', () => {
  test('goes the given fraction of the remaining way in one frame of 1/90 s', () => {
    expect(flowFraction(0.3, FRAME)).toBeCloseTo(0.3, 12);
    expect(flowFraction(0.04, 2 * FRAME)).toBeCloseTo(1 - 0.96 ** 2, 12);
    expect(flowFraction(0.3, 0)).toBe(0);
  });

  test.each([20, 60, 72, 120])('ends in the same place at %d frames a second', (rate) => {
    let left = 1;
    for (let i = 0; i < rate; i++) left *= 1 - flowFraction(0.04, 1 / rate);
    expect(left).toBeCloseTo(0.96 ** 90, 9);
  });
});

describe('the colour of a body', () => {
  test('begins white, without a mark', () => {
    const flow = new ColourFlow(2, PALETTE, WHITE);
    expect([...flow.tint]).toEqual([1, 1, 1, 1, 1, 1]);
    expect([...flow.mark]).toEqual([0, 0, 0, 0]);
  });

  test("flows to its player's on touch: 0.3 of the way in the first frame", () => {
    const flow = new ColourFlow(2, PALETTE, WHITE);
    expect(flow.advance(under(NO_SLOT, 0), FRAME)).toBe(true);
    expect([...flow.tint.subarray(0, 3)]).toEqual([1, 1, 1]);
    expect(flow.tint[3]).toBeCloseTo(0.7, 6);
    expect(flow.tint[4]).toBeCloseTo(1 - 0.3 * 0.75, 6);
    expect(flow.mark[2]).toBe(0);
    expect(flow.mark[3]).toBeCloseTo(0.3, 6);
  });

  test('flows back to white slowly, and keeps the mark while it does', () => {
    const flow = new ColourFlow(1, PALETTE, WHITE);
    flow.advance(under(1), 10);
    expect([...flow.tint]).toEqual([...RED]);
    flow.advance(under(NO_SLOT), FRAME);
    expect(flow.tint[1]).toBeCloseTo(0.04, 6);
    expect([...flow.mark]).toEqual([1, expect.closeTo(0.96, 5)]);
    for (let i = 0; i < 900; i++) flow.advance(under(NO_SLOT), FRAME);
    expect([...flow.tint]).toEqual([1, 1, 1]);
    expect(flow.mark[1]).toBe(0);
  });

  test("goes from one player's to another's, with the other's mark at once", () => {
    const flow = new ColourFlow(1, PALETTE, WHITE);
    flow.advance(under(0), 10);
    flow.advance(under(1), FRAME);
    expect(flow.mark[0]).toBe(1);
    expect(flow.tint[0]).toBeCloseTo(0.3, 6);
  });

  test('[T1.4] stays white under a player without an avatar, such as a dedicated host', () => {
    const flow = new ColourFlow(1, PALETTE, WHITE);
    const view = under(1);
    view.avatars[1].avatarless = true;
    expect(flow.advance(view, 10)).toBe(false);
    expect([...flow.tint]).toEqual([1, 1, 1]);
    expect([...flow.mark]).toEqual([0, 0]);
  });

  test('stops at its target, also at a value between two floats', () => {
    const flow = new ColourFlow(1, [[0.1, 0.7, 0.3]], [0.9, 0.9, 0.9]);
    for (let i = 0; i < 200; i++) flow.advance(under(0), FRAME);
    expect(flow.advance(under(0), FRAME)).toBe(false);
  });
});
