import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../../src/core/base/math.ts';
import { pose, quaternion, vector } from '../../../../src/core/base/math.ts';
import type { DrivenBody, DrivenPath } from '../../../../src/core/world/driven/driven.ts';
import { drivenPose } from '../../../../src/core/world/driven/driven.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { faultsOfLevel } from '../../../../src/core/world/level-faults.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import { readLevel } from '../../../../src/core/wire/files/level-text.ts';
import { writeLevel } from '../../../../src/core/wire/files/write-level.ts';
import { drivenLevel, plate, poseAt, shuttle } from '../../../support/driven-levels.ts';

const LIFT = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 2.1, 0], 3, 2));
const TURN: DrivenPath = { kind: 'turn', pivot: vector(1, 0, 0), axis: vector(0, 2, 0), period: 8 };
const BELT: DrivenPath = { kind: 'belt', velocity: vector(1, 0, 0) };

/** Metres, to a millimetre. */
function placeOf({ position: { x, y, z } }: Pose): number[] {
  return [x, y, z].map((metres) => Math.round(metres * 1000) / 1000);
}

function heightAt(seconds: number): number {
  return drivenPose(LIFT, seconds, pose()).position.y;
}

describe('[K1.1] [K1.3] the path of a driven body', () => {
  test('waits, goes, waits and comes back, for ever', () => {
    for (const round of [0, 10, 3600]) {
      expect(heightAt(round)).toBeCloseTo(0.1);
      expect(heightAt(round + 2)).toBeCloseTo(0.1);
      expect(heightAt(round + 3.5)).toBeCloseTo(1.1);
      expect(heightAt(round + 5.5)).toBeCloseTo(2.1);
      expect(heightAt(round + 8.5)).toBeCloseTo(1.1);
      expect(heightAt(round + 10)).toBeCloseTo(0.1);
    }
    expect(heightAt(-1), 'before the beginning').toBeCloseTo(0.1);
  });

  test('never jerks, and is no faster than 1.5 times an even way', () => {
    let fastest = 0;
    for (let tick = 0; tick < 1200; tick++)
      fastest = Math.max(fastest, Math.abs(heightAt((tick + 1) / 60) - heightAt(tick / 60)) * 60);
    expect(fastest).toBeGreaterThan(0.99);
    expect(fastest).toBeLessThan(1.001);
  });

  test('turns about an axis through a point, the other way with a period below 0', () => {
    const at = (period: number, seconds: number) =>
      drivenPose(plate([1, 0.1, 1], [3, 0.1, 0], { ...TURN, period }), seconds, pose());
    expect(placeOf(at(8, 2))).toEqual([1, 0.1, -2]);
    expect(placeOf(at(-8, 2))).toEqual([1, 0.1, 2]);
    expect(at(8, 8_000_002).position.z, 'after three months').toBeCloseTo(-2, 3);
    expect(at(8, 4).rotation.y).toBeCloseTo(1);
  });

  test('of a belt stays where it is', () => {
    expect(drivenPose(plate([1, 0.1, 1], [3, 0.1, 0], BELT), 77, pose())).toEqual(poseAt([3, 0.1, 0]));
  });
});

describe('[B1.4] [K1.3] a level with driven bodies', () => {
  const faults = (...driven: DrivenBody[]) => faultsOfLevel(drivenLevel(driven, [[0, 3, 0]]));
  const of = (path: DrivenPath) => faults(plate([1, 0.1, 1], [0, 0.1, 0], path));

  test('may have all kinds, and 64 of them', () => {
    expect(of(TURN)).toEqual([]);
    expect(of(BELT)).toEqual([]);
    expect(faults(...Array.from({ length: 64 }, () => LIFT))).toEqual([]);
    expect(faults(...Array.from({ length: 65 }, () => LIFT))).toEqual([
      'A level has at most 64 driven bodies.',
    ]);
  });

  const toFar = shuttle([0, 2000, 0], 3600, 0);
  const turned = { ...poseAt([0, 1, 0]), rotation: quaternion(0, 1, 0, 0) };
  test.each<[string, DrivenPath, string]>([
    ['a period', { ...TURN, period: 0 }, 'Its period is 0; it must be 0.1 to 3600.'],
    ['an axis', { ...TURN, axis: vector() }, 'Its axis has no direction.'],
    ['an axis, of no number', { ...TURN, axis: vector(NaN) }, 'Its axis has no direction.'],
    ['a pivot', { ...TURN, pivot: vector(NaN) }, 'A point of it would be faster than 10 m/s.'],
    ['a turn', { ...TURN, period: 0.5 }, 'A point of it would be faster than 10 m/s.'],
    ['a way', shuttle([0, 1, 0], NaN, 0), 'Its way is NaN; it must be 0.1 to 3600.'],
    ['a wait', shuttle([0, 1, 0], 1, -1), 'Its wait is -1; it must be 0 to 3600.'],
    ['a speed', shuttle([0, 7, 0], 1, 1), 'A point of it would be faster than 10 m/s.'],
    ['an end', toFar, 'Its place is not within the world.'],
    [
      'half a turn',
      { kind: 'shuttle', to: turned, seconds: 9, wait: 0 },
      'It turns by more than 3 radians on its way.',
    ],
    ['a belt', { kind: 'belt', velocity: vector(8, 0, 8) }, 'A point of it would be faster than 10 m/s.'],
  ])('has a fault in %s', (_, path, sentence) => {
    expect(of(path)).toContain(`Driven body 0: ${sentence}`);
  });

  test('has faults in what all bodies have', () => {
    const [body] = [plate([1, 0.001, 1], [0, 0.1, 0], BELT)];
    expect(faults(body)).toEqual(['Driven body 0: Half of an edge is 0.001; it must be 0.01 to 10.']);
    expect(faults({ ...LIFT, friction: -1 })).toEqual([
      'Driven body 0: Its friction is -1; it must be 0 to 10.',
    ]);
  });

  test('[B1.2] has another hash for another path; without any the hash stays what it was', () => {
    const hashOf = (level: Level) => referTo({ id: 'driven', seed: 0 }, level).hash;
    const cubes = [[0, 3, 0]] as const;
    const slower = plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 2.1, 0], 3.1, 2));
    const { driven, ...without } = drivenLevel([], cubes);
    expect(driven).toEqual([]);
    expect(hashOf(drivenLevel([], cubes))).toBe(hashOf(without));
    expect(hashOf(drivenLevel([LIFT], cubes))).not.toBe(hashOf(without));
    expect(hashOf(drivenLevel([LIFT], cubes))).not.toBe(hashOf(drivenLevel([slower], cubes)));
  });

  test('[B1.1] is the same when it is read from its text, and a wrong text is refused', () => {
    const level = drivenLevel(
      [LIFT, plate([1, 1, 1], [9, 1, 0], TURN), plate([1, 1, 1], [5, 1, 5], BELT)],
      [[0, 3, 0]],
    );
    expect(readLevel(writeLevel(level)).level).toEqual(level);
    const wrong = writeLevel(level).replace('"kind":"belt"', '"kind":"river"');
    expect(readLevel(wrong).faults).toEqual(['driven[2].path is no path that may be here.']);
    expect(readLevel(writeLevel(level).replace('"wait":2', '"wait":"2"')).faults).toEqual([
      'driven[0].path.wait is no number.',
    ]);
  });
});
