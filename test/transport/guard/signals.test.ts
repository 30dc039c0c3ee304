import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { readSignal } from '../../../src/transport/guard/signals.ts';

const LINE = 'v=0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n';
const CALL = `v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n${LINE.slice(5)}`;
const OFFER = {
  type: 'OFFER',
  src: 'page-1',
  payload: {
    type: 'data',
    connectionId: 'dc_1',
    label: 'dc_1',
    reliable: true,
    serialization: 'raw',
    sdp: { type: 'offer', sdp: LINE },
  },
};
const ANSWER = {
  type: 'ANSWER',
  src: 'page-1',
  payload: { connectionId: 'dc_1', sdp: { type: 'answer', sdp: LINE } },
};
const CANDIDATE = {
  type: 'CANDIDATE',
  src: 'page-1',
  payload: {
    connectionId: 'dc_1',
    candidate: {
      candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host',
      sdpMid: '0',
      sdpMLineIndex: 0,
      usernameFragment: 'abcd',
    },
  },
};

function offer(payload: object): unknown {
  return { ...OFFER, payload: { ...OFFER.payload, ...payload } };
}

describe('a message of the broker', () => {
  test.each([
    OFFER,
    { ...OFFER, payload: { type: 'media', connectionId: 'mc_1', sdp: { type: 'offer', sdp: CALL } } },
    ANSWER,
    CANDIDATE,
    { type: 'OPEN' },
    { type: 'ID-TAKEN' },
    { type: 'INVALID-KEY' },
    { type: 'ERROR', payload: { msg: 'no' } },
    { type: 'LEAVE', src: 'page-1' },
    { type: 'EXPIRE', src: 'handover-ABCDE' },
  ])('as our own pages and brokers send it is read: $type', (message) => {
    expect(readSignal(message)).toEqual(message);
  });

  test('keeps only what our own pages send: the rest does not reach PeerJS', () => {
    const more = { metadata: 'x'.repeat(1000), originator: true, _stream: {}, constraints: {} };
    const sdp = { ...OFFER.payload.sdp, toJSON: 1 };
    expect(readSignal({ ...(offer({ ...more, sdp }) as object), dst: 'me', extra: 1 })).toEqual(OFFER);
    expect(readSignal({ type: 'OPEN', payload: more })).toEqual({ type: 'OPEN' });
    expect(readSignal({ type: 'ERROR', payload: { msg: 'x'.repeat(1000) } })).toEqual({
      type: 'ERROR',
      payload: { msg: 'x'.repeat(200) },
    });
  });

  test.each<[string, unknown]>([
    ['no message', null],
    ['a text', 'OFFER'],
    ['of no known type', { type: 'HELLO', src: 'page-1', payload: {} }],
    ['without a sender', { ...OFFER, src: undefined }],
    ['with a sender of 65 characters', { ...OFFER, src: 'x'.repeat(65) }],
    ['with a sender that no page is called', { ...OFFER, src: '../page' }],
    ['without a payload', { type: 'OFFER', src: 'page-1' }],
    ['without a connection', offer({ connectionId: '' })],
    ['with a long name of a connection', offer({ connectionId: 'x'.repeat(65) })],
    ['with a long label', offer({ label: 'x'.repeat(65) })],
    ['without a description', offer({ sdp: undefined })],
    ['with a long description', offer({ sdp: { type: 'offer', sdp: LINE + 'a=x\r\n'.repeat(4000) } })],
    ['with an answer for an offer', offer({ sdp: { type: 'answer', sdp: LINE } })],
    ['with two parts of one kind', offer({ sdp: { type: 'offer', sdp: LINE + LINE } })],
    ['with sound on a line', offer({ sdp: { type: 'offer', sdp: CALL } })],
    ['with pictures in a call', offer({ type: 'media', sdp: { type: 'offer', sdp: 'm=video 9 x\r\n' } })],
    ['with a description of nothing', offer({ sdp: { type: 'offer', sdp: 'v=0\r\n' } })],
    [
      'with a long candidate',
      { ...CANDIDATE, payload: { connectionId: 'a', candidate: { candidate: 'x'.repeat(513) } } },
    ],
  ])('%s is malformed', (_, message) => {
    expect(readSignal(message)).toBe('malformed');
  });

  test.each(['binary', 'json', 'constructor', '__proto__', undefined, 7])(
    'an offer of a channel of kind %s is of another kind',
    (serialization) => expect(readSignal(offer({ serialization }))).toBe('other kind'),
  );

  test('changed anywhere by chance never throws, and stays bounded', () => {
    const random = new Random(17);
    const scraps: readonly unknown[] = [null, 0, -1, '', 'x'.repeat(70_000), [], {}, true, Infinity, OFFER];
    for (let round = 0; round < 3000; round++) {
      const message = structuredClone([OFFER, ANSWER, CANDIDATE][random.below(3)]) as Record<string, unknown>;
      let place = message;
      for (let depth = random.below(4); depth > 0; depth--) {
        const inner = Object.values(place).find((value) => typeof value === 'object' && value !== null);
        if (inner !== undefined) place = inner as Record<string, unknown>;
      }
      const keys = Object.keys(place);
      place[keys[random.below(keys.length)] ?? 'type'] = scraps[random.below(scraps.length)];
      expect(JSON.stringify(readSignal(message)).length).toBeLessThan(20_000);
    }
  });
});
