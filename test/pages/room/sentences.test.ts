import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { calledBy } from '../../../src/pages/room/model.ts';
import { readRoomCode } from '../../../src/core/room/code.ts';
import type { JoinStep } from '../../../src/core/room/line.ts';
import type { FailureText } from '../../../src/pages/room/sentences.ts';
import {
  FAILURES,
  JOIN_STEPS,
  joinStep,
  lostSentence,
  UNREACHABLE,
  resetLabel,
  resetQuestion,
  sceneForGuests,
  triedFor,
} from '../../../src/pages/room/sentences.ts';

const texts: readonly (readonly [string, FailureText])[] = Object.entries(FAILURES);

function sentencesIn(text: string): string[] {
  return text.match(/[^.]+\./g) ?? [];
}

describe('[F5] every failure has its sentences', () => {
  test.each(texts)('[F5.1] %s: one sentence on the event, one or two on the remedy', (_, said) => {
    expect(sentencesIn(said.title)).toEqual([said.title]);
    expect(sentencesIn(said.text).length).toBeLessThanOrEqual(2);
    expect(sentencesIn(said.text).join('')).toBe(said.text);
    expect(said.title.length).toBeLessThan(60);
    expect(said.text.length).toBeLessThan(160);
  });

  test('no two texts are the same', () => {
    const all = texts.flatMap(([, { title, text }]) => [title, text]);
    expect(new Set(all).size).toBe(all.length);
  });

  test('[F5.3] the end of a join names the part that failed', () => {
    const named = {
      'no broker': /server/,
      'room not found': /No room/,
      'no answer': /host doesn’t answer/,
      blocked: /devices can’t reach each other/,
      'no relay': /relay/,
    } as const;
    for (const [failure, part] of Object.entries(named))
      for (const [other, { title }] of texts) expect(part.test(title), other).toBe(other === failure);
  });

  const steps = Object.keys(JOIN_STEPS) as JoinStep[];
  const ordered = steps.map((step) => joinStep({ step, forMs: 0 }, 'ordering'));
  const waits = [
    ...Object.values(JOIN_STEPS),
    ...ordered,
    ...steps.map((step) => triedFor({ step, forMs: 12_345 })),
  ];

  test.each([...texts.flatMap(([, { title, text }]) => [title, text]), ...waits, UNREACHABLE])(
    'in plain words: %s',
    (sentence) => {
      expect(sentence).not.toMatch(/\b(broker|peer|WebRTC|ICE|slot|socket|error|invalid|failed to)\b|!/i);
    },
  );
});

test.each(Object.keys(JOIN_STEPS) as JoinStep[])(
  '[F5.2] nobody but the server opens a room that was ordered of it: %s',
  (step) => {
    expect(joinStep({ step, forMs: 0 }, 'ordering')).not.toContain('host');
    expect(joinStep({ step, forMs: 0 }, 'looking')).toBe(JOIN_STEPS[step]);
    expect(joinStep({ step, forMs: 0 }, 'opening')).toBe(JOIN_STEPS[step]);
  },
);

test('the text about bad codes names exactly the letters that no code has', () => {
  const told = /never (.*?)\./.exec(FAILURES['bad code'].text)?.[1].match(/[A-Z]/g);
  const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  expect(told).toEqual(alphabet.filter((letter) => readRoomCode(letter.repeat(5)) === null));
});

test('[N1.3] a room on the server has nobody who changes its scene, and its host is called the server', () => {
  expect(sceneForGuests('wall', 0 as Slot)).toContain('The host can change it');
  expect(sceneForGuests('wall', DEDICATED_SLOT as Slot)).not.toContain('The host');
  expect(calledBy({ slot: DEDICATED_SLOT as Slot, name: '' })).toBe('The server');
});

describe('the sentence while the line to the host is lost', () => {
  test('names the server where it is the host', () => {
    expect(lostSentence('server', true)).toContain('server');
    expect(lostSentence('player', true)).not.toContain('server');
  });

  test('[F4.33] speaks of no lost connection to a page that was host itself', () => {
    expect(lostSentence('self', true)).not.toContain('lost');
    expect(lostSentence('self', true)).toContain('Another host');
  });

  test('says first that this device is offline', () => {
    expect(lostSentence('server', false)).toBe(lostSentence('player', false));
    expect(lostSentence('server', false)).toContain('offline');
  });
});

test('[N1.6] the button for a reset has the wishes so far, and its question says what is lost', () => {
  expect(resetLabel({ wishes: 0, needed: 2, isYours: false })).toBe('Reset');
  expect(resetLabel({ wishes: 1, needed: 3, isYours: false })).toBe('Reset (1 so far, 3 needed)');
  expect(resetLabel({ wishes: 1, needed: 3, isYours: true })).toBe('Take it back (1 so far, 3 needed)');
  expect(resetQuestion({ wishes: 0, needed: 2 })).toContain('gone once 2 players want it');
  expect(resetQuestion({ wishes: 1, needed: 2 })).toContain('will be gone');
});
