import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { WebSocket } from 'ws';
import { NO_SUCH_ROOM } from '../../../src/transport/socket/close-codes.ts';
import { writeVoiceMessage } from '../../../src/transport/socket/voice-messages.ts';
import type { JanusServer } from '../../support/run/janus.ts';
import { hasJanus, startJanus } from '../../support/run/janus.ts';
import { NodeTalker } from './node-talker.ts';
import { VOICE_ROOM, voiceSite } from './voice-site.ts';

const SOUND = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';

/** A sound answer, but to no offer. */
const ANSWER = [
  SOUND.trimEnd(),
  'a=mid:0',
  'a=recvonly',
  'a=rtpmap:111 opus/48000/2',
  'a=ice-ufrag:abcd',
  `a=ice-pwd:${'p'.repeat(24)}`,
  `a=fingerprint:sha-256 ${Array<string>(32).fill('AB').join(':')}`,
  'a=setup:active',
  '',
].join('\r\n');

describe.skipIf(!hasJanus())('the voices of large rooms at a real Janus', () => {
  let janus: JanusServer;
  beforeAll(async () => void (janus = await startJanus()));
  afterAll(() => janus.close());

  async function open() {
    const here = await voiceSite(janus.url);
    here.voices.setPlayers(VOICE_ROOM, ['ada', 'bo']);
    await expect.poll(() => here.voices.figures.isUp).toBe(true);
    return here;
  }

  test('[N8.6] only a player of the room gets in, with its own id', async () => {
    const { come, refused } = await open();
    const ada = await come('ada');
    const stranger = await come('a stranger');
    const liar = await come('bo', 'a guess');
    const elsewhere = await come('ada', 'its own', 'ACDEF' as RoomCode);
    await expect.poll(() => stranger.end.code).toBe(NO_SUCH_ROOM);
    await expect.poll(() => elsewhere.end.code).toBe(NO_SUCH_ROOM);
    await expect.poll(() => liar.end.code).toBe(403);
    expect(refused).toEqual(['a network']);
    expect(ada.end.code).toBeNull();
  });

  test('[N8.6] who is no player any more is ended, and a page has one socket', async () => {
    const { come, voices } = await open();
    const [first, bo] = [await come('ada'), await come('bo')];
    const ada = await come('ada');
    await expect.poll(() => first.end.code).not.toBeNull();
    voices.setPlayers(VOICE_ROOM, ['ada']);
    await expect.poll(() => bo.end.code).toBe(NO_SUCH_ROOM);
    expect(ada.end.code).toBeNull();
    voices.setPlayers(VOICE_ROOM, []);
    await expect.poll(() => ada.end.code).toBe(NO_SUCH_ROOM);
  });

  test('[F1] what makes no sense ends its sender, and nobody else', async () => {
    const { come } = await open();
    const ada = await come('ada');
    const sent: ((socket: WebSocket) => void)[] = [
      (socket) => socket.send('{'),
      (socket) => socket.send(Buffer.from([1, 2, 3])),
      (socket) => socket.send('x'.repeat(100_000)),
      (socket) => socket.send(writeVoiceMessage({ kind: 'speak', sdp: SOUND })),
    ];
    for (const send of sent) {
      const bo = await come('bo');
      send(bo.socket);
      await expect.poll(() => bo.end.code, { timeout: 10_000 }).not.toBeNull();
      expect(bo.got).toEqual([]);
    }
    ada.send({ kind: 'listen', sdp: ANSWER });
    ada.send({ kind: 'hush' });
    await new Promise((resolve) => void setTimeout(resolve, 300));
    expect(ada.end.code, 'an answer to no offer is of no account').toBeNull();
  });

  test('[N8.8] a page that begins and ceases too often is ended, but not after ten times', async () => {
    const { come } = await open();
    const ada = await come('ada');
    let times = 0;
    const began = performance.now();
    while (ada.end.code === null && times < 100) {
      ada.send({ kind: 'hush' });
      times++;
      // The server has read it when it answers a ping.
      const answered = new Promise((resolve) => void ada.socket.once('pong', resolve).once('close', resolve));
      ada.socket.ping();
      await answered;
    }
    expect(times).toBeGreaterThan(10);
    expect(times, 'ten at once, and one every three seconds').toBeLessThanOrEqual(
      11 + Math.ceil((performance.now() - began) / 3000),
    );
  });

  test('[F1] an attribute by which Janus 1.1 loops for ever does not reach it', async () => {
    const { come, voices } = await open();
    const [ada, bo] = [
      new NodeTalker(0, (await come('ada')).socket),
      new NodeTalker(1, (await come('bo')).socket),
    ];
    onTestFinished(() => {
      for (const talker of [ada, bo]) talker.close();
    });
    await ada.speak('a=extmap:-1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r\n');
    await bo.speak();
    await expect.poll(() => [...(ada.heard.get('bo') ?? [])], { timeout: 10_000 }).toEqual([1]);
    await expect.poll(() => [...(bo.heard.get('ada') ?? [])], { timeout: 10_000 }).toEqual([0]);
    expect(voices.figures).toEqual({ isUp: true, speakers: 2, listeners: 2 });
  });

  test('a room that Janus has lost is made anew, and its pages come again', async () => {
    const { come, voices } = await open();
    const ada = await come('ada');
    const talker = new NodeTalker(0, ada.socket);
    await talker.speak();
    await expect.poll(() => voices.figures.speakers, { timeout: 10_000 }).toBe(1);
    // Janus begins anew: it has no rooms, and no sessions.
    await janus.close();
    await expect.poll(() => ada.end.code, { timeout: 10_000 }).toBe(NO_SUCH_ROOM);
    talker.close();
    janus = await startJanus(janus.port);
    await expect.poll(() => voices.figures.isUp, { timeout: 40_000 }).toBe(true);
    const again = new NodeTalker(0, (await come('ada')).socket);
    await again.speak();
    await expect.poll(() => voices.figures.speakers, { timeout: 10_000 }).toBe(1);
    again.close();
  });

  test('a Janus with another secret lets nobody speak, and the server says that it is away', async () => {
    const right = await open();
    const { come, voices } = await voiceSite(janus.url, 'wrong');
    voices.setPlayers(VOICE_ROOM, ['ada']);
    await expect.poll(() => right.voices.figures.isUp).toBe(true);
    await new Promise((resolve) => void setTimeout(resolve, 500));
    const ada = await come('ada');
    await expect.poll(() => ada.end.code).toBe(NO_SUCH_ROOM);
    expect(voices.figures).toEqual({ isUp: false, speakers: 0, listeners: 0 });
  });
});
