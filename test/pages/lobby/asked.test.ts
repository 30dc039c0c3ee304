import { describe, expect, test } from 'vitest';
import type { AskedServices } from '../../../src/room/config.ts';
import { askedSentence, learntSentence } from '../../../src/pages/lobby/asked.ts';

const OWN: AskedServices = { broker: null, stun: [], turn: [], relayOnly: false };

describe('the lobby', () => {
  test.each<[Partial<AskedServices>, string]>([
    [{}, 'To reach friends, your browser asks this site’s server and nobody else.'],
    [
      { stun: ['stun.example.net'] },
      'To reach friends, your browser asks stun.example.net for your address.',
    ],
    [
      { broker: 'b.example.org', stun: ['s.example.net', 's.example.com'], turn: ['t.example.org'] },
      'To reach friends, your browser asks b.example.org who is in a room, s.example.net and s.example.com for your address and t.example.org to relay.',
    ],
    [
      { turn: ['t.example.org'], relayOnly: true },
      'To reach friends, your browser asks t.example.org to relay.',
    ],
  ])('says what is asked of whom: %j', (part, sentence) => {
    expect(askedSentence({ ...OWN, ...part })).toBe(sentence);
  });

  test('says whether players learn each other’s address', () => {
    expect(learntSentence(OWN)).toContain('so they learn');
    expect(learntSentence({ ...OWN, relayOnly: true })).toContain('don’t learn');
  });
});
