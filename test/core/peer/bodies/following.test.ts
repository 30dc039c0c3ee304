import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { Following } from '../../../../src/core/peer/bodies/following.ts';

const [A, B] = [0, 1] as BodyId[];
const [ONE, TWO] = [1, 2] as Slot[];

describe('[T6] the author that a body follows', () => {
  test('is followed by its ticks: the next, one after a gap, and none again that was shown or is older', () => {
    const following = new Following(2, TICK_RATE);
    expect([10, 11, 13, 16, 16, 12].map((tick) => following.advance(A, ONE, tick))).toEqual([
      'jump',
      'next',
      'next',
      'jump',
      'older',
      'older',
    ]);
  });

  test('[T6.1] may change, whatever the ticks of the new one are', () => {
    const following = new Following(2, TICK_RATE);
    following.advance(A, ONE, 10_000);
    expect([following.advance(A, TWO, 3), following.advance(A, TWO, 4)]).toEqual(['jump', 'next']);
    expect([following.isOf(A, ONE), following.isOf(A, TWO), following.isOfAnother(B)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('[T6.1] may be a player that carries it, with fewer ticks than the one before', () => {
    const following = new Following(2, TICK_RATE);
    following.advance(A, ONE, 10_000);
    following.followHand(A, TWO);
    following.followHand(A, TWO);
    expect(following.advance(A, TWO, 3)).toBe('jump');
    following.followHand(A, TWO);
    expect(following.advance(A, TWO, 2)).toBe('older');
  });

  test('[T3.4] is forgotten when it leaves: the next in its slot begins anew, and bodies of others go on', () => {
    const following = new Following(2, TICK_RATE);
    following.advance(A, ONE, 10_000);
    following.advance(B, TWO, 10_000);
    following.forgetAuthor(ONE);
    expect(following.isOfAnother(A)).toBe(false);
    expect([following.advance(A, ONE, 0), following.advance(B, TWO, 9999)]).toEqual(['jump', 'older']);
  });

  test('is not eased to as long as nothing was known of the body', () => {
    const following = new Following(2, TICK_RATE);
    expect(following.canEase(A)).toBe(false);
    following.setCanEase(A, true);
    expect(following.canEase(A)).toBe(true);
    following.restart();
    expect(following.canEase(A)).toBe(false);
  });
});
