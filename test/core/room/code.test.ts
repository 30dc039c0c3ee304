import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { randomRoomCode, readRoomCode } from '../../../src/core/room/code.ts';

describe('a room code', () => {
  test.each([
    'KQXMT',
    'kqxmt',
    'kQxMt',
    ' KQXMT\n',
    'K Q X M T',
    'kq-xmt',
    'KQ–XMT',
    'KQ — XMT',
    'KQ\u2011XMT',
    'KQ\u00a0XMT',
  ])('is read as a person types it: "%s"', (text) => {
    expect(readRoomCode(text)).toBe('KQXMT');
  });

  test.each([
    ['nothing', ''],
    ['too few letters', 'KQXM'],
    ['too many letters', 'KQXMTT'],
    ['an address', 'http://host/?room=KQXMT'],
    ['other signs between', 'KQ_XMT'],
    ['another alphabet', 'КQХМТ'],
    ['a sharp s, which is two letters in capitals', 'ßKQX'],
    ['a digit that is no ASCII', '１KQXM'],
  ])('%s is none', (_, text) => {
    expect(readRoomCode(text)).toBeNull();
  });

  test.each('BILOSZ0123456789'.split(''))(
    'never contains %s, which looks or sounds like another letter',
    (letter) => {
      expect(readRoomCode(`KQX${letter}T`)).toBeNull();
    },
  );

  test('drawn at random is valid, has every letter in every place, and seldom comes twice', () => {
    const random = new Random(5);
    const codes = Array.from({ length: 2000 }, () => randomRoomCode(random));
    for (const code of codes) expect(readRoomCode(code)).toBe(code);
    for (let place = 0; place < 5; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(20);
    expect(new Set(codes).size).toBeGreaterThan(1990);
    expect(randomRoomCode(new Random(5))).toBe(codes[0]);
  });
});
