import { describe, expect, test } from 'vitest';
import { MAX_BODIES } from '../../../../src/core/base/constants.ts';
import { MAX_LEVEL_TEXT, readLevel } from '../../../../src/core/wire/files/level-text.ts';
import { writeLevel } from '../../../../src/core/wire/files/write-level.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import type { StaticShape } from '../../../../src/core/world/shape.ts';
import { createLevel, LEVEL_IDS } from '../../../../src/levels/levels.ts';

const playground = createLevel({ id: 'playground', seed: 1 });

/** The text of a level with one value changed, at a path like `bodies.3.start`. */
function changed(path: string, value: unknown): string {
  const plain = JSON.parse(writeLevel(playground)) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = plain;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return JSON.stringify(plain);
}

/** Without the difference of 0 and -0, which JSON does not have. */
function plain(level: Level | null): unknown {
  return JSON.parse(JSON.stringify(level));
}

function faultsOf(text: string): readonly string[] {
  const { level, faults } = readLevel(text);
  expect(level).toBeNull();
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.length).toBeLessThanOrEqual(20);
  for (const fault of faults) expect(fault.length).toBeLessThan(250);
  return faults;
}

describe('[B1.1] a level that was written as text', () => {
  test.each([...LEVEL_IDS.map((id) => ({ id, seed: 3 })), { id: 'grid', seed: 1, count: MAX_BODIES }])(
    '$id of $count is the same, with the same hash, when it is read',
    (recipe) => {
      const level = createLevel(recipe);
      const reading = readLevel(writeLevel(level));
      expect(reading.faults).toEqual([]);
      expect(plain(reading.level)).toEqual(plain(level));
      if (reading.level === null) return;
      expect(referTo(recipe, reading.level)).toEqual(referTo(recipe, level));
      // Templates are the same objects, as `Level` wants it.
      expect(reading.level.templates).toContain(reading.level.bodies[0].template);
    },
  );

  test('[B2.1] has its rate, and the usual one if the text says none', () => {
    expect(readLevel(changed('rate', 90)).level?.rate).toBe(90);
    expect(readLevel(changed('rate', undefined)).level?.rate).toBe(60);
    expect(faultsOf(changed('rate', 25))).toEqual(['The rate is 25; it must be 30 to 120.']);
  });

  test('has static bodies of every kind', () => {
    const shapes: StaticShape[] = [
      { kind: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], triangles: [0, 2, 1] },
      { kind: 'height field', columns: 1, rows: 1, heights: [0, 1, 0.5, 0.25], size: [2, 3] },
      {
        kind: 'hull',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      { kind: 'cone', radius: 0.1, halfHeight: 1 / 3 },
    ];
    const [fixed] = playground.statics;
    const level = { ...playground, statics: shapes.map((shape) => ({ ...fixed, shape })) };
    const reading = readLevel(writeLevel(level));
    expect(reading.faults).toEqual([]);
    expect(plain(reading.level)).toEqual(plain(level));
  });
});

describe('[B1.4] a text that is no level', () => {
  test.each([
    ['', 'The text is no JSON.'],
    ['{"id": NaN}', 'The text is no JSON.'],
    ['null', 'The level is no object.'],
    ['[]', 'The level is no object.'],
    ['7', 'The level is no object.'],
    ['{}', 'The level has no id.'],
  ])('%j: %s', (text, sentence) => {
    expect(faultsOf(text)[0]).toBe(sentence);
  });

  test.each<readonly [string, unknown, string]>([
    ['id', 7, 'id is no text.'],
    ['gravity', '9.81', 'gravity is no number.'],
    ['gravity', null, 'gravity is no number.'],
    ['bounds', undefined, 'The level has no bounds.'],
    ['extra', 1, 'The level has an unknown key, "extra".'],
    ['bodies', {}, 'bodies is no list.'],
    ['bodies.3.template', -1, 'bodies[3].template is not the index of a template.'],
    ['bodies.3.template', 0.5, 'bodies[3].template is not the index of a template.'],
    ['bodies.3.template', 1e9, 'bodies[3].template is not the index of a template.'],
    ['bodies.3.start.position.x', 'a', 'bodies[3].start.position.x is no number.'],
    ['bodies.3.start.position', [1, 2, 3], 'bodies[3].start.position is no object.'],
    ['templates.0.shape.kind', 'torus', 'templates[0].shape is no shape that may be here.'],
    ['templates.0.shape.kind', 'mesh', 'templates[0].shape is no shape that may be here.'],
    ['templates.0.shape.halfExtents', [1, 2], 'templates[0].shape.halfExtents does not have three numbers.'],
    ['templates.0.guests.take', 1, 'templates[0].guests.take is neither true nor false.'],
    ['spawning.templates', [999], 'spawning.templates[0] is not the index of a template.'],
    ['bodies.0.start.rotation.w', 2, 'Body 0: Its rotation is not a unit quaternion.'],
    ['bodies.0.start.position.y', 1e9, 'Body 0: Its place is not within the world.'],
    ['gravity', 1e300, 'The gravity is 1e+300; it must be 0 to 100.'],
  ])('%s as %j: a sentence says so', (path, value, sentence) => {
    expect(faultsOf(changed(path, value))).toContain(sentence);
  });

  test('with too many bodies says so, once', () => {
    const text = changed('bodies', Array(MAX_BODIES + 1).fill(0));
    expect(faultsOf(text)).toEqual([`bodies has more than ${MAX_BODIES} entries.`]);
  });

  test('with a number that is too large for one is refused', () => {
    const text = writeLevel(playground).replace(/"gravity":[\d.]+/, '"gravity":1e999');
    expect(text).toContain('1e999');
    expect(faultsOf(text)).toContain('gravity is no number.');
  });

  test('with keys of a prototype changes none', () => {
    const text = writeLevel(playground).replace('{"id"', '{"__proto__":{"polluted":1},"constructor":2,"id"');
    expect(faultsOf(text)).toContain('The level has an unknown key, "__proto__".');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    // The level as a prototype: none of its keys counts.
    const bare = '{"__proto__":' + writeLevel(playground) + '}';
    expect(faultsOf(bare)).toContain('The level has no id.');
  });

  test.each(['[', '{"id":'])('nested a million times by %s is refused', (open) => {
    const close = open === '[' ? ']' : '}';
    faultsOf(open.repeat(1e6) + '1' + close.repeat(1e6));
    faultsOf(open.repeat(1e6));
  });

  test('of more characters than it may have is not read', () => {
    expect(faultsOf(' '.repeat(MAX_LEVEL_TEXT + 1))[0]).toContain('more than');
  });

  test('with a long foreign key is quoted in part', () => {
    expect(faultsOf(changed('x'.repeat(10_000), 1))[0].length).toBeLessThan(100);
  });

  test('cut off anywhere, or with any one value of another type, never throws', () => {
    const text = writeLevel({ ...playground, bodies: playground.bodies.slice(0, 2), statics: [] });
    for (let length = 0; length < text.length; length += 7) faultsOf(text.slice(0, length));
    let at = 0;
    for (const [value] of text.matchAll(/-?\d+(\.\d+)?|true|false|"[a-z ]+"(?!:)/gi)) {
      at = text.indexOf(value, at);
      for (const other of ['null', '[]', '{}', '"x"', '-1e308'])
        readLevel(text.slice(0, at) + other + text.slice(at + value.length));
      at += value.length;
    }
  });
});

describe('[J1.1] the joints in a level’s text', () => {
  const workshop = JSON.parse(writeLevel(createLevel({ id: 'workshop', seed: 1 }))) as { joints: object[] };
  const withJoint = (change: object): string =>
    JSON.stringify({ ...workshop, joints: [{ ...workshop.joints[0], ...change }] });

  test.each([
    [{ kind: 'glue' }, 'joints[0] is no joint that may be here.'],
    [{ kind: 'ball' }, 'joints[0] has an unknown key, "limits".'],
    [{ limits: { least: 0 } }, 'joints[0].limits has no most.'],
    [{ motor: 7 }, 'joints[0].motor is no object.'],
    [{ friction: null }, 'joints[0].friction is no number.'],
    [{ ends: [] }, 'joints[0].ends does not have two ends.'],
    [{ ends: [1, 2, 3] }, 'joints[0].ends has more than 2 entries.'],
    [{ collides: 1 }, 'joints[0].collides is neither true nor false.'],
  ])('%j is refused', (change, fault) => {
    expect(faultsOf(withJoint(change))).toContain(fault);
  });

  test('may be many, of one island, and take little time to be refused', () => {
    const { ends, ...hinge } = workshop.joints[0] as { ends: object[] };
    const joints = Array.from({ length: 4096 }, (_, i) => {
      const [a, b] = [i % 79, (i + 1) % 79];
      return {
        ...hinge,
        ends: [
          { ...ends[0], body: a },
          { ...ends[1], body: b },
        ],
      };
    });
    expect(faultsOf(JSON.stringify({ ...workshop, joints })).length).toBe(20);
  });
});
