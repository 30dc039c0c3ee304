import { pose } from '../../base/math.ts';
import { MAX_JOINTS } from '../../world/joints/joint-faults.ts';
import type { Joint, JointEnd, JointKind, MadeKind, Making } from '../../world/joints/joint.ts';
import type { FieldReader } from './field-reader.ts';
import type { Fields } from './foreign.ts';
import { kindOf, ownOf } from './foreign.ts';

/** The keys of each kind of joint, besides those of all. */
const KIND_KEYS: Readonly<Record<JointKind['kind'], readonly string[]>> = {
  fixed: [],
  ball: [],
  hinge: ['limits', 'motor', 'friction'],
  slider: ['limits', 'motor', 'friction'],
  rope: ['length'],
  spring: ['length', 'stiffness', 'damping'],
};

/** Stand in for what could not be read. */
const NO_END: JointEnd = { body: null, frame: pose() };
const NO_JOINT: Joint = { kind: 'fixed', ends: [NO_END, NO_END], collides: false };
const NO_KIND: MadeKind = { kind: 'fixed', collides: false };

/** Reads a joint [J1] of a level's text. */
export function readJoint(read: FieldReader, value: unknown, at: string): Joint {
  const found = fieldsOf(read, value, at, ['ends'], ['breaksAt', 'removable']);
  if (found === null) return NO_JOINT;
  const [kind, of] = found;
  const removable =
    of.removable === undefined ? {} : { removable: read.flag(of.removable, `${at}.removable`) };
  return {
    ...kind,
    ends: readEnds(read, of.ends, `${at}.ends`),
    ...readStrength(read, of, at),
    ...removable,
  };
}

/** Reads what players may make [J5] of a level's text. */
export function readMaking(read: FieldReader, value: unknown, at: string): Making {
  const of = read.fields(value, at, ['perPlayer', 'slots', 'kinds']);
  return {
    perPlayer: read.number(of.perPlayer, `${at}.perPlayer`),
    slots: read.number(of.slots, `${at}.slots`),
    kinds: read.list(of.kinds, `${at}.kinds`, MAX_JOINTS, (each, where): MadeKind => {
      const found = fieldsOf(read, each, where, [], ['breaksAt']);
      return found === null ? NO_KIND : { ...found[0], ...readStrength(read, found[1], where) };
    }),
  };
}

/** The kind of a joint, and all of its fields; null if it has no kind. @param optional keys that may be left out. */
function fieldsOf(
  read: FieldReader,
  value: unknown,
  at: string,
  more: readonly string[],
  optional: readonly string[],
): readonly [JointKind, Fields<string>] | null {
  const kind = Object.keys(KIND_KEYS).find((each): each is JointKind['kind'] => each === kindOf(value));
  if (kind === undefined) {
    read.say(`${at} is no joint that may be here.`);
    return null;
  }
  const given = optional.filter((key) => ownOf(value, key) !== undefined);
  const of = read.fields(value, at, ['kind', 'collides', ...more, ...KIND_KEYS[kind], ...given]);
  return [readKind(read, kind, of, at), of];
}

function readKind(read: FieldReader, kind: JointKind['kind'], of: Fields<string>, at: string): JointKind {
  const number = (key: string): number => read.number(of[key], `${at}.${key}`);
  switch (kind) {
    case 'hinge':
    case 'slider': {
      const limits = read.pair(of.limits, `${at}.limits`, ['least', 'most']);
      const motor = read.pair(of.motor, `${at}.motor`, ['speed', 'strength']);
      return { kind, limits, motor, friction: number('friction') };
    }
    case 'rope':
      return { kind, length: number('length') };
    case 'spring':
      return { kind, length: number('length'), stiffness: number('stiffness'), damping: number('damping') };
    case 'fixed':
    case 'ball':
      return { kind };
  }
}

function readEnds(read: FieldReader, value: unknown, at: string): Joint['ends'] {
  const ends = read.list(value, at, 2, (each, where): JointEnd => {
    const end = read.fields(each, where, ['body', 'frame']);
    const body = end.body === null ? null : read.number(end.body, `${where}.body`);
    return { body, frame: read.pose(end.frame, `${where}.frame`) };
  });
  if (ends.length < 2) read.say(`${at} does not have two ends.`);
  const [first = NO_END, second = NO_END] = ends;
  return [first, second];
}

function readStrength(
  read: FieldReader,
  { collides, breaksAt }: Fields<string>,
  at: string,
): Pick<Joint, 'collides' | 'breaksAt'> {
  const strength = breaksAt === undefined ? {} : { breaksAt: read.number(breaksAt, `${at}.breaksAt`) };
  return { collides: read.flag(collides, `${at}.collides`), ...strength };
}
