import type { ReadonlyPose, ReadonlyQuaternion, ReadonlyVector } from '../base/math.ts';
import type { DrivenBody, DrivenPath } from './driven/driven.ts';
import type {
  Joint,
  JointEnd,
  JointKind,
  JointLimits,
  JointMotor,
  MadeKind,
  Making,
} from './joints/joint.ts';
import type {
  Bounds,
  GuestRights,
  Level,
  LevelBody,
  RestLimits,
  Spawning,
  StaticBody,
  Template,
} from './level.ts';
import type { ConvexShape, Shape, ShapePart, StaticShape } from './shape.ts';

/** Takes a sentence about what is at a place of a level. */
type Report = (at: string, fault: string) => void;
/** Says what a value lacks to be of a form. @param at its place, which is written out only for a sentence. */
type Form = (value: unknown, at: () => string, say: Report) => void;
/** The form of each field of a type, so that the compiler misses none. */
type Fields<Type> = { readonly [Key in keyof Required<Type>]: Form };
/** The fields of each kind of a type, besides `kind`. */
type Kinds<Type extends { readonly kind: string }> = {
  readonly [Kind in Type['kind']]: Omit<Fields<Extract<Type, { readonly kind: Kind }>>, 'kind'>;
};

/** Sentences at most. */
const MOST_FAULTS = 20;

/** A form that is no more than a type. */
function plain(is: (value: unknown) => boolean, fault: string): Form {
  return (value, at, say) => {
    if (!is(value)) say(at(), fault);
  };
}

// The checks of its limits say whether it is finite.
const number = plain((value) => typeof value === 'number', 'is no number');
const text = plain((value) => typeof value === 'string', 'is no text');
const flag = plain((value) => typeof value === 'boolean', 'is neither true nor false');

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function fields<Type>(forms: Fields<Type>): Form {
  const entries = Object.entries<Form>(forms);
  return (value, at, say) => {
    if (!isObject(value)) say(at(), 'is no object');
    else for (const [key, form] of entries) form(value[key], () => inside(at(), key), say);
  };
}

function inside(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}

function list(form: Form, length?: number): Form {
  return (value, at, say) => {
    if (!Array.isArray(value)) return say(at(), 'is no list');
    if (length !== undefined && value.length !== length) say(at(), `does not have ${length} entries`);
    for (let i = 0; i < value.length; i++) form(value[i], () => `${at()}[${i}]`, say);
  };
}

/** A list of numbers, also an engine's, which is no array. */
function numbers(length?: number): Form {
  return (value, at, say) => {
    if (!Array.isArray(value) && !isNumbers(value)) return say(at(), 'is no list');
    if (length !== undefined && value.length !== length) say(at(), `does not have ${length} numbers`);
    for (let i = 0; i < value.length; i++)
      if (typeof value[i] !== 'number') return say(`${at()}[${i}]`, 'is no number');
  };
}

function isNumbers(value: unknown): value is Float64Array {
  return ArrayBuffer.isView(value) && 'length' in value;
}

function orNull(form: Form): Form {
  return (value, at, say) => {
    if (value !== null) form(value, at, say);
  };
}

function optional(form: Form): Form {
  return (value, at, say) => {
    if (value !== undefined) form(value, at, say);
  };
}

/**
 * @param what the name of such a thing.
 * @param all the fields that every kind has.
 */
function kinds<Type extends { readonly kind: string }>(
  what: string,
  of: Kinds<Type>,
  all: Readonly<Record<string, Form>> = {},
): Form {
  const forms = new Map(
    Object.entries<Fields<object>>(of).map(([kind, each]) => [kind, fields({ ...all, ...each })]),
  );
  return (value, at, say) => {
    const kind = isObject(value) && typeof value.kind === 'string' ? value.kind : '';
    const form = forms.get(kind);
    if (form === undefined) say(at(), `is no ${what} that may be here`);
    else form(value, at, say);
  };
}

// The last field comes first, on purpose. V8 gives one layout to all objects that get the same fields in the same order.
// With functions in the layout of vectors, each number that is written to any vector would allocate memory.
const vector = fields<ReadonlyVector>({ z: number, y: number, x: number });
const quaternion = fields<ReadonlyQuaternion>({ w: number, z: number, y: number, x: number });
const pose = fields<ReadonlyPose>({ rotation: quaternion, position: vector });
const point = numbers(3);
const round = { radius: number, halfHeight: number };

const CONVEX: Kinds<ConvexShape> = {
  box: { halfExtents: point },
  ball: { radius: number },
  capsule: round,
  cylinder: round,
  cone: round,
  hull: { points: list(point) },
};
const part = fields<ShapePart>({ shape: kinds<ConvexShape>('shape', CONVEX), pose });
const shape = kinds<Shape>('shape', { ...CONVEX, compound: { parts: list(part) } });
const staticShape = kinds<StaticShape>('shape', {
  ...CONVEX,
  mesh: { vertices: numbers(), triangles: numbers() },
  'height field': { columns: number, rows: number, heights: numbers(), size: numbers(2) },
});

const template = fields<Template>({
  shape,
  mass: number,
  friction: number,
  restitution: number,
  linearDamping: number,
  angularDamping: number,
  rollingFriction: number,
  rest: fields<RestLimits>({ distance: number, angleDegrees: number }),
  guests: fields<GuestRights>({ take: flag, hold: flag, keep: flag }),
});

const axis = {
  limits: orNull(fields<JointLimits>({ least: number, most: number })),
  motor: orNull(fields<JointMotor>({ speed: number, strength: number })),
  friction: number,
};
const JOINTS: Kinds<JointKind> = {
  fixed: {},
  hinge: axis,
  slider: axis,
  ball: {},
  rope: { length: number },
  spring: { length: number, stiffness: number, damping: number },
};
const MADE: Omit<Fields<MadeKind>, 'kind'> = { collides: flag, breaksAt: optional(number) };
const jointEnd = fields<JointEnd>({ body: orNull(number), frame: pose });
const JOINT: Omit<Fields<Joint>, 'kind'> = {
  ...MADE,
  ends: list(jointEnd, 2),
  removable: optional(flag),
};

const drivenPath = kinds<DrivenPath>('path', {
  turn: { pivot: vector, axis: vector, period: number },
  shuttle: { to: pose, seconds: number, wait: number },
  belt: { velocity: vector },
});

/** Another check says whether it is one of the level's. */
const known = plain(isObject, 'is no template');

const level = fields<Level>({
  id: text,
  rate: number,
  gravity: number,
  bounds: fields<Bounds>({ high: number, low: number, across: number }),
  templates: list(template),
  bodies: list(fields<LevelBody>({ template: known, start: pose })),
  joints: list(kinds<JointKind>('joint', JOINTS, JOINT)),
  statics: list(fields<StaticBody>({ shape: staticShape, pose, friction: number, restitution: number })),
  driven: optional(
    list(fields<DrivenBody>({ shape, start: pose, friction: number, restitution: number, path: drivenPath })),
  ),
  spawning: fields<Spawning>({
    perPlayer: number,
    slots: number,
    perSecond: number,
    templates: list(known),
  }),
  making: optional(
    fields<Making>({
      perPlayer: number,
      slots: number,
      kinds: list(kinds<JointKind>('joint', JOINTS, MADE)),
    }),
  ),
});

/** [B1.4] A sentence for everything by which a value is no level, whatever it is; 20 at most. A level may still have faults. */
export function faultsOfForm(value: unknown): string[] {
  const faults: string[] = [];
  level(
    value,
    () => '',
    (at, fault) => {
      if (faults.length < MOST_FAULTS) faults.push(`${at === '' ? 'The level' : at} ${fault}.`);
    },
  );
  return faults;
}
