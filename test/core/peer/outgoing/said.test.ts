import { describe, expect, test } from 'vitest';
import type { BodyId, Sequence } from '../../../../src/core/base/ids.ts';
import { Said } from '../../../../src/core/peer/outgoing/said.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';

const A = 0 as BodyId;

describe('[W5] what was said of a body', () => {
  const moving = { ...bodyUpdate(), body: A, kind: 'motion' as const };
  const claimed = { ...moving, claim: { ...moving.claim, authoritySequence: 1 as Sequence } };

  test('is said as it moves, once it is known to move, and at once with another claim', () => {
    const said = new Said(1);
    expect(said.needOf(A, moving, -1)).toBe('now');
    said.note(7, moving, 1);
    expect(said.isCurrent(A, 1)).toBe(true);
    expect(said.needOf(A, null, -1)).toBe('motion');
    expect(said.needOf(A, moving, -1)).toBe('motion');
    expect(said.needOf(A, claimed, -1)).toBe('now');
  });

  test('is as good as never said if the packet was too long for it', () => {
    const said = new Said(1);
    said.note(7, moving, 1);
    said.note(8, claimed, 2);
    said.takeBack(A);
    expect(said.isCurrent(A, 2)).toBe(false);
    expect(said.needOf(A, claimed, -1)).toBe('now');
    const rest = { ...claimed, kind: 'rest' as const };
    said.note(9, rest, 3);
    said.takeBack(A);
    expect(said.needOf(A, rest, 9)).toBe('now');
  });
});
