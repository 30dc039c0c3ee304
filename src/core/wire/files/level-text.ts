import { MAX_BODIES, TICK_RATE } from '../../base/constants.ts';
import type { Pose, Vector } from '../../base/math.ts';
import { pose } from '../../base/math.ts';
import { MAX_TEMPLATES } from '../../world/existence.ts';
import type { Level, LevelBody, RestLimits, Spawning, StaticBody, Template } from '../../world/level.ts';
import { STANDARD_MATERIAL } from '../../world/level.ts';
import type { Joint, JointEnd } from '../../world/joints/joint.ts';
import type { Making } from '../../world/joints/making.ts';
import { MAX_JOINTS } from '../../world/joints/joint-faults.ts';
import { faultsOfLevel } from '../../world/level-faults.ts';
import type { Fields } from './foreign.ts';
import { kindOf, ownOf, quoted } from './foreign.ts';
import type { ConvexShape, Point, Shape, StaticShape } from '../../world/shape.ts';

/** Characters of a level's text, at most: room for two meshes with as many triangles as one may have. */
export const MAX_LEVEL_TEXT = 32_000_000;
/** Faults that are reported, at most. */
const MOST_FAULTS = 20;
/** Things that never move, at most. */
const MOST_STATICS = 4096;

const TEMPLATE_KEYS = [
  'shape',
  'mass',
  'friction',
  'restitution',
  'linearDamping',
  'angularDamping',
  'rollingFriction',
  'rest',
  'guests',
] as const;
const LEVEL_KEYS = [
  'id',
  'rate',
  'gravity',
  'bounds',
  'templates',
  'bodies',
  'joints',
  'statics',
  'spawning',
] as const;
/** Stand in for what could not be read. */
const NO_SHAPE: ConvexShape = { kind: 'ball', radius: 1 };
const NO_END: JointEnd = { body: null, frame: pose() };
const NO_JOINT: Joint = { kind: 'fixed', ends: [NO_END, NO_END], collides: false };
const NO_TEMPLATE: Template = { ...STANDARD_MATERIAL, shape: NO_SHAPE };

/** A level that was read, or a sentence for each fault of its text: at least one, and MOST_FAULTS at most. */
export type LevelReading =
  | { readonly level: Level; readonly faults: readonly [] }
  | { readonly level: null; readonly faults: readonly string[] };

/**
 * Reads a level from JSON that anybody may have written: see `writeLevel`. It has the same hash as the level that was
 * written. Never throws. The time and memory that it takes grow in proportion to the text, which is refused unread if it
 * is longer than MAX_LEVEL_TEXT.
 */
export function readLevel(text: string): LevelReading {
  if (text.length > MAX_LEVEL_TEXT)
    return { level: null, faults: [`The text has more than ${MAX_LEVEL_TEXT} characters.`] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { level: null, faults: ['The text is no JSON.'] };
  }
  const reader = new LevelReader();
  const level = reader.level(value);
  const faults = reader.faults.length > 0 ? reader.faults : faultsOfLevel(level);
  return faults.length > 0 ? { level: null, faults: faults.slice(0, MOST_FAULTS) } : { level, faults: [] };
}

/** [B2.1] Adds the usual rate to a level that says none. @returns a copy, or what was given. */
function withRate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.hasOwn(value, 'rate') ? value : { ...value, rate: TICK_RATE };
}

/** Copies what has the form of a level, and notes the rest as faults. What it returns after a fault means nothing. */
class LevelReader {
  readonly faults: string[] = [];

  level(value: unknown): Level {
    const making = ownOf(value, 'making');
    const keys = making === undefined ? LEVEL_KEYS : ([...LEVEL_KEYS, 'making'] as const);
    const of = this.#fields(withRate(value), 'The level', keys);
    const bounds = this.#fields(of.bounds, 'bounds', ['across', 'low', 'high']);
    const templates = this.#list(of.templates, 'templates', MAX_TEMPLATES, (each, at) =>
      this.#template(each, at),
    );
    return {
      id: this.#text(of.id, 'id'),
      rate: this.#number(of.rate, 'rate'),
      gravity: this.#number(of.gravity, 'gravity'),
      bounds: {
        across: this.#number(bounds.across, 'bounds.across'),
        low: this.#number(bounds.low, 'bounds.low'),
        high: this.#number(bounds.high, 'bounds.high'),
      },
      templates,
      bodies: this.#list(of.bodies, 'bodies', MAX_BODIES, (each, at) => this.#body(each, at, templates)),
      joints: this.#list(of.joints, 'joints', MAX_JOINTS, (each, at) => this.#joint(each, at)),
      statics: this.#list(of.statics, 'statics', MOST_STATICS, (each, at) => this.#static(each, at)),
      spawning: this.#spawning(of.spawning, templates),
      ...(making === undefined ? {} : { making: this.#making(making) }),
    };
  }

  #say(fault: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
  }

  /** The values of exactly these keys. Only own keys count, so that nothing comes from a prototype. */
  #fields<const Key extends string>(value: unknown, at: string, keys: readonly Key[]): Fields<Key> {
    const found: Partial<Record<Key, unknown>> = {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#say(`${at} is no object.`);
    } else {
      for (const key of keys) {
        if (Object.hasOwn(value, key)) found[key] = (value as Fields<Key>)[key];
        else this.#say(`${at} has no ${key}.`);
      }
      const unknown = Object.keys(value).find((key) => !(keys as readonly string[]).includes(key));
      if (unknown !== undefined) this.#say(`${at} has an unknown key, ${quoted(unknown)}.`);
    }
    return found as Fields<Key>;
  }

  #list<Item>(value: unknown, at: string, most: number, read: (item: unknown, at: string) => Item): Item[] {
    if (!Array.isArray(value)) this.#say(`${at} is no list.`);
    else if (value.length > most) this.#say(`${at} has more than ${most} entries.`);
    else return value.map((item: unknown, i) => read(item, `${at}[${i}]`));
    return [];
  }

  #numbers(value: unknown, at: string): number[] {
    return this.#list(value, at, Infinity, (each, where) => this.#number(each, where));
  }

  #number(value: unknown, at: string): number {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    this.#say(`${at} is no number.`);
    return 0;
  }

  #text(value: unknown, at: string): string {
    if (typeof value === 'string') return value;
    this.#say(`${at} is no text.`);
    return '';
  }

  #flag(value: unknown, at: string): boolean {
    if (typeof value === 'boolean') return value;
    this.#say(`${at} is neither true nor false.`);
    return false;
  }

  #templateOf(value: unknown, at: string, templates: readonly Template[]): Template {
    const index = this.#number(value, at);
    const template = Number.isInteger(index) ? templates[index] : undefined;
    if (template !== undefined) return template;
    this.#say(`${at} is not the index of a template.`);
    return NO_TEMPLATE;
  }

  #template(value: unknown, at: string): Template {
    const of = this.#fields(value, at, TEMPLATE_KEYS);
    const guests = this.#fields(of.guests, `${at}.guests`, ['take', 'hold', 'keep']);
    return {
      shape: this.#shape(of.shape, `${at}.shape`),
      mass: this.#number(of.mass, `${at}.mass`),
      friction: this.#number(of.friction, `${at}.friction`),
      restitution: this.#number(of.restitution, `${at}.restitution`),
      linearDamping: this.#number(of.linearDamping, `${at}.linearDamping`),
      angularDamping: this.#number(of.angularDamping, `${at}.angularDamping`),
      rollingFriction: this.#number(of.rollingFriction, `${at}.rollingFriction`),
      rest: this.#rest(of.rest, `${at}.rest`),
      guests: {
        take: this.#flag(guests.take, `${at}.guests.take`),
        hold: this.#flag(guests.hold, `${at}.guests.hold`),
        keep: this.#flag(guests.keep, `${at}.guests.keep`),
      },
    };
  }

  #rest(value: unknown, at: string): RestLimits {
    const of = this.#fields(value, at, ['distance', 'angleDegrees']);
    return {
      distance: this.#number(of.distance, `${at}.distance`),
      angleDegrees: this.#number(of.angleDegrees, `${at}.angleDegrees`),
    };
  }

  #body(value: unknown, at: string, templates: readonly Template[]): LevelBody {
    const of = this.#fields(value, at, ['template', 'start']);
    const template = this.#templateOf(of.template, `${at}.template`, templates);
    return { template, start: this.#pose(of.start, `${at}.start`) };
  }

  /** @param isMade true for what players may make: it has no ends. */
  #joint(value: unknown, at: string, isMade = false): Joint {
    const kind = kindOf(value);
    const going = (isMade ? ['breaksAt'] : ['breaksAt', 'removable']).filter(
      (key) => ownOf(value, key) !== undefined,
    );
    const ofAll = ['kind', ...(isMade ? [] : ['ends']), 'collides', ...going];
    const has = (keys: readonly string[]): Fields<string> => this.#fields(value, at, [...ofAll, ...keys]);
    const number = (of: Fields<string>, key: string): number => this.#number(of[key], `${at}.${key}`);
    switch (kind) {
      case 'hinge':
      case 'slider': {
        const of = has(['limits', 'motor', 'friction']);
        const limits = this.#pair(of.limits, `${at}.limits`, ['least', 'most']);
        const motor = this.#pair(of.motor, `${at}.motor`, ['speed', 'strength']);
        return { kind, limits, motor, friction: number(of, 'friction'), ...this.#tie(of, at) };
      }
      case 'rope': {
        const of = has(['length']);
        return { kind, length: number(of, 'length'), ...this.#tie(of, at) };
      }
      case 'spring': {
        const of = has(['length', 'stiffness', 'damping']);
        const [stiffness, damping] = [number(of, 'stiffness'), number(of, 'damping')];
        return { kind, length: number(of, 'length'), stiffness, damping, ...this.#tie(of, at) };
      }
      case 'fixed':
      case 'ball':
        return { kind, ...this.#tie(has([]), at) };
      default:
        this.#say(`${at} is no joint that may be here.`);
        return NO_JOINT;
    }
  }

  #tie(of: Fields<string>, at: string): Pick<Joint, 'ends' | 'collides' | 'breaksAt' | 'removable'> {
    const ends = this.#list(of.ends ?? NO_JOINT.ends, `${at}.ends`, 2, (each, where): JointEnd => {
      const end = this.#fields(each, where, ['body', 'frame']);
      const body = end.body === null ? null : this.#number(end.body, `${where}.body`);
      return { body, frame: this.#pose(end.frame, `${where}.frame`) };
    });
    if (ends.length < 2) this.#say(`${at}.ends does not have two ends.`);
    const [first = NO_JOINT.ends[0], second = NO_JOINT.ends[1]] = ends;
    const { breaksAt, removable } = of;
    return {
      ends: [first, second],
      collides: this.#flag(of.collides, `${at}.collides`),
      ...(breaksAt === undefined ? {} : { breaksAt: this.#number(breaksAt, `${at}.breaksAt`) }),
      ...(removable === undefined ? {} : { removable: this.#flag(removable, `${at}.removable`) }),
    };
  }

  /** Two numbers by their keys, or null. */
  #pair<const Key extends string>(
    value: unknown,
    at: string,
    keys: readonly [Key, Key],
  ): Record<Key, number> | null {
    if (value === null) return null;
    const of = this.#fields(value, at, keys);
    const numbers: Partial<Record<Key, number>> = {};
    for (const key of keys) numbers[key] = this.#number(of[key], `${at}.${key}`);
    return numbers as Record<Key, number>;
  }

  #static(value: unknown, at: string): StaticBody {
    const of = this.#fields(value, at, ['shape', 'pose', 'friction', 'restitution']);
    return {
      shape: this.#staticShape(of.shape, `${at}.shape`),
      pose: this.#pose(of.pose, `${at}.pose`),
      friction: this.#number(of.friction, `${at}.friction`),
      restitution: this.#number(of.restitution, `${at}.restitution`),
    };
  }

  #making(value: unknown): Making {
    const of = this.#fields(value, 'making', ['perPlayer', 'slots', 'kinds']);
    return {
      perPlayer: this.#number(of.perPlayer, 'making.perPlayer'),
      slots: this.#number(of.slots, 'making.slots'),
      kinds: this.#list(of.kinds, 'making.kinds', MAX_JOINTS, (each, at) => {
        const { ends: _, ...kind } = this.#joint(each, at, true);
        return kind;
      }),
    };
  }

  #spawning(value: unknown, templates: readonly Template[]): Spawning {
    const of = this.#fields(value, 'spawning', ['perPlayer', 'slots', 'perSecond', 'templates']);
    return {
      perPlayer: this.#number(of.perPlayer, 'spawning.perPlayer'),
      slots: this.#number(of.slots, 'spawning.slots'),
      perSecond: this.#number(of.perSecond, 'spawning.perSecond'),
      templates: this.#list(of.templates, 'spawning.templates', MAX_TEMPLATES, (each, at) =>
        this.#templateOf(each, at, templates),
      ),
    };
  }

  #pose(value: unknown, at: string): Pose {
    const of = this.#fields(value, at, ['position', 'rotation']);
    const rotation = this.#fields(of.rotation, `${at}.rotation`, ['x', 'y', 'z', 'w']);
    return {
      position: this.#vector(of.position, `${at}.position`),
      rotation: {
        x: this.#number(rotation.x, `${at}.rotation.x`),
        y: this.#number(rotation.y, `${at}.rotation.y`),
        z: this.#number(rotation.z, `${at}.rotation.z`),
        w: this.#number(rotation.w, `${at}.rotation.w`),
      },
    };
  }

  #vector(value: unknown, at: string): Vector {
    const of = this.#fields(value, at, ['x', 'y', 'z']);
    return {
      x: this.#number(of.x, `${at}.x`),
      y: this.#number(of.y, `${at}.y`),
      z: this.#number(of.z, `${at}.z`),
    };
  }

  #point(value: unknown, at: string): Point {
    const numbers = this.#numbers(value, at);
    if (numbers.length !== 3) this.#say(`${at} does not have three numbers.`);
    const [x = 0, y = 0, z = 0] = numbers;
    return [x, y, z];
  }

  #shape(value: unknown, at: string): Shape {
    if (kindOf(value) !== 'compound') return this.#convex(value, at);
    const of = this.#fields(value, at, ['kind', 'parts']);
    const parts = this.#list(of.parts, `${at}.parts`, Infinity, (each, where) => {
      const part = this.#fields(each, where, ['shape', 'pose']);
      return {
        shape: this.#convex(part.shape, `${where}.shape`),
        pose: this.#pose(part.pose, `${where}.pose`),
      };
    });
    return { kind: 'compound', parts };
  }

  #staticShape(value: unknown, at: string): StaticShape {
    const kind = kindOf(value);
    if (kind === 'mesh') {
      const of = this.#fields(value, at, ['kind', 'vertices', 'triangles']);
      const vertices = this.#numbers(of.vertices, `${at}.vertices`);
      return { kind, vertices, triangles: this.#numbers(of.triangles, `${at}.triangles`) };
    }
    if (kind !== 'height field') return this.#convex(value, at);
    const of = this.#fields(value, at, ['kind', 'columns', 'rows', 'heights', 'size']);
    const size = this.#numbers(of.size, `${at}.size`);
    if (size.length !== 2) this.#say(`${at}.size does not have two numbers.`);
    return {
      kind,
      columns: this.#number(of.columns, `${at}.columns`),
      rows: this.#number(of.rows, `${at}.rows`),
      heights: this.#numbers(of.heights, `${at}.heights`),
      size: [size[0] ?? 0, size[1] ?? 0],
    };
  }

  #convex(value: unknown, at: string): ConvexShape {
    const kind = kindOf(value);
    switch (kind) {
      case 'box':
        return {
          kind,
          halfExtents: this.#point(
            this.#fields(value, at, ['kind', 'halfExtents']).halfExtents,
            `${at}.halfExtents`,
          ),
        };
      case 'ball':
        return {
          kind,
          radius: this.#number(this.#fields(value, at, ['kind', 'radius']).radius, `${at}.radius`),
        };
      case 'capsule':
      case 'cylinder':
      case 'cone': {
        const of = this.#fields(value, at, ['kind', 'radius', 'halfHeight']);
        const radius = this.#number(of.radius, `${at}.radius`);
        return { kind, radius, halfHeight: this.#number(of.halfHeight, `${at}.halfHeight`) };
      }
      case 'hull': {
        const { points } = this.#fields(value, at, ['kind', 'points']);
        const read = (each: unknown, where: string): Point => this.#point(each, where);
        return { kind, points: this.#list(points, `${at}.points`, Infinity, read) };
      }
      default:
        this.#say(`${at} is no shape that may be here.`);
        return NO_SHAPE;
    }
  }
}
