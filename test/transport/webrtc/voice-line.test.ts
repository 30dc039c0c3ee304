import { describe, expect, onTestFinished, test } from 'vitest';
import { Refusals } from '../../../src/transport/guard/refusals.ts';
import type { VoiceNews, VoiceRequest } from '../../../src/transport/socket/voice-messages.ts';
import { writeVoiceMessage } from '../../../src/transport/socket/voice-messages.ts';
import { Unfreed } from '../../../src/transport/webrtc/unfreed.ts';
import type { VoiceSocket } from '../../../src/transport/webrtc/voice-line.ts';
import { VoiceLine } from '../../../src/transport/webrtc/voice-line.ts';

/** A socket whose other end is the test. */
class TestSocket implements VoiceSocket {
  readyState: VoiceSocket['readyState'] = WebSocket.OPEN;
  readonly sent: VoiceRequest[] = [];
  onopen: VoiceSocket['onopen'] = null;
  onmessage: VoiceSocket['onmessage'] = null;
  onclose: VoiceSocket['onclose'] = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as VoiceRequest);
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
  }

  bring(news: VoiceNews): void {
    const event = new MessageEvent('message', { data: writeVoiceMessage(news) });
    this.onmessage?.call(this as unknown as WebSocket, event);
  }

  /** The offers of the page's own voice. */
  get offers(): readonly string[] {
    return this.sent.flatMap((request) => (request.kind === 'speak' ? [request.sdp] : []));
  }

  get answers(): readonly string[] {
    return this.sent.flatMap((request) => (request.kind === 'listen' ? [request.sdp] : []));
  }
}

function sound(): MediaStream {
  const context = new AudioContext();
  onTestFinished(() => context.close());
  return context.createMediaStreamDestination().stream;
}

/** A line, and what it has reported: +page for a voice that has come, -page for one that has gone. */
function open() {
  const socket = new TestSocket();
  const heard: string[] = [];
  const refusals = new Refusals();
  const means = {
    own: { id: 'a page', token: 'its own', state: 'open' as const },
    rtc: { iceServers: [] },
    refusals,
    unfreed: new Unfreed(),
  };
  const line = new VoiceLine(socket, means, (report) =>
    report({ started: (page) => heard.push(`+${page}`), ended: (page) => heard.push(`-${page}`) }),
  );
  onTestFinished(() => line.close());
  return { socket, line, heard, refusals };
}

/** The voice server's end of one connection. */
function server(): RTCPeerConnection {
  const connection = new RTCPeerConnection();
  onTestFinished(() => connection.close());
  return connection;
}

async function answerTo(offer: string, connection = server()): Promise<string> {
  await connection.setRemoteDescription({ type: 'offer', sdp: offer });
  await connection.setLocalDescription();
  await expect.poll(() => connection.iceGatheringState).toBe('complete');
  return connection.localDescription?.sdp ?? '';
}

/** An offer of so many voices. */
async function voices(connection: RTCPeerConnection, count: number): Promise<string> {
  while (connection.getTransceivers().length < count)
    connection.addTransceiver(sound().getAudioTracks()[0], { direction: 'sendonly' });
  await connection.setLocalDescription();
  await expect.poll(() => connection.iceGatheringState).toBe('complete');
  return connection.localDescription?.sdp ?? '';
}

const soon = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 100));

describe('a line to the voices of a room', () => {
  test('speaks once the site has answered', async () => {
    const { socket, line } = open();
    line.speak(sound());
    await expect.poll(() => socket.offers.length).toBe(1);
    expect(line.isSpeaking).toBe(false);
    socket.bring({ kind: 'speaking', sdp: await answerTo(socket.offers[0]) });
    await expect.poll(() => line.isSpeaking).toBe(true);
    line.speak(null);
    expect(socket.sent.at(-1)).toEqual({ kind: 'hush' });
    expect(line.isSpeaking).toBe(false);
  });

  test('that is turned on, off and on again takes only the answer to its last offer', async () => {
    const { socket, line } = open();
    line.speak(sound());
    await expect.poll(() => socket.offers.length).toBe(1);
    line.speak(null);
    line.speak(sound());
    await expect.poll(() => socket.offers.length).toBe(2);
    for (const offer of socket.offers) socket.bring({ kind: 'speaking', sdp: await answerTo(offer) });
    await expect.poll(() => line.isSpeaking).toBe(true);
    expect(line.isOver).toBe(false);
  });

  test('that is turned off before its offer is made stays open, and offers nothing', async () => {
    const { socket, line, refusals } = open();
    line.speak(sound());
    line.speak(null);
    await soon();
    expect(socket.sent).toEqual([{ kind: 'hush' }]);
    expect(line.isOver).toBe(false);
    expect(refusals.read()).toEqual({});
  });

  test('hears who has come on which line, and who has gone, and another one on the same line', async () => {
    const { socket, heard, line } = open();
    const janus = server();
    const bring = async (count: number, pages: Readonly<Record<string, string>>): Promise<void> => {
      const before = socket.answers.length;
      socket.bring({ kind: 'voices', sdp: await voices(janus, count), pages });
      await expect.poll(() => socket.answers.length).toBe(before + 1);
      await janus.setRemoteDescription({ type: 'answer', sdp: socket.answers[before] });
    };
    await bring(2, { 0: 'ada', 1: 'bo' });
    await expect.poll(() => heard).toEqual(['+ada', '+bo']);
    await bring(2, { 1: 'bo' });
    await expect.poll(() => heard.slice(2)).toEqual(['-ada']);
    await bring(3, { 0: 'cy', 1: 'bo', 2: 'ada' });
    await expect.poll(() => heard.slice(3)).toEqual(['+cy', '+ada']);
    line.close();
    expect(heard.slice(5)).toEqual(['-cy', '-bo', '-ada']);
  });

  test('that is closed while it answers reports nothing more', async () => {
    const { socket, heard, line } = open();
    socket.bring({ kind: 'voices', sdp: await voices(server(), 1), pages: { 0: 'ada' } });
    line.close();
    await soon();
    expect(heard).toEqual([]);
    expect(socket.sent).toEqual([]);
  });

  test('[F1] is over if it can’t read an SDP, and counts what it can’t read at all', async () => {
    const { socket, line, refusals } = open();
    socket.onmessage?.call(socket as unknown as WebSocket, new MessageEvent('message', { data: '{' }));
    expect(line.isOver).toBe(false);
    socket.bring({ kind: 'voices', sdp: 'no SDP', pages: {} });
    await expect.poll(() => line.isOver).toBe(true);
    expect(refusals.read()).toEqual({ failed: 2 });
  });
});
