import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { RoomVoices } from '../../../src/server/voice/room-voices.ts';
import { voiceAddress } from '../../../src/transport/socket/line-address.ts';
import type { VoiceRequest } from '../../../src/transport/socket/voice-messages.ts';
import { writeVoiceMessage } from '../../../src/transport/socket/voice-messages.ts';
import { JANUS_SECRET } from '../../support/run/janus.ts';

/** The large room of these tests. */
export const VOICE_ROOM = 'KQXMT' as RoomCode;

/** The server's part, with a broker that knows each page by the token `its own`. */
export async function voiceSite(url: string, secret: string | null = JANUS_SECRET) {
  const refused: string[] = [];
  const voices = new RoomVoices(
    { url, secret },
    {
      networkOf: (request: IncomingMessage) => String(request.headers.from ?? 'a network'),
      refused: (network) => void refused.push(network),
      isAtBroker: (_, token) => Promise.resolve(token === 'its own'),
    },
  );
  const server = createServer();
  server.on('upgrade', (request, stream, head) => void voices.upgrade(request, stream, head));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    void voices.stop();
    server.close();
    server.closeAllConnections();
  });
  return {
    voices,
    refused,
    /** A page that comes: why it was refused or closed, once it was. */
    async come(page: string, token = 'its own', code = VOICE_ROOM) {
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
