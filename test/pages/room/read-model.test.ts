import { describe, expect, test } from 'vitest';
import { failureIn } from '../../../src/pages/room/read-model.ts';
import type { Roster } from '../../../src/core/room/messages.ts';

const rosterFor = (capacity: number): Roster => ({ host: 0, capacity }) as Roster;

describe('the failure that a player reads when a room has ended', () => {
  test('is about the server where only the server can be host', () => {
    expect(failureIn(rosterFor(16), 'lost')).toBe('server lost');
  });

  test('is about the connection where another player could have become host', () => {
    expect(failureIn(rosterFor(8), 'lost')).toBe('lost');
    expect(failureIn(null, 'lost')).toBe('lost');
  });

  test('is the failure itself in every other case', () => {
    expect(failureIn(rosterFor(16), 'removed')).toBe('removed');
  });
});
