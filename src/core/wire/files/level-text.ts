import { MAX_BODIES, TICK_RATE } from '../../base/constants.ts';
import { MAX_TEMPLATES } from '../../world/existence.ts';
import type { Level, LevelBody, RestLimits, Spawning, StaticBody, Template } from '../../world/level.ts';
import { STANDARD_MATERIAL } from '../../world/level.ts';
import { MAX_JOINTS } from '../../world/joints/joint-faults.ts';
import { faultsOfLevel } from '../../world/level-faults.ts';
import { MAX_DRIVEN } from '../../world/driven/driven.ts';
import type { StaticShape } from '../../world/shape.ts';
import { readDriven } from './driven-text.ts';
import { FieldReader, MOST_FAULTS, NO_SHAPE } from './field-reader.ts';
import { readJoint, readMaking } from './joint-text.ts';
import { kindOf, ownOf } from './foreign.ts';

/** Characters of a level's text, at most: room for two meshes with as many triangles as one may have. */
export const MAX_LEVEL_TEXT = 32_000_000;
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
  'driven',
  'spawning',
] as const;
/** Stands in for a template that could not be read. */
const NO_TEMPLATE: Template = { ...STANDARD_MATERIAL, shape: NO_SHAPE };

/** A level that was read, or a sentence for each fault of its text: at least one, and MOST_FAULTS at most. */
export type LevelReading =
  | { readonly level: Level; readonly faults: readonly [] }
  | { readonly level: null; readonly faults: readonly string[] };

/**
 * Reads a level from JSON that anybody may have written: see `writeLevel`. It has the same hash as the level that was
 * written, and templates of its own: `spawn` takes one from its `spawning.templates`. Never throws. The time and memory
 * that it takes grow in proportion to the text, which is refused unread if it is longer than MAX_LEVEL_TEXT.
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

/** [B2.1] Adds the usual rate to a level that says none, and no driven bodies [K1]. @returns a copy, or what was given. */
function withUsual(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return { rate: TICK_RATE, driven: [], ...value };
}

/** Copies what has the form of a level, and notes the rest as faults. What it returns after a fault means nothing. */
class LevelReader {
  readonly #read = new FieldReader();

  /** The faults of the text. */
  get faults(): readonly string[] {
    return this.#read.faults;
  }

  level(value: unknown): Level {
    const making = ownOf(value, 'making');
    const keys = making === undefined ? LEVEL_KEYS : ([...LEVEL_KEYS, 'making'] as const);
    const of = this.#read.fields(withUsual(value), 'The level', keys);
    const bounds = this.#read.fields(of.bounds, 'bounds', ['across', 'low', 'high']);
    const templates = this.#read.list(of.templates, 'templates', MAX_TEMPLATES, (each, at) =>
      this.#template(each, at),
    );
    const driven = this.#read.list(of.driven, 'driven', MAX_DRIVEN, (each, at) =>
      readDriven(this.#read, each, at),
    );
    return {
      id: this.#read.text(of.id, 'id'),
      rate: this.#read.number(of.rate, 'rate'),
      gravity: this.#read.number(of.gravity, 'gravity'),
      bounds: {
        across: this.#read.number(bounds.across, 'bounds.across'),
        low: this.#read.number(bounds.low, 'bounds.low'),
        high: this.#read.number(bounds.high, 'bounds.high'),
      },
      templates,
      bodies: this.#read.list(of.bodies, 'bodies', MAX_BODIES, (each, at) => this.#body(each, at, templates)),
      joints: this.#read.list(of.joints, 'joints', MAX_JOINTS, (each, at) => readJoint(this.#read, each, at)),
      statics: this.#read.list(of.statics, 'statics', MOST_STATICS, (each, at) => this.#static(each, at)),
      spawning: this.#spawning(of.spawning, templates),
      ...(making === undefined ? {} : { making: readMaking(this.#read, making, 'making') }),
      ...(driven.length > 0 ? { driven } : {}),
    };
  }

  #templateOf(value: unknown, at: string, templates: readonly Template[]): Template {
    const index = this.#read.number(value, at);
    const template = Number.isInteger(index) ? templates[index] : undefined;
    if (template !== undefined) return template;
    this.#read.say(`${at} is not the index of a template.`);
    return NO_TEMPLATE;
  }

  #template(value: unknown, at: string): Template {
    const of = this.#read.fields(value, at, TEMPLATE_KEYS);
    const guests = this.#read.fields(of.guests, `${at}.guests`, ['take', 'hold', 'keep']);
    return {
      shape: this.#read.shape(of.shape, `${at}.shape`),
      mass: this.#read.number(of.mass, `${at}.mass`),
      friction: this.#read.number(of.friction, `${at}.friction`),
      restitution: this.#read.number(of.restitution, `${at}.restitution`),
      linearDamping: this.#read.number(of.linearDamping, `${at}.linearDamping`),
      angularDamping: this.#read.number(of.angularDamping, `${at}.angularDamping`),
      rollingFriction: this.#read.number(of.rollingFriction, `${at}.rollingFriction`),
      rest: this.#rest(of.rest, `${at}.rest`),
      guests: {
        take: this.#read.flag(guests.take, `${at}.guests.take`),
        hold: this.#read.flag(guests.hold, `${at}.guests.hold`),
        keep: this.#read.flag(guests.keep, `${at}.guests.keep`),
      },
    };
  }

  #rest(value: unknown, at: string): RestLimits {
    const of = this.#read.fields(value, at, ['distance', 'angleDegrees']);
    return {
      distance: this.#read.number(of.distance, `${at}.distance`),
      angleDegrees: this.#read.number(of.angleDegrees, `${at}.angleDegrees`),
    };
  }

  #body(value: unknown, at: string, templates: readonly Template[]): LevelBody {
    const of = this.#read.fields(value, at, ['template', 'start']);
    const template = this.#templateOf(of.template, `${at}.template`, templates);
    return { template, start: this.#read.pose(of.start, `${at}.start`) };
  }

  #static(value: unknown, at: string): StaticBody {
    const of = this.#read.fields(value, at, ['shape', 'pose', 'friction', 'restitution']);
    return {
      shape: this.#staticShape(of.shape, `${at}.shape`),
      pose: this.#read.pose(of.pose, `${at}.pose`),
      friction: this.#read.number(of.friction, `${at}.friction`),
      restitution: this.#read.number(of.restitution, `${at}.restitution`),
    };
  }

  #spawning(value: unknown, templates: readonly Template[]): Spawning {
    const of = this.#read.fields(value, 'spawning', ['perPlayer', 'slots', 'perSecond', 'templates']);
    return {
      perPlayer: this.#read.number(of.perPlayer, 'spawning.perPlayer'),
      slots: this.#read.number(of.slots, 'spawning.slots'),
      perSecond: this.#read.number(of.perSecond, 'spawning.perSecond'),
      templates: this.#read.list(of.templates, 'spawning.templates', MAX_TEMPLATES, (each, at) =>
        this.#templateOf(each, at, templates),
      ),
    };
  }

  #staticShape(value: unknown, at: string): StaticShape {
    const kind = kindOf(value);
    if (kind === 'mesh') {
      const of = this.#read.fields(value, at, ['kind', 'vertices', 'triangles']);
      const vertices = this.#read.numbers(of.vertices, `${at}.vertices`);
      return { kind, vertices, triangles: this.#read.numbers(of.triangles, `${at}.triangles`) };
    }
    if (kind !== 'height field') return this.#read.convex(value, at);
    const of = this.#read.fields(value, at, ['kind', 'columns', 'rows', 'heights', 'size']);
    const size = this.#read.numbers(of.size, `${at}.size`);
    if (size.length !== 2) this.#read.say(`${at}.size does not have two numbers.`);
    return {
      kind,
      columns: this.#read.number(of.columns, `${at}.columns`),
      rows: this.#read.number(of.rows, `${at}.rows`),
      heights: this.#read.numbers(of.heights, `${at}.heights`),
      size: [size[0] ?? 0, size[1] ?? 0],
    };
  }
}
