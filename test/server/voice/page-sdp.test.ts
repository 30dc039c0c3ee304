import { describe, expect, test } from 'vitest';
import { isTaken, rewriteSdp } from '../../../src/server/voice/page-sdp.ts';

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => (i + 100).toString(16).toUpperCase()).join(':');
const SESSION = [
  'v=0',
  'o=- 42 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'a=msid-semantic: WMS',
];
const PATHS = ['a=ice-ufrag:ab+/', `a=ice-pwd:${'p'.repeat(24)}`, `a=fingerprint:sha-256 ${FINGERPRINT}`];

/** A line of audio as Chromium writes it, in short. */
function line(mid: string, ...more: readonly string[]): string[] {
  return [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 63',
    'c=IN IP4 0.0.0.0',
    ...PATHS,
    'a=setup:actpass',
    `a=mid:${mid}`,
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:63 red/48000/2',
    'a=fmtp:63 111/111',
    'a=ssrc:1234 cname:someone',
    ...more,
  ];
}
const sdp = (...lines: readonly (readonly string[])[]): string =>
  [...SESSION, ...lines.flat(), ''].join('\r\n');

describe('the description of a page', () => {
  test('that speaks is written anew from what is needed: one line of Opus, which it sends', () => {
    const written = rewriteSdp('speak', sdp(line('0')));
    expect(written?.split('\r\n')).toEqual([
      'v=0',
      'o=- 1 1 IN IP4 0.0.0.0',
      's=-',
      't=0 0',
      'a=group:BUNDLE 0',
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'c=IN IP4 0.0.0.0',
      'a=mid:0',
      'a=sendonly',
      'a=rtcp-mux',
      ...PATHS,
      'a=setup:actpass',
      'a=rtpmap:111 opus/48000/2',
      'a=fmtp:111 minptime=10;useinbandfec=1',
      'a=ssrc:1234 cname:voice',
      '',
    ]);
  });

  test('that listens keeps its lines, and those that are inactive', () => {
    const answer = sdp(line('0', 'a=inactive'), line('1'));
    const lines = rewriteSdp('listen', answer)?.split('\r\n') ?? [];
    expect(lines.filter((one) => /^a=(?:mid|inactive|recvonly|group)/.test(one))).toEqual([
      'a=group:BUNDLE 0 1',
      'a=mid:0',
      'a=inactive',
      'a=mid:1',
      'a=recvonly',
    ]);
  });

  test('may have its paths once for all lines', () => {
    const bare = line('0').filter((one) => !PATHS.includes(one));
    expect(rewriteSdp('listen', [...SESSION, ...PATHS, ...bare, ''].join('\r\n'))).toContain(PATHS[0]);
    expect(rewriteSdp('listen', sdp(bare))).toBeNull();
  });

  test.each([
    ['a=extmap:-1 urn:ietf:params:rtp-hdrext:ssrc-audio-level', 'by which Janus 1.1 loops for ever'],
    ['a=candidate:1 1 udp 2113937151 10.0.0.1 53 typ host', 'to which Janus would send packets'],
    ['a=candidate:1 1 udp 2113937151 a.local.example.org 53 typ host', 'which Janus would look up'],
    ['a=x-google-flag:conference', 'that nobody knows'],
  ])('loses a line %s, %s', (attribute) => {
    expect(rewriteSdp('speak', sdp(line('0', attribute)))).toBe(rewriteSdp('speak', sdp(line('0'))));
  });

  const changed = (from: RegExp, to: string): string => sdp(line('0')).replace(from, to);
  test.each([
    ['', 'nothing'],
    [sdp(), 'no line of audio'],
    [sdp(line('0'), line('1')), 'a second voice'],
    [changed(/m=audio/, 'm=video'), 'a picture'],
    [changed(/opus/, 'PCMU'), 'another codec'],
    [changed(/rtpmap:111/, 'rtpmap:72'), 'a payload type of control packets'],
    [changed(/m=audio 9/, 'm=audio 0'), 'a line that is rejected'],
    [changed(/sha-256/, 'md5'), 'another fingerprint'],
    [changed(/a=mid:0/, 'a=mid:0 1'), 'a mid with a space'],
    [changed(/ab\+\//, 'a\u0000b'), 'a name with a zero'],
  ])('%# that speaks is refused: %s', (text) => {
    expect(rewriteSdp('speak', text)).toBeNull();
  });

  test('has the values of a line rather than those before the first line', () => {
    const other = PATHS[0].replace('ab+/', 'wxyz');
    const text = [...SESSION, other, ...line('0'), ''].join('\r\n');
    expect(rewriteSdp('speak', text)).toContain(PATHS[0]);
  });

  test('that listens is refused with too many lines, or two of one name', () => {
    const many = Array.from({ length: 65 }, (_, i) => line(String(i)));
    expect(rewriteSdp('listen', sdp(...many.slice(1)))).not.toBeNull();
    expect(rewriteSdp('listen', sdp(...many))).toBeNull();
    expect(rewriteSdp('listen', sdp(line('0'), line('0')))).toBeNull();
  });
});

test('Janus takes a voice if it receives Opus on a line that is open', () => {
  const taken = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=recvonly\r\na=rtpmap:111 opus/48000/2\r\n';
  expect(isTaken(taken)).toBe(true);
  for (const [from, to] of [
    ['audio 9', 'audio 0'],
    ['recvonly', 'inactive'],
    ['opus', 'PCMU'],
  ])
    expect(isTaken(taken.replace(from, to))).toBe(false);
});
