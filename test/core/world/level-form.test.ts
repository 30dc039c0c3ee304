import { describe, expect, test } from 'vitest';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import { faultsOfLevel } from '../../../src/core/world/level-faults.ts';
import type { Joint } from '../../../src/core/world/joints/joint.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { createLevel } from '../../../src/levels/levels.ts';

type Part = Record<string, unknown>;

/** The level of somebody who writes JavaScript, after a change of one of its parts. */
function changed(change: (level: Level) => void): Level {
  const template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } } as const;
  const at = (x: number): Level['bodies'][0] => ({
    template,
    start: { position: vector(x, 1, 0), rotation: quaternion() },
  });
  const end = (body: number, x: number): Joint['ends'][0] => ({
    body,
    frame: { position: vector(x, 0, 0), rotation: quaternion() },
  });
  const axis = { limits: null, motor: null, friction: 0, collides: false };
  const hinge: Joint = { kind: 'hinge', ends: [end(0, 0.5), end(1, -0.5)], ...axis };
  const level = structuredClone({ ...flatLevel('balls', [at(0), at(1)]), joints: [hinge] });
  change(level);
  return level;
}

/** A part of a level, as it may be changed here. */
const part = (of: unknown): Part => of as Part;

describe('[B1.4] of a value that is no level, a sentence says', () => {
  test('nothing if it is one', () => {
    expect(faultsOfLevel(changed(() => undefined))).toEqual([]);
  });

  test.each<[string, (level: Level) => void, string]>([
    [
      'that a body has an unknown shape',
      ({ templates }) => void (part(templates[0].shape).kind = 'sphere'),
      'templates[0].shape is no shape that may be here.',
    ],
    [
      'that a static body has an unknown shape',
      ({ statics }) => void (part(statics[0].shape).kind = 'plane'),
      'statics[0].shape is no shape that may be here.',
    ],
    [
      'that a body has a shape of static ones',
      ({ templates }) => void (part(templates[0].shape).kind = 'mesh'),
      'templates[0].shape is no shape that may be here.',
    ],
    ['that joints are missing', (level) => void delete part(level).joints, 'joints is no list.'],
    ['that templates are missing', (level) => void delete part(level).templates, 'templates is no list.'],
    ['that spawning is missing', (level) => void delete part(level).spawning, 'spawning is no object.'],
    [
      'that a hinge has no limits',
      ({ joints }) => void delete part(joints[0]).limits,
      'joints[0].limits is no object.',
    ],
    [
      'that a joint has an unknown kind',
      ({ joints }) => void (part(joints[0]).kind = 'weld'),
      'joints[0] is no joint that may be here.',
    ],
    [
      'that a joint has one end',
      ({ joints }) => void (joints[0].ends as unknown as unknown[]).pop(),
      'joints[0].ends does not have 2 entries.',
    ],
    [
      'that a body has no rotation',
      ({ bodies }) => void delete part(bodies[1].start).rotation,
      'bodies[1].start.rotation is no object.',
    ],
    [
      'that a template has no shape',
      ({ templates }) => void delete part(templates[0]).shape,
      'templates[0].shape is no shape that may be here.',
    ],
    [
      'that a mass is a text',
      ({ templates }) => void (part(templates[0]).mass = '5'),
      'templates[0].mass is no number.',
    ],
    [
      'that half of an edge is missing',
      ({ statics }) => void (part(statics[0].shape).halfExtents = [1, 1]),
      'statics[0].shape.halfExtents does not have 3 numbers.',
    ],
  ])('%s', (_, change, sentence) => {
    expect(faultsOfLevel(changed(change))[0]).toBe(sentence);
  });

  test.each([[undefined], [null], [5], ['a level'], [[]]])('that %s is none', (value) => {
    const [first] = faultsOfLevel(value as never);
    expect(first).toMatch(/^(The level is no object|id is no text)\.$/);
  });

  test('nothing of a list of numbers that is an engine’s', () => {
    const mesh = { kind: 'mesh', vertices: new Float32Array(9), triangles: new Uint32Array([0, 1, 2]) };
    expect(faultsOfLevel(changed(({ statics }) => void (part(statics[0]).shape = mesh)))).toEqual([]);
  });

  test('no more than 20 things', () => {
    const many = changed((of) => void (part(of).bodies = Array(99).fill(null)));
    expect(faultsOfLevel(many)).toHaveLength(20);
  });
});

/** The fields that a level may leave out, and those that may be null. */
const MAY_GO = ['driven', 'making', 'breaksAt', 'removable'];
const MAY_BE_NULL = ['limits', 'motor', 'body'];

/** Calls `visit` for each field of a level, and each entry of its lists, but for equal entries far down. */
function eachField(value: unknown, visit: (of: Part, key: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (Array.isArray(value) && Number(key) >= 40) break;
    visit(value as Part, key);
    eachField((value as Part)[key], visit);
  }
}

test.each(['playground', 'workshop'])('[B1.4] whatever is wrong in %s, there is a sentence', (id) => {
  const level = structuredClone(createLevel({ id, seed: 1 }));
  expect(faultsOfLevel(level)).toEqual([]);
  const silent: string[] = [];
  const seen = new Set<unknown>();
  eachField(level, (of, key) => {
    // A level's bodies share a template.
    if (seen.has(of[key])) return;
    if (typeof of[key] === 'object') seen.add(of[key]);
    const before = of[key];
    for (const wrong of [undefined, null, '5', {}, NaN]) {
      if (wrong === undefined && MAY_GO.includes(key)) continue;
      if (wrong === null && MAY_BE_NULL.includes(key)) continue;
      if (wrong === '5' && key === 'id') continue;
      of[key] = wrong;
      if (faultsOfLevel(level).length === 0) silent.push(`${key} ${JSON.stringify(wrong)}`);
    }
    of[key] = before;
  });
  expect(silent).toEqual([]);
});
