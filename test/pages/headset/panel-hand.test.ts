import { describe, expect, test } from 'vitest';
import { PanelHand } from '../../../src/pages/headset/panel/panel-hand.ts';

const NOW = 1000;
const AT = { x: 100, y: 50, distance: 0.6 };

function finger(distance: number): { x: number; y: number; distance: number } {
  return { ...AT, distance };
}

describe('a hand that points', () => {
  test('presses once, when it closes', () => {
    const hand = new PanelHand();
    const closed = [0, 0.3, 0.7, 1, 0.5, 0.7, 0.3, 0.7];
    expect(closed.map((grip) => hand.update(NOW, grip, 'ray', AT))).toEqual([
      false,
      false,
      true,
      false,
      // The hand is not open yet.
      false,
      false,
      false,
      true,
    ]);
    expect([hand.x, hand.y, hand.way]).toEqual([100, 50, 'ray']);
  });

  test('presses nothing if it comes onto the panel closed', () => {
    const hand = new PanelHand();
    hand.update(NOW, 1, 'ray', null);
    expect(hand.update(NOW, 1, 'ray', AT)).toBe(false);
    hand.update(NOW, 0, 'ray', AT);
    expect(hand.update(NOW, 1, 'ray', AT)).toBe(true);
  });

  test('presses nothing if it was closed before it came', () => {
    const hand = new PanelHand();
    hand.leave();
    expect(hand.update(NOW, 1, 'ray', AT)).toBe(false);
  });

  test('presses at the place where it began to close', () => {
    const hand = new PanelHand();
    const beside = { ...AT, y: 90 };
    hand.update(0, 0, 'ray', AT);
    hand.update(100, 0.3, 'ray', beside);
    expect(hand.y).toBe(AT.y);
    // Also if it already points beside the panel.
    expect(hand.update(200, 0.8, 'ray', null)).toBe(true);
    expect([hand.y, hand.way]).toEqual([AT.y, 'ray']);
  });

  test('aims freely if it stays half closed', () => {
    const hand = new PanelHand();
    hand.update(0, 0, 'ray', AT);
    hand.update(100, 0.3, 'ray', AT);
    hand.update(1000, 0.3, 'ray', { ...AT, y: 90 });
    expect(hand.y).toBe(90);
    hand.update(1100, 0.3, 'ray', null);
    expect(hand.way).toBe('none');
  });

  test('belongs to the panel while it is there, and after that until it opens', () => {
    const hand = new PanelHand();
    hand.update(NOW, 0, 'ray', AT);
    expect(hand.busy).toBe(true);
    hand.update(NOW, 1, 'ray', AT);
    hand.update(NOW, 1, 'ray', null);
    expect(hand.busy).toBe(true);
    hand.update(NOW, 0, 'ray', null);
    expect(hand.busy).toBe(false);
    hand.update(NOW, 1, 'ray', null);
    expect(hand.busy).toBe(false);
  });
});

describe('a fingertip', () => {
  test('presses once when it comes through, and again after it went back', () => {
    const hand = new PanelHand();
    const way = [0.04, 0.02, 0.005, -0.001, -0.02, 0.002, -0.001, 0.02, -0.005];
    expect(way.map((distance) => hand.update(NOW, 0, 'finger', finger(distance)))).toEqual([
      false,
      false,
      false,
      true,
      false,
      // A tremble is not a second press.
      false,
      false,
      false,
      true,
    ]);
  });

  test('presses nothing from behind or from the side', () => {
    const hand = new PanelHand();
    expect(hand.update(NOW, 0, 'finger', finger(-0.05))).toBe(false);
    expect(hand.update(NOW, 0, 'finger', finger(-0.01))).toBe(false);
    expect(hand.update(NOW, 0, 'finger', finger(0.02))).toBe(false);
    expect(hand.update(NOW, 0, 'finger', null)).toBe(false);
    expect(hand.update(NOW, 0, 'finger', finger(-0.01))).toBe(false);
  });

  test('shows as pressing while it is in the panel', () => {
    const hand = new PanelHand();
    const pressing = [0.03, -0.01, -0.02, 0.001, 0.02].map((distance) => {
      hand.update(NOW, 0, 'finger', finger(distance));
      return hand.pressing;
    });
    expect(pressing).toEqual([false, true, true, true, false]);
  });
});
