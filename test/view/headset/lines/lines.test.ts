import { describe, expect, test } from 'vitest';
import { bentLine, sampleLine } from '../../../../src/view/headset/lines/lines.ts';

describe('a resampled line', () => {
  const line = Float32Array.of(0, 0, 0, 1, 2, 0, 4, 2, -6);

  test('keeps its ends and its path', () => {
    const out = new Float32Array(5 * 3);
    sampleLine(line, out);
    expect([...out]).toEqual([0, 0, 0, 0.5, 1, 0, 1, 2, 0, 2.5, 2, -3, 4, 2, -6]);
  });

  test('is unchanged with the same count of points', () => {
    const out = new Float32Array(9);
    sampleLine(line, out);
    expect(out).toEqual(line);
  });

  test('is one place if it has one point, and unchanged if it has none', () => {
    const out = new Float32Array(6).fill(9);
    sampleLine(new Float32Array(0), out);
    expect([...out]).toEqual([9, 9, 9, 9, 9, 9]);
    sampleLine(Float32Array.of(1, 2, 3), out);
    expect([...out]).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

test('a bent line leaves towards its bend, ends where it should, and writes no other points', () => {
  const out = new Float32Array(7 * 3).fill(9);
  bentLine({ x: 0, y: 1, z: 0 }, { x: 0, y: 1, z: -1 }, { x: 2, y: 1, z: -2 }, out, 1, 5);
  expect([...out.subarray(0, 3), ...out.subarray(18)]).toEqual([9, 9, 9, 9, 9, 9]);
  expect([...out.subarray(3, 6)]).toEqual([0, 1, 0]);
  expect([...out.subarray(15, 18)]).toEqual([2, 1, -2]);
  expect([...out.subarray(9, 12)]).toEqual([0.5, 1, -1]);
  expect(out[6] / -out[8]).toBeLessThan(0.3);
});
