import type { Field, Fields } from './field.ts';
import { highestOf, mostBitsOf } from './field.ts';
import type { SchemaDeclaration } from './declaration.ts';

/** [V1.2] Bytes of the values of a body, of a player, of the room, and of an event, at most. */
const MAX_BODY_BYTES = 64;
const MAX_PLAYER_BYTES = 256;
const MAX_ROOM_BYTES = 256;
const MAX_EVENT_BYTES = 64;
/** Fields of a scope, and kinds of events, at most: a schema is read by people. */
const MAX_FIELDS = 64;
const MAX_EVENTS = 64;
/** Steps of a number: a word that holds them has its sign to spare. */
const MAX_STEPS = 2 ** 30;
/** Words of a choice. */
const MAX_CHOICES = 256;
/** Bytes of a text, at most: with the byte that counts them they are all that a player's values have. */
const MAX_TEXT_BYTES = 255;
/** Parts of a step by which a range may miss a whole number of steps: decimals are not exact. */
const STEP_SLACK = 1e-6;
const NAME = /^[A-Za-z][A-Za-z0-9]{0,31}$/;

const KINDS: readonly Field['kind'][] = ['number', 'choice', 'flag', 'text'];
/** The parts of a schema, and of its bodies and players. */
const PARTS = ['room', 'bodies', 'players', 'events'];
const BODY_PARTS = ['host', 'authority'];
const PLAYER_PARTS = ['host', 'self'];

/** Takes a sentence about a fault. */
type Say = (fault: string) => void;

/** [V1.2] The faults of a schema: a sentence for each; empty if it has none. */
export function faultsOfSchema(declaration: SchemaDeclaration): string[] {
  const { room, bodies, players, events } = declaration;
  const faults: string[] = [];
  const say: Say = (fault) => void faults.push(fault);
  checkParts(say, 'A schema', declaration, PARTS);
  checkParts(say, 'A schema’s “bodies”', bodies, BODY_PARTS);
  checkParts(say, 'A schema’s “players”', players, PLAYER_PARTS);
  checkScope(say, 'The room', [room], MAX_ROOM_BYTES);
  checkScope(say, 'A body', [bodies?.host, bodies?.authority], MAX_BODY_BYTES);
  checkScope(say, 'A player', [players?.host, players?.self], MAX_PLAYER_BYTES);
  const names = Object.keys(events ?? {});
  if (names.length > MAX_EVENTS) say(`A schema has at most ${MAX_EVENTS} kinds of events.`);
  for (const name of names) {
    checkName(say, `The event “${name}”`, name);
    checkScope(say, `The event “${name}”`, [events?.[name]], MAX_EVENT_BYTES);
  }
  return faults;
}

/** A misspelt part would be passed over without a word. */
function checkParts(say: Say, what: string, parts: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(parts ?? {}))
    if (!known.includes(name)) say(`${what} can’t have “${name}”; it may have ${known.join(', ')}.`);
}

function checkScope(say: Say, what: string, parts: readonly (Fields | undefined)[], most: number): void {
  const all = parts.flatMap((fields) => Object.entries(fields ?? {}));
  if (all.length > MAX_FIELDS) say(`${what} has at most ${MAX_FIELDS} values.`);
  const names = all.map(([name]) => name);
  for (const [name] of all.filter(([each], i) => names.indexOf(each) !== i))
    say(`${what} has two values with the name “${name}”.`);
  let isSound = true;
  for (const [name, of] of all) {
    checkName(say, `${what}: the value “${name}”`, name);
    const fault = faultOfField(of);
    if (fault !== null) say(`${what}: the value “${name}” ${fault}`);
    isSound &&= fault === null;
  }
  const bytes = isSound ? all.reduce((bits, [, of]) => bits + mostBitsOf(of), 0) / 8 : 0;
  if (bytes > most) say(`${what} has ${Math.ceil(bytes)} bytes of values; at most ${most} fit.`);
}

function checkName(say: Say, what: string, name: string): void {
  if (!NAME.test(name)) say(`${what} needs a name of 1 to 32 letters and digits that begins with a letter.`);
}

/** The rest of a sentence about what is wrong with a field; null if nothing is. */
function faultOfField(of: Field): string | null {
  if (!isField(of)) return 'is no field: make it by field.number, field.choice, field.flag or field.text.';
  switch (of.kind) {
    case 'number': {
      const { from, to, step, initial } = of;
      if (![from, to, step, initial].every(Number.isFinite)) return 'has a number that is not finite.';
      if (!(from < to)) return 'has a range that does not end above its beginning.';
      if (!(step > 0)) return 'has a step that is not above 0.';
      if (!isWhole((to - from) / step)) return 'has a range that is not a whole number of steps.';
      if (highestOf(of) > MAX_STEPS) return `has a range of more than ${MAX_STEPS} steps.`;
      if (initial < from || initial > to || !isWhole((initial - from) / step))
        return 'begins with a number that it can’t have.';
      return null;
    }
    case 'choice':
      if (!Array.isArray(of.choices)) return 'has no choices.';
      if (of.choices.length < 2 || of.choices.length > MAX_CHOICES)
        return `has ${of.choices.length} choices; it needs 2 to ${MAX_CHOICES}.`;
      return new Set(of.choices).size < of.choices.length ? 'has a choice twice.' : null;
    case 'text':
      if (Number.isInteger(of.bytes) && of.bytes >= 1 && of.bytes <= MAX_TEXT_BYTES) return null;
      return `is a text of ${of.bytes} bytes; it needs 1 to ${MAX_TEXT_BYTES}.`;
    case 'flag':
      return null;
  }
}

/** A program without types may declare anything. */
function isField(of: unknown): of is Field {
  return typeof of === 'object' && of !== null && 'kind' in of && KINDS.some((kind) => kind === of.kind);
}

function isWhole(number: number): boolean {
  return Math.abs(number - Math.round(number)) < STEP_SLACK;
}
