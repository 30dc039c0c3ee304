import { describe, expect, test } from 'vitest';
import { field } from '../../../src/core/shared/field.ts';
import type { SchemaDeclaration } from '../../../src/core/shared/declaration.ts';
import { isSchemaHash, sharedSchema } from '../../../src/core/shared/schema.ts';
import { faultsOfSchema } from '../../../src/core/shared/schema-faults.ts';

const declared = {
  room: { round: field.number({ from: 1, to: 9 }) },
  players: { self: { ready: field.flag() } },
  events: { horn: { loud: field.flag() } },
} as const;

describe('[V1.2] a schema', () => {
  const text = field.text(32);
  const faulty: readonly (readonly [string, SchemaDeclaration])[] = [
    ['A body has 66 bytes of values; at most 64 fit.', { bodies: { host: { a: text, b: text } } }],
    ['A player has two values with the name “a”.', { players: { host: { a: text }, self: { a: text } } }],
    ['The room: the value “a” has a range that does not end above its beginning.', room(5, 5)],
    ['The room: the value “a” has a range that is not a whole number of steps.', room(0, 1, 0.3)],
    ['The room: the value “a” has a step that is not above 0.', room(0, 1, 0)],
    ['The room: the value “a” has a number that is not finite.', room(0, Infinity)],
    ['The room: the value “a” has a range of more than 1073741824 steps.', room(0, 2, 1e-9)],
    ['The room: the value “a” begins with a number that it can’t have.', room(0, 9, 1, 10)],
    ['The room: the value “a” has 1 choices; it needs 2 to 256.', { room: { a: field.choice(['x']) } }],
    ['The room: the value “a” has a choice twice.', { room: { a: field.choice(['x', 'x']) } }],
    ['The room: the value “a” is a text of 300 bytes; it needs 1 to 255.', { room: { a: field.text(300) } }],
    ['The event “horn” has 66 bytes of values; at most 64 fit.', { events: { horn: { a: text, b: text } } }],
  ];

  test.each(faulty)('has a sentence for a fault: %s', (sentence, declaration) => {
    expect(faultsOfSchema(declaration)).toEqual([sentence]);
    expect(() => sharedSchema(declaration)).toThrow(sentence);
  });

  test.each([
    ['{"player":{}}', 'A schema can’t have “player”; it may have room, bodies, players, events.'],
    ['{"players":{"guest":{}}}', 'A schema’s “players” can’t have “guest”; it may have host, self.'],
    ['{"bodies":{"owner":{}}}', 'A schema’s “bodies” can’t have “owner”; it may have host, authority.'],
    ['{"room":{"a":{"kind":"choice"}}}', 'The room: the value “a” has no choices.'],
    ...['0', 'null', '{"kind":"float"}'].map((value) => [
      `{"room":{"score":${value}}}`,
      'The room: the value “score” is no field: make it by field.number, field.choice, field.flag or field.text.',
    ]),
  ])('has a sentence for what a program without types declares: %s', (text, sentence) => {
    expect(faultsOfSchema(JSON.parse(text) as SchemaDeclaration)).toEqual([sentence]);
  });

  test('has a sentence for a name that is none, and for too many values', () => {
    const [fault] = faultsOfSchema({ room: { 'no name': field.flag() } });
    expect(fault).toContain('needs a name of 1 to 32 letters and digits');
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, field.flag()]));
    expect(faultsOfSchema({ players: { host: many } })).toEqual(['A player has at most 64 values.']);
  });

  test('may have as much as fits', () => {
    const most = { host: { a: field.text(31), b: field.text(31) } };
    expect(faultsOfSchema({ bodies: most })).toEqual([]);
    expect(faultsOfSchema({ players: { self: { a: field.text(255) } } })).toEqual([]);
    expect(faultsOfSchema({})).toEqual([]);
  });
});

describe('[V1.3] the hash of a schema', () => {
  const { hash } = sharedSchema(declared);

  test('is the same for the same declaration, and can be told from other texts', () => {
    expect(sharedSchema({ ...declared }).hash).toBe(hash);
    expect(isSchemaHash(hash)).toBe(true);
    expect(isSchemaHash('x'.repeat(20))).toBe(false);
  });

  test.each<readonly [string, SchemaDeclaration]>([
    ['range', { ...declared, room: { round: field.number({ from: 1, to: 10 }) } }],
    ['initial value', { ...declared, room: { round: field.number({ from: 1, to: 9, initial: 2 }) } }],
    ['name', { ...declared, room: { turn: field.number({ from: 1, to: 9 }) } }],
    ['writer', { ...declared, players: { host: { ready: field.flag() } } }],
    ['event', { ...declared, events: { bell: { loud: field.flag() } } }],
    ['number of values', { ...declared, room: undefined }],
  ] as never)('is another for another %s', (_, declaration) => {
    expect(sharedSchema(declaration).hash).not.toBe(hash);
  });
});

function room(from: number, to: number, step?: number, initial?: number): SchemaDeclaration {
  const range = {
    from,
    to,
    ...(step === undefined ? {} : { step }),
    ...(initial === undefined ? {} : { initial }),
  };
  return { room: { a: field.number(range) } };
}
