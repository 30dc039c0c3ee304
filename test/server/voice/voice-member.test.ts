import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fields } from '../../../src/core/room/fields.ts';
import type { HandleNews, PluginEvent } from '../../../src/server/voice/janus.ts';
import type { VoiceServer } from '../../../src/server/voice/voice-member.ts';
import { VoiceRoom } from '../../../src/server/voice/voice-room.ts';
import type { VoiceNews } from '../../../src/transport/socket/voice-messages.ts';

/** Janus' answer to a voice that it takes. */
const TAKEN = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=recvonly\r\na=rtpmap:111 opus/48000/2\r\n';

/** A voice server that answers when the test says so. */
class SlowServer implements VoiceServer {
  /** Handles that somebody has. */
  readonly handles = new Map<number, (news: HandleNews) => void>();
  /** Requests by their names, in order. */
  readonly asked: string[] = [];
  /** Answers requests in another way than usual; null for no answer. */
  readonly answers = new Map<string, Fields | null>();
  /** Set: attaching waits for it. */
  gate: Promise<void> | null = null;
  #handles = 0;

  async attach(_: string, heard: (news: HandleNews) => void): Promise<number | null> {
    await this.gate;
    const handle = ++this.#handles;
    this.handles.set(handle, heard);
    return handle;
  }

  detach(handle: number): void {
    expect(this.handles.delete(handle), `handle ${handle} is given up once`).toBe(true);
  }

  message(handle: number, body: Fields): Promise<PluginEvent | null> {
    const request = String(body.request);
    this.asked.push(request);
    const given = this.answers.get(request);
    if (given === null) return Promise.resolve(null);
    if (given !== undefined) return Promise.resolve({ data: given, jsep: null });
    switch (request) {
      case 'create':
        return Promise.resolve({ data: { videoroom: 'created' }, jsep: null });
      case 'joinandconfigure':
        setTimeout(() => this.handles.get(handle)?.('up'));
        return Promise.resolve({ data: {}, jsep: { type: 'answer', sdp: TAKEN } });
      case 'join':
      case 'update': {
        const added = (body.streams ?? body.subscribe ?? []) as { feed: number }[];
        const streams = added.map(({ feed }) => ({ mid: String(feed), feed_id: feed, active: true }));
        return Promise.resolve({ data: { streams }, jsep: { type: 'offer', sdp: 'an offer' } });
      }
      default:
        return Promise.resolve({ data: {}, jsep: null });
    }
  }
}

function roomAt(server: SlowServer) {
  const lost = vi.fn();
  const room = new VoiceRoom(server, lost);
  const come = (id: string) => {
    const got: VoiceNews[] = [];
    const end = vi.fn();
    const member = room.add({ id, send: (news) => got.push(news), end });
    onTestFinished(() => void room.remove(member));
    return { member, got, end };
  };
  return { room, come, lost };
}

const soon = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));

describe('a member at a voice server', () => {
  test('speaks, is heard by the other under its own id, and gives up all its handles', async () => {
    const server = new SlowServer();
    const { room, come } = roomAt(server);
    const [ada, bo] = [come('ada'), come('bo')];
    ada.member.take({ kind: 'speak', sdp: 'an offer' });
    await soon();
    expect(ada.got).toEqual([{ kind: 'speaking', sdp: TAKEN }]);
    expect(bo.got).toEqual([{ kind: 'voices', sdp: 'an offer', pages: { 1: 'ada' } }]);
    expect(server.handles.size).toBe(3);
    for (const { member } of [ada, bo]) room.remove(member);
    await room.dispose();
    expect(server.handles.size).toBe(0);
  });

  test('that leaves while the server makes a handle leaves none behind', async () => {
    const server = new SlowServer();
    const { room, come } = roomAt(server);
    const ada = come('ada');
    await soon();
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => void (open = resolve));
    ada.member.take({ kind: 'speak', sdp: 'an offer' });
    await soon();
    room.remove(ada.member);
    open();
    await soon();
    expect(server.handles.size, 'the room’s own').toBe(1);
    expect(ada.got).toEqual([]);
  });

  test('whose room is not made, or is there no more, has it made anew', async () => {
    const never = new SlowServer();
    never.answers.set('create', null);
    expect(roomAt(never).lost).not.toHaveBeenCalled();
    const first = roomAt(never);
    await soon();
    expect(first.lost).toHaveBeenCalledTimes(1);

    const server = new SlowServer();
    const second = roomAt(server);
    const ada = second.come('ada');
    server.answers.set('joinandconfigure', { error_code: 426 });
    ada.member.take({ kind: 'speak', sdp: 'an offer' });
    await soon();
    expect(second.lost).toHaveBeenCalledTimes(1);
  });

  test('looks once more if a voice is gone before the room knows it, and is ended only then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = new SlowServer();
    const { come } = roomAt(server);
    const [ada, bo] = [come('ada'), come('bo')];
    server.answers.set('join', { error_code: 428 });
    ada.member.take({ kind: 'speak', sdp: 'an offer' });
    await vi.advanceTimersByTimeAsync(100);
    expect(server.asked.filter((name) => name === 'join')).toHaveLength(1);
    expect(bo.end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.asked.filter((name) => name === 'join')).toHaveLength(2);
    expect(bo.end).toHaveBeenCalled();
  });

  test('that does not answer an offer is ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = new SlowServer();
    const { come } = roomAt(server);
    const [ada, bo] = [come('ada'), come('bo')];
    ada.member.take({ kind: 'speak', sdp: 'an offer' });
    await vi.advanceTimersByTimeAsync(9000);
    expect(bo.end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(bo.end).toHaveBeenCalled();
    expect(ada.end).not.toHaveBeenCalled();
  });
});
