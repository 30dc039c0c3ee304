import { describe, expect, test } from 'vitest';
import type { BodyId, Slot, Tick } from '../../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../../src/core/base/ids.ts';
import type { PeerEvent } from '../../../../src/core/peer/diagnostics/event-log.ts';
import { EVENT_KINDS } from '../../../../src/core/peer/diagnostics/event-log.ts';
import { decisionOf } from '../../../../src/pages/loopback/panel/event-sentences.ts';

function event(kind: PeerEvent['kind'], rule: PeerEvent['rule'], slot = 1 as Slot): PeerEvent {
  return { tick: 42 as Tick, kind, rule, body: 7 as BodyId, slot };
}

describe('why a body changed hands', () => {
  test.each(EVENT_KINDS)('%s is one sentence', (kind) => {
    for (const slot of [1 as Slot, NO_SLOT]) {
      expect(decisionOf(event(kind, '', slot)).sentence).toMatch(/^[A-Z][^.]*\.$/);
    }
  });

  test('names the player by the colour, and keeps tick and rule', () => {
    expect(decisionOf(event('grab', 'A6'))).toEqual({ tick: 42, rule: 'A6', sentence: 'Red grabbed it.' });
    expect(decisionOf(event('grab', 'A6', 0 as Slot)).sentence).toBe('Blue grabbed it.');
  });

  test('has different sentences for each way of taking and of returning', () => {
    expect(decisionOf(event('take', 'A5')).sentence).toContain('touched');
    expect(decisionOf(event('take', 'A8')).sentence).toContain('rested on');
    expect(decisionOf(event('take', 'A11')).sentence).toContain('swayed');
    expect(decisionOf(event('return', 'A7')).sentence).toContain('rested for a second');
    expect(decisionOf(event('return', 'A2')).sentence).not.toContain('second');
  });

  test('gives the reason of a refusal', () => {
    expect(decisionOf(event('refuse', 'H2')).sentence).toBe('Red did not get it: another player holds it.');
    expect(decisionOf(event('refuse', 'H5')).sentence).toContain('too far ahead');
    expect(decisionOf(event('refuse', '')).sentence).toBe('Red did not get it: the claim was rejected.');
  });
});
