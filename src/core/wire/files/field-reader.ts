import type { Pose, Vector } from '../../base/math.ts';
import type { ConvexShape, Point, Shape } from '../../world/shape.ts';
import type { Fields } from './foreign.ts';
import { kindOf, quoted } from './foreign.ts';

/** Faults that are reported, at most. */
export const MOST_FAULTS = 20;
/** Stands in for a shape that could not be read. */
export const NO_SHAPE: ConvexShape = { kind: 'ball', radius: 1 };

/** Copies what has the expected form out of foreign JSON, and notes the rest as faults. What it returns after a fault means nothing. */
export class FieldReader {
  readonly faults: string[] = [];

  /** Notes a fault, unless there are many already. */
  say(fault: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
  }

  /** The values of exactly these keys. Only own keys count, so that nothing comes from a prototype. */
  fields<const Key extends string>(value: unknown, at: string, keys: readonly Key[]): Fields<Key> {
    const found: Partial<Record<Key, unknown>> = {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.say(`${at} is no object.`);
    } else {
      for (const key of keys) {
        if (Object.hasOwn(value, key)) found[key] = (value as Fields<Key>)[key];
        else this.say(`${at} has no ${key}.`);
      }
      const unknown = Object.keys(value).find((key) => !(keys as readonly string[]).includes(key));
      if (unknown !== undefined) this.say(`${at} has an unknown key, ${quoted(unknown)}.`);
    }
    return found as Fields<Key>;
  }

  /** A list of what `read` makes of each entry. @param most entries. */
  list<Item>(value: unknown, at: string, most: number, read: (item: unknown, at: string) => Item): Item[] {
    if (!Array.isArray(value)) this.say(`${at} is no list.`);
    else if (value.length > most) this.say(`${at} has more than ${most} entries.`);
    else return value.map((item: unknown, i) => read(item, `${at}[${i}]`));
    return [];
  }

  /** A list of numbers. */
  numbers(value: unknown, at: string): number[] {
    return this.list(value, at, Infinity, (each, where) => this.number(each, where));
  }

  /** A finite number. */
  number(value: unknown, at: string): number {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    this.say(`${at} is no number.`);
    return 0;
  }

  /** A text. */
  text(value: unknown, at: string): string {
    if (typeof value === 'string') return value;
    this.say(`${at} is no text.`);
    return '';
  }

  /** True or false. */
  flag(value: unknown, at: string): boolean {
    if (typeof value === 'boolean') return value;
    this.say(`${at} is neither true nor false.`);
    return false;
  }

  /** Two numbers by their keys, or null. */
  pair<const Key extends string>(
    value: unknown,
    at: string,
    keys: readonly [Key, Key],
  ): Record<Key, number> | null {
    if (value === null) return null;
    const of = this.fields(value, at, keys);
    const numbers: Partial<Record<Key, number>> = {};
    for (const key of keys) numbers[key] = this.number(of[key], `${at}.${key}`);
    return numbers as Record<Key, number>;
  }

  /** A place and a rotation. */
  pose(value: unknown, at: string): Pose {
    const of = this.fields(value, at, ['position', 'rotation']);
    const rotation = this.fields(of.rotation, `${at}.rotation`, ['x', 'y', 'z', 'w']);
    return {
      position: this.vector(of.position, `${at}.position`),
      rotation: {
        x: this.number(rotation.x, `${at}.rotation.x`),
        y: this.number(rotation.y, `${at}.rotation.y`),
        z: this.number(rotation.z, `${at}.rotation.z`),
        w: this.number(rotation.w, `${at}.rotation.w`),
      },
    };
  }

  /** Three numbers by their names. */
  vector(value: unknown, at: string): Vector {
    const of = this.fields(value, at, ['x', 'y', 'z']);
    return {
      x: this.number(of.x, `${at}.x`),
      y: this.number(of.y, `${at}.y`),
      z: this.number(of.z, `${at}.z`),
    };
  }

  /** Three numbers in a list. */
  point(value: unknown, at: string): Point {
    const numbers = this.numbers(value, at);
    if (numbers.length !== 3) this.say(`${at} does not have three numbers.`);
    const [x = 0, y = 0, z = 0] = numbers;
    return [x, y, z];
  }

  /** The shape of a body. */
  shape(value: unknown, at: string): Shape {
    if (kindOf(value) !== 'compound') return this.convex(value, at);
    const of = this.fields(value, at, ['kind', 'parts']);
    const parts = this.list(of.parts, `${at}.parts`, Infinity, (each, where) => {
      const part = this.fields(each, where, ['shape', 'pose']);
      return {
        shape: this.convex(part.shape, `${where}.shape`),
        pose: this.pose(part.pose, `${where}.pose`),
      };
    });
    return { kind: 'compound', parts };
  }

  /** A shape in one piece. */
  convex(value: unknown, at: string): ConvexShape {
    const kind = kindOf(value);
    switch (kind) {
      case 'box':
        return {
          kind,
          halfExtents: this.point(
            this.fields(value, at, ['kind', 'halfExtents']).halfExtents,
            `${at}.halfExtents`,
          ),
        };
      case 'ball':
        return {
          kind,
          radius: this.number(this.fields(value, at, ['kind', 'radius']).radius, `${at}.radius`),
        };
      case 'capsule':
      case 'cylinder':
      case 'cone': {
        const of = this.fields(value, at, ['kind', 'radius', 'halfHeight']);
        const radius = this.number(of.radius, `${at}.radius`);
        return { kind, radius, halfHeight: this.number(of.halfHeight, `${at}.halfHeight`) };
      }
      case 'hull': {
        const { points } = this.fields(value, at, ['kind', 'points']);
        const read = (each: unknown, where: string): Point => this.point(each, where);
        return { kind, points: this.list(points, `${at}.points`, Infinity, read) };
      }
      default:
        this.say(`${at} is no shape that may be here.`);
        return NO_SHAPE;
    }
  }
}
