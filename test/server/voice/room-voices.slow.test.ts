import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { RoomVoices } from '../../../src/server/voice/room-voices.ts';
import { NO_SUCH_ROOM } from '../../../src/transport/socket/close-codes.ts';
import { voiceAddress } from '../../../src/transport/socket/line-address.ts';
import type { VoiceRequest } from '../../../src/transport/socket/voice-messages.ts';
import { writeVoiceMessage } from '../../../src/transport/socket/voice-messages.ts';
import type { JanusServer } from '../../support/run/janus.ts';
import { hasJanus, JANUS_SECRET, startJanus } from '../../support/run/janus.ts';

const CODE = 'KQXMT' as RoomCode;
const SOUND = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';

describe.skipIf(!hasJanus())('the voices of large rooms at a real Janus', () => {
  let janus: JanusServer;
  beforeAll(async () => void (janus = await startJanus()));
  afterAll(() => janus.close());

  /** The server's part, with a broker that knows each page by the token `its own`. */
  async function site(secret: string | null = JANUS_SECRET) {
    const refused: string[] = [];
    const voices = new RoomVoices(
      { url: janus.url, secret },
      {
        networkOf: (request: IncomingMessage) => String(request.headers.from ?? 'a network'),
        refused: (network) => void refused.push(network),
        mayLookFor: () => true,
        isAtBroker: (_, token) => Promise.resolve(token === 'its own'),
      },
    );
    const server = createServer();
    server.on('upgrade', (request, stream, head) => void voices.upgrade(request, stream, head));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => {
      voices.stop();
      server.close();
      server.closeAllConnections();
    });
    return {
      voices,
      refused,
      /** A page that comes: why it was refused or closed, once it was. */
      async come(page: string, token = 'its own', code = CODE) {
        const end: { code: number | null } = { code: null };
        const rooms = new URL(`http://127.0.0.1:${port}/rooms/`);
        const socket = new WebSocket(voiceAddress(rooms, code, { id: page, token }));
        const got: string[] = [];
        socket.on('error', () => undefined);
        socket.on('message', (data: Buffer) => void got.push(data.toString()));
        socket.on('unexpected-response', (_, { statusCode = 0 }) => {
          end.code = statusCode;
          socket.terminate();
        });
        socket.on('close', (why) => void (end.code ??= why));
        onTestFinished(() => socket.terminate());
        await expect.poll(() => socket.readyState !== WebSocket.CONNECTING || end.code !== null).toBe(true);
        const send = (request: VoiceRequest): void => socket.send(writeVoiceMessage(request));
        return { socket, end, got, send };
      },
    };
  }

  async function open() {
    const here = await site();
    here.voices.setPlayers(CODE, ['ada', 'bo']);
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
    voices.setPlayers(CODE, ['ada']);
    await expect.poll(() => bo.end.code).toBe(NO_SUCH_ROOM);
    expect(ada.end.code).toBeNull();
    voices.setPlayers(CODE, []);
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
    ada.send({ kind: 'listen', sdp: SOUND });
    ada.send({ kind: 'hush' });
    await new Promise((resolve) => void setTimeout(resolve, 300));
    expect(ada.end.code, 'an answer to no offer is of no account').toBeNull();
  });

  test('[N8.8] a page that begins and ceases too often is ended', async () => {
    const { come } = await open();
    const ada = await come('ada');
    for (let i = 0; i < 11; i++) {
      ada.send({ kind: 'hush' });
      await new Promise((resolve) => void setTimeout(resolve, 30));
    }
    await expect.poll(() => ada.end.code).not.toBeNull();
  });

  test('a Janus with another secret lets nobody speak, and the server says that it is away', async () => {
    const { come, voices } = await site('wrong');
    voices.setPlayers(CODE, ['ada']);
    const ada = await come('ada');
    await expect.poll(() => ada.end.code).toBe(NO_SUCH_ROOM);
    expect(voices.figures).toEqual({ isUp: false, speakers: 0, listeners: 0 });
  });
});
