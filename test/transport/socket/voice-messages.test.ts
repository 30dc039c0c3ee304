import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readVoiceAddress, voiceAddress } from '../../../src/transport/socket/line-address.ts';
import {
  MAX_VOICE_MESSAGE,
  readVoiceNews,
  readVoiceRequest,
  writeVoiceMessage,
} from '../../../src/transport/socket/voice-messages.ts';

const AUDIO = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n';
const SDP = `v=0\r\ns=-\r\n${AUDIO}`;

test('what a page sends is read as it was written', () => {
  for (const request of [
    { kind: 'speak', sdp: SDP },
    { kind: 'hush' },
    { kind: 'listen', sdp: SDP + AUDIO },
  ] as const)
    expect(readVoiceRequest(writeVoiceMessage(request))).toEqual(request);
});

test('what a site sends is read as it was written', () => {
  for (const news of [
    { kind: 'speaking', sdp: SDP },
    { kind: 'voices', sdp: SDP, pages: { 0: 'page 1', x: 'page 2' } },
  ] as const)
    expect(readVoiceNews(writeVoiceMessage(news))).toEqual(news);
});

describe('[F1] nothing that makes no sense is read', () => {
  test.each([
    ['', 'no text'],
    ['7', 'a number'],
    ['{"kind":"shout"}', 'another kind'],
    ['{"kind":"speak"}', 'no SDP'],
    [JSON.stringify({ kind: 'speak', sdp: 7 }), 'a number'],
    [JSON.stringify({ kind: 'speak', sdp: SDP.padEnd(50_000, 'x') }), 'too long an SDP'],
    [JSON.stringify({ kind: 'hush', more: 'x'.repeat(MAX_VOICE_MESSAGE) }), 'too long a message'],
  ])('from a page: %#: %s', (text) => {
    expect(readVoiceRequest(text)).toBeNull();
  });

  test.each([
    ['', 'no text'],
    [JSON.stringify({ kind: 'voices', sdp: SDP }), 'no pages'],
    [JSON.stringify({ kind: 'voices', sdp: SDP, pages: { 0: 7 } }), 'a page that is a number'],
    [JSON.stringify({ kind: 'voices', sdp: SDP, pages: { 0: '<b>' } }), 'a page that nobody can be'],
    [JSON.stringify({ kind: 'speaking', sdp: 7 }), 'an SDP that is a number'],
  ])('from a site: %#: %s', (text) => {
    expect(readVoiceNews(text)).toBeNull();
  });

  test('and no change of a message throws', () => {
    const random = new Random(3);
    const texts = [
      writeVoiceMessage({ kind: 'speak', sdp: SDP }),
      writeVoiceMessage({ kind: 'voices', sdp: SDP, pages: { 0: 'page 1' } }),
    ];
    for (let run = 0; run < 2000; run++) {
      const letters = texts[run % 2].split('');
      for (let i = random.below(4); i >= 0; i--)
        letters[random.below(letters.length)] = String.fromCharCode(random.below(128));
      const text = letters.join('');
      const { kind } = readVoiceRequest(text) ?? readVoiceNews(text) ?? { kind: null };
      expect(['speak', 'listen', 'hush', 'voices', 'speaking', null]).toContain(kind);
    }
  });
});

test('[N8.6] the address of a room’s voices has the id of the page, and its token', () => {
  const own = { id: 'a page', token: 'a secret' };
  const url = voiceAddress(new URL('https://cubes.example.org/rooms/'), 'KQXMT' as RoomCode, own);
  expect(url.href).toMatch(/^wss:\/\/cubes\.example\.org\/rooms\/KQXMT\/voice\?/);
  expect(readVoiceAddress(url.pathname + url.search)).toEqual({ code: 'KQXMT', ...own });
  expect(readVoiceAddress('/rooms/KQXMT/line?id=a&token=b')).toBeNull();
  expect(readVoiceAddress('/rooms/O0O0O/voice')).toEqual({ code: null, id: '', token: '' });
});
