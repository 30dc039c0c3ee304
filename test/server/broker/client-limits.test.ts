import { describe, expect, test } from 'vitest';
import { ClientLimits } from '../../../src/server/broker/limits/client-limits.ts';

const OFFER = { type: 'OFFER', dst: 'somebody', payload: {} };

function judge(conduct: ClientLimits, message: unknown, now = 0): boolean {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return conduct.read(text, now).refusal === null;
}

describe('a client of the broker', () => {
  test.each(['OFFER', 'ANSWER', 'CANDIDATE'])('may send the messages of PeerJS: %s', (type) => {
    expect(judge(new ClientLimits(), { type, dst: 'somebody', payload: {} })).toBe(true);
    expect(judge(new ClientLimits(), { type: 'HEARTBEAT' })).toBe(true);
  });

  test.each([
    ['LEAVE', { type: 'LEAVE' }],
    ['LEAVE to somebody', { type: 'LEAVE', dst: 'somebody' }],
    ['EXPIRE', { type: 'EXPIRE', dst: 'somebody' }],
    ['OPEN', { type: 'OPEN', dst: 'somebody' }],
    ['an offer to nobody', { type: 'OFFER' }],
    ['an offer to an object', { type: 'OFFER', dst: {} }],
    ['an offer to an id of 65 characters', { type: 'OFFER', dst: 'x'.repeat(65) }],
    ['an offer to an id with a space', { type: 'OFFER', dst: 'a b' }],
    ['a long heartbeat', { type: 'HEARTBEAT', payload: 'x'.repeat(100) }],
    ['a long candidate', { type: 'CANDIDATE', dst: 'somebody', payload: 'x'.repeat(4096) }],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
  ])('may not send what would pass for the broker’s word, or makes no sense: %s', (_, message) => {
    expect(judge(new ClientLimits(), message)).toBe(false);
  });

  test('may write to a full room, but not to one id after the other', () => {
    const conduct = new ClientLimits();
    const verdicts = Array.from({ length: 41 }, (_, i) => judge(conduct, { ...OFFER, dst: `id-${i}` }));
    expect(verdicts.lastIndexOf(true)).toBe(39);
    expect(judge(conduct, { ...OFFER, dst: 'id-0' }, 10_001), 'the next window').toBe(true);
  });

  test('may not flood, by count or by bytes', () => {
    const often = new ClientLimits();
    for (let i = 0; i < 1500; i++) expect(judge(often, { type: 'HEARTBEAT' })).toBe(true);
    expect(judge(often, { type: 'HEARTBEAT' })).toBe(false);
    const much = new ClientLimits();
    const long = { ...OFFER, payload: 'x'.repeat(60_000) };
    const verdicts = Array.from({ length: 20 }, () => judge(much, long));
    expect(verdicts.lastIndexOf(true)).toBe(16);
    expect(judge(much, long, 10_001)).toBe(true);
  });
});
