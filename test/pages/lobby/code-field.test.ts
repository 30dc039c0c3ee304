import { describe, expect, test } from 'vitest';
import { lettersOf, roomIn } from '../../../src/pages/lobby/start/code-field.ts';

describe('the letters for the code field', () => {
  test.each([
    ['KQXMT', 'KQXMT'],
    ['kqxmt', 'KQXMT'],
    [' kq-xm t\n', 'KQXMT'],
    ['K – Q – X – M – T', 'KQXMT'],
    ['ＫＱＸＭＴ', 'KQXMT'],
    ['kq', 'KQ'],
    ['KQXMTWW', 'KQXMT'],
    ['k9q8', 'KQ'],
    ['', ''],
    ['42', ''],
    // Wrong letters stay, so that the player sees the mistake.
    ['bilos', 'BILOS'],
  ])('typed: %j is %s', (text, letters) => {
    expect(lettersOf(text)).toBe(letters);
  });

  test.each([
    ['https://example.org/?room=KQXMT', 'KQXMT'],
    ['https://example.org/play/?scene=pile&room=kqxmt#top', 'KQXMT'],
    ['Come and play: https://example.org/?room=KQXMT see you', 'KQXMT'],
    ['?room=KQXMT', 'KQXMT'],
    ['https://example.org/?watch=kqxmt', 'KQXMT'],
    ['https://example.org/#room=KQXMT', 'KQXMT'],
    ['https://example.org/?ROOM=KQXMT&view=x', 'KQXMT'],
    ['https://example.org/?room=', ''],
    // The letters of a link's host are not a code.
    ['https://example.org/', ''],
    ['https://example.org/?bedroom=KQXMT', ''],
  ])('of a link: %s is %s', (text, letters) => {
    expect(lettersOf(text)).toBe(letters);
  });
});

test.each([
  ['https://example.org/?room=KQXMT&id=0123456789abcdef0123', '0123456789abcdef0123'],
  ['https://example.org/?id=0123456789abcdef0123&room=KQXMT see you', '0123456789abcdef0123'],
  ['https://example.org/?room=KQXMT', null],
  ['https://example.org/?room=KQXMT&id=0123', null],
  ['https://example.org/?room=KQXMT&bid=0123456789abcdef0123', null],
  ['KQXMT', null],
])('[P3.2] the room of a link: %s is %s', (text, room) => {
  expect(roomIn(text)).toBe(room);
});
