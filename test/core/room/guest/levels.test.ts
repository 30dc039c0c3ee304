import { expect, test } from 'vitest';
import { chooseLevel } from '../../../../src/levels/levels.ts';
import { connection } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';

/** The reasons for the levels that a guest has begun since the last call. */
function reasonsOf(desk: GuestDesk): string[] {
  desk.lastSent();
  return desk.effects.splice(0).flatMap((effect) => (effect.kind === 'level' ? [effect.why] : []));
}

const PILE = chooseLevel({ id: 'pile', seed: 1 });

test.each([
  ['does not have', { ...PILE, id: 'of another game' }],
  ['has with another content', { ...PILE, seed: 2 }],
])('[B1.1] [B1.2] a guest leaves at a level that its page %s', (_, level) => {
  const desk = GuestDesk.inside();
  desk.receive(1, { kind: 'level', level, connection: connection(8), why: 'choice' });
  expect(desk.status).toBe('ended: other level');
  expect(desk.done()).toContain('close on 1');
  const newcomer = new GuestDesk();
  newcomer.opened(1);
  newcomer.receive(1, { ...WELCOME, level });
  expect(newcomer.status).toBe('ended: other level');
});

test('[B1.2] a guest goes on in a level that its page makes with the same hash', () => {
  const desk = GuestDesk.inside();
  const level = chooseLevel({ id: 'grid', seed: 5, count: 9 });
  desk.receive(1, { kind: 'level', level, connection: connection(8), why: 'choice' });
  expect(desk.status).toBe('here');
  expect(desk.done()).toContain('level');
});

test('[B1.5] a guest is told why the host has begun a level; of several in a second, by the last one', () => {
  const desk = GuestDesk.inside();
  for (const [i, reason] of (['choice', 'return', 'file'] as const).entries())
    desk.receive(1, { kind: 'level', level: PILE, connection: connection(8 + i), why: reason });
  expect(reasonsOf(desk)).toEqual(['choice']);
  desk.run(1100);
  expect(reasonsOf(desk)).toEqual(['file']);
});

test('[B2.3] a guest leaves at its own level with another rate, when it joins and when the host chooses it', () => {
  const level = { ...PILE, hash: '0'.repeat(20), rate: 120 };
  const desk = GuestDesk.inside();
  desk.receive(1, { kind: 'level', level, connection: connection(8), why: 'choice' });
  expect(desk.status).toBe('ended: other rate');
  const newcomer = new GuestDesk();
  newcomer.opened(1);
  newcomer.receive(1, { ...WELCOME, level });
  expect(newcomer.status).toBe('ended: other rate');
});
