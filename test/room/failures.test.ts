import { expect, test } from 'vitest';
import { RoomError, SENTENCES } from '../../src/room/failures.ts';

test('every failure is one sentence', () => {
  for (const sentence of Object.values(SENTENCES)) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
  expect(new Set(Object.values(SENTENCES)).size).toBe(Object.keys(SENTENCES).length);
});

test('an error says its sentence, and why', () => {
  const error = new RoomError('room full');
  expect(error).toMatchObject({ message: 'This room is full.', why: 'room full', name: 'RoomError' });
  expect(new RoomError('no broker', 'ws://a:1/').message).toMatch(/ doesn’t answer: ws:\/\/a:1\/$/);
});
