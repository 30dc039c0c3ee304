import { describe, expect, test } from 'vitest';
import {
  formatBitrate,
  formatDistance,
  formatMilliseconds,
  formatRate,
  formatRejected,
  totalOf,
} from '../../../src/pages/panel/figures.ts';

describe('figures have units and few digits', () => {
  test.each([
    [0, '0.0 kbit/s'],
    [8.34, '8.3 kbit/s'],
    [9.96, '10 kbit/s'],
    [84.4, '84 kbit/s'],
    [999.4, '999 kbit/s'],
    [999.6, '1.00 Mbit/s'],
    [1254, '1.25 Mbit/s'],
    [NaN, '–'],
  ])('%d kbit/s', (kilobits, text) => expect(formatBitrate(kilobits)).toBe(text));

  test.each([
    [0, '0.0 mm'],
    [0.00044, '0.4 mm'],
    [0.00996, '10 mm'],
    [0.0194, '19 mm'],
    [0.0196, '2.0 cm'],
    [0.0996, '10 cm'],
    [0.42, '42 cm'],
    [0.996, '1.00 m'],
    [12.345, '12.35 m'],
    [NaN, '–'],
  ])('%d m', (metres, text) => expect(formatDistance(metres)).toBe(text));

  test('times and rates', () => {
    expect(formatMilliseconds(23.6)).toBe('24 ms');
    expect(formatMilliseconds(NaN)).toBe('–');
    expect(formatRate(59.96)).toBe('60.0 /s');
    expect(formatRate(NaN)).toBe('–');
  });

  test('the traffic of a direction is the sum of its kinds', () => {
    expect(totalOf({ bodies: 30, avatars: 8, headers: 4 })).toBe(42);
  });
});

describe('rejected packets', () => {
  test('are counted by reason, the most frequent first', () => {
    const rejected = [
      { reason: 'twice', count: 4 },
      { reason: 'too short', count: 0 },
      { reason: 'too late', count: 8 },
    ];
    expect(formatRejected(rejected)).toEqual({ total: '12', reasons: '8 too late, 4 twice' });
  });

  test('are "none" if nothing was rejected', () => {
    const none = { total: 'none', reasons: '' };
    expect(formatRejected([])).toEqual(none);
    expect(formatRejected([{ reason: 'twice', count: 0 }])).toEqual(none);
  });
});
