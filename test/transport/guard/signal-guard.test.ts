import { describe, expect, test } from 'vitest';
import { OfferBudget } from '../../../src/transport/guard/offer-budget.ts';
import { Refusals } from '../../../src/transport/guard/refusals.ts';
import type { Guarded } from '../../../src/transport/guard/signal-guard.ts';
import { SignalGuard } from '../../../src/transport/guard/signal-guard.ts';

const SDP = 'v=0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n';

function offer(src: string, connectionId: string, type = 'data'): object {
  const sdp = { type: 'offer', sdp: SDP };
  return {
    type: 'OFFER',
    src,
    payload: { type, connectionId, label: '', reliable: true, serialization: 'raw', sdp },
  };
}

function answer(src: string, connectionId: string): object {
  return { type: 'ANSWER', src, payload: { connectionId, sdp: { type: 'answer', sdp: SDP } } };
}

function candidate(src: string, connectionId: string): object {
  const candidate = { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 };
  return { type: 'CANDIDATE', src, payload: { connectionId, candidate } };
}

/** A guard, the connections that its page has, and what it has refused. */
function guarded(part: Partial<Guarded> = {}): {
  guard: SignalGuard;
  connections: Map<string, object>;
  refusals: Refusals;
} {
  const connections = new Map<string, object>();
  const refusals = new Refusals();
  const guard = new SignalGuard({
    connection: (page, id) => connections.get(`${page} ${id}`) ?? null,
    isExhausted: () => false,
    takesCalls: true,
    budget: new OfferBudget(16, 2),
    refusals,
    ...part,
  });
  return { guard, connections, refusals };
}

describe('a guard of signals', () => {
  test('lets nothing through about a connection that the page does not have', () => {
    const { guard, refusals } = guarded();
    for (let i = 0; i < 50; i++) expect(guard.take(candidate('stranger', `x${i}`), i)).toBeNull();
    expect(guard.take(answer('stranger', 'x'), 0)).toBeNull();
    expect(refusals.read()).toEqual({ 'unknown connection': 51 });
  });

  test('lets a hundred candidates of a connection through', () => {
    const { guard, connections, refusals } = guarded();
    connections.set('friend dc', {});
    const taken = Array.from({ length: 150 }, () => guard.take(candidate('friend', 'dc'), 0) !== null);
    expect(taken.filter(Boolean)).toHaveLength(100);
    expect(guard.take(candidate('other', 'dc'), 0), 'another page has no part in it').toBeNull();
    expect(refusals.read()).toEqual({ 'too many candidates': 50, 'unknown connection': 1 });
  });

  test('lets one answer through, to a connection that the page has asked for', () => {
    const { guard, connections, refusals } = guarded();
    const [asked, offered] = [{}, {}];
    connections.set('friend asked', asked).set('friend offered', offered);
    guard.asked(asked);
    expect(guard.take(answer('friend', 'asked'), 0)).not.toBeNull();
    expect(guard.take(answer('friend', 'asked'), 0)).toBeNull();
    expect(guard.take(answer('friend', 'offered'), 0)).toBeNull();
    expect(refusals.read()).toEqual({ repeated: 2 });
  });

  test('lets offers through as the budget has it, and none for a connection that is there', () => {
    const { guard, connections, refusals } = guarded();
    connections.set('friend dc', {});
    expect(guard.take(offer('friend', 'dc'), 0)).toBeNull();
    const taken = Array.from({ length: 100 }, (_, i) => guard.take(offer('stranger', `x${i}`), 0) !== null);
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(8);
    expect(guard.take(offer('friend', 'other'), 0)).not.toBeNull();
    expect(refusals.read()).toEqual({ repeated: 1, 'too many offers': 100 - taken.filter(Boolean).length });
  });

  test('refuses calls at a door, before they cost anything', () => {
    const { guard, refusals } = guarded({ takesCalls: false, budget: new OfferBudget(1, 0.001) });
    expect(guard.take(offer('stranger', 'mc', 'media'), 0)).toBeNull();
    expect(guard.take(offer('friend', 'dc'), 0)).not.toBeNull();
    expect(refusals.read()).toEqual({ 'other kind': 1 });
  });

  test('refuses offers while the browser has too many connections', () => {
    const { guard, refusals } = guarded({ isExhausted: () => true });
    expect(guard.take(offer('friend', 'dc'), 0)).toBeNull();
    expect(refusals.read()).toEqual({ 'too many connections': 1 });
  });

  test('lets the broker’s own words through', () => {
    const { guard, refusals } = guarded();
    expect(guard.take({ type: 'OPEN' }, 0)).toEqual({ type: 'OPEN' });
    expect(guard.take({ type: 'EXPIRE', src: 'nobody' }, 0)).toEqual({ type: 'EXPIRE', src: 'nobody' });
    expect(guard.take(undefined, 0)).toBeNull();
    expect(refusals.read()).toEqual({ malformed: 1 });
  });
});
