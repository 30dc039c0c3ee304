import { expect, test } from 'vitest';
import { GuestDesk, WELCOME } from './guest-desk.ts';

const [OURS, THEIRS] = ['0123456789abcdef0123', '0123456789abcdef0124'];

test.each([
  ['another schema than its page', OURS, THEIRS],
  ['a schema, where its page has none', undefined, THEIRS],
  ['no schema, where its page has one', OURS, undefined],
])('[V1.3] a guest leaves a room that has %s', (_, ours, theirs) => {
  const desk = new GuestDesk({ schema: ours });
  desk.opened(1);
  desk.receive(1, { ...WELCOME, schema: theirs });
  expect(desk.status).toBe('ended: other schema');
  expect(desk.done().join()).toContain('bye');
});

test.each([[OURS], [undefined]])('[V1.3] a guest comes into a room with its own schema: %s', (schema) => {
  const desk = new GuestDesk({ schema });
  desk.opened(1);
  desk.receive(1, { ...WELCOME, schema });
  expect(desk.status).toBe('here');
});

test('[V1.3] a welcome with a hash that is none is not read', () => {
  const desk = new GuestDesk();
  desk.opened(1);
  desk.receive(1, { ...WELCOME, schema: 'x' });
  expect(desk.status).toBe('joining');
});
