import { Peer as PeerJs } from 'peerjs';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Signal } from '../../../src/transport/guard/signals.ts';
import { hookPeerJs } from '../../../src/transport/webrtc/peerjs-hook.ts';
import { brokerAt, until } from './meeting.ts';

function aPeer(): PeerJs {
  const { rtc, ...broker } = brokerAt(inject('shared').ports.steady);
  const peer = new PeerJs(crypto.randomUUID(), { ...broker, config: rtc, debug: 0 });
  onTestFinished(() => peer.destroy());
  return peer;
}

const STRAY: Signal = {
  type: 'CANDIDATE',
  src: 'stranger',
  payload: {
    connectionId: 'x',
    candidate: { candidate: '', sdpMid: null, sdpMLineIndex: null, usernameFragment: null },
  },
};

/** If one of these fails with a new version of PeerJS, its pages are not guarded: read how it takes messages now. */
describe('the hook in PeerJS', () => {
  test('is before everything that the broker brings', async () => {
    const peer = aPeer();
    const came: unknown[] = [];
    let isOpen = false;
    peer.on('open', () => (isOpen = true));
    const deliver = hookPeerJs(
      peer,
      (value) => {
        came.push(value);
        return null;
      },
      () => {},
    );
    await until(() => came.length > 0, 'the broker has said something');
    expect(came).toEqual([{ type: 'OPEN' }]);
    expect(isOpen, 'PeerJS has not heard it').toBe(false);
    deliver({ type: 'OPEN' });
    expect(isOpen, 'now it has').toBe(true);
  });

  test('is needed: PeerJS keeps what is about no connection', () => {
    const peer = aPeer();
    const deliver = hookPeerJs(
      peer,
      () => null,
      () => {},
    );
    for (let i = 0; i < 10; i++) deliver(STRAY);
    expect(peer._getMessages('x')).toHaveLength(10);
  });

  test('tells when PeerJS throws, and goes on', () => {
    const peer = aPeer();
    let failures = 0;
    const deliver = hookPeerJs(
      peer,
      () => null,
      () => void failures++,
    );
    peer.on('connection', () => {
      throw new Error('a failure within PeerJS');
    });
    peer.on('open', () => {
      throw new Error('another');
    });
    deliver({ type: 'OPEN' });
    expect(failures).toBe(1);
  });

  test('is refused by a PeerJS that reads the broker in another way', () => {
    const peer = aPeer();
    peer.socket.on('message', () => {});
    expect(() =>
      hookPeerJs(
        peer,
        () => null,
        () => {},
      ),
    ).toThrow(/can’t be guarded/);
    peer.socket.removeAllListeners('message');
    expect(() =>
      hookPeerJs(
        peer,
        () => null,
        () => {},
      ),
    ).toThrow(/can’t be guarded/);
  });
});
