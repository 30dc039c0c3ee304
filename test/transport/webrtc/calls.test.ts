import type { MediaConnection } from 'peerjs';
import { expect, onTestFinished, test } from 'vitest';
import type { CallEvents } from '../../../src/transport/webrtc/calls.ts';
import { Calls } from '../../../src/transport/webrtc/calls.ts';
import { openAddress, until } from './meeting.ts';

/** A page of a room: the pages that it hears, and the calls that have come in. */
type Listener = {
  readonly id: string;
  readonly calls: Calls;
  /** The ids of the pages that are heard at present. */
  readonly heard: () => readonly string[];
  readonly came: readonly MediaConnection[];
};

/** @param answers whether it takes a call, by the number of calls that have come before. */
async function openListener(answers: (before: number) => boolean = () => true): Promise<Listener> {
  const came: MediaConnection[] = [];
  const heard = new Set<string>();
  const events: CallEvents = { started: (id) => heard.add(id), ended: (id) => heard.delete(id) };
  const address = await openAddress({
    visitors: {
      onLine: (connection) => connection.close(),
      onCall: (call) => {
        came.push(call);
        if (answers(came.length - 1)) calls.answer(call);
        else call.close();
      },
    },
  });
  const calls = new Calls(address);
  onTestFinished(() => calls.close());
  return {
    id: address.id,
    calls,
    came,
    heard: () => {
      calls.poll(events);
      return [...heard];
    },
  };
}

function voice(): MediaStream {
  const context = new AudioContext();
  onTestFinished(() => context.close());
  return context.createMediaStreamDestination().stream;
}

/** PeerJS has no data channel in a call until the other page has opened one, whatever its type says. */
function isChannelOpen({ dataChannel }: MediaConnection): boolean {
  return (dataChannel as RTCDataChannel | null | undefined)?.readyState === 'open';
}

test('a page that speaks is heard by the pages that it calls, until it stops', async () => {
  const [speaker, listener] = await Promise.all([openListener(), openListener()]);
  listener.calls.update(null, [speaker.id]);
  const stream = voice();
  speaker.calls.update(stream, [listener.id]);
  await until(() => listener.heard().includes(speaker.id), 'the speaker is heard');
  expect(speaker.heard(), 'nothing comes back').toEqual([]);
  // The end of a call reaches the other side by the call's data channel, which opens after the connection.
  await until(() => isChannelOpen(listener.came[0]), 'the call’s data channel is open');
  speaker.calls.update(null, [listener.id]);
  await until(() => listener.heard().length === 0, 'the call has ended');
});

test('a call from an unknown page waits, and is answered when the page is known', async () => {
  const [speaker, listener] = await Promise.all([openListener(), openListener()]);
  speaker.calls.update(voice(), [listener.id]);
  await until(() => listener.came.length === 1, 'the call has come');
  listener.calls.update(null, []);
  expect([...listener.calls.connections()], 'nothing is answered').toEqual([]);
  listener.calls.update(null, [speaker.id]);
  await until(() => listener.heard().includes(speaker.id), 'the speaker is heard');
  expect(listener.came.length).toBe(1);
});

test('a call that nobody answers is made again', async () => {
  const [speaker, listener] = await Promise.all([openListener(), openListener((before) => before > 0)]);
  listener.calls.update(null, [speaker.id]);
  const stream = voice();
  await until(() => {
    speaker.calls.update(stream, [listener.id]);
    return listener.heard().includes(speaker.id);
  }, 'the speaker is heard');
  expect(listener.came.length).toBe(2);
});

test('a call goes on that is not to be made at present, and is not made again when it has ended', async () => {
  const [speaker, listener] = await Promise.all([openListener(), openListener()]);
  listener.calls.update(null, [speaker.id]);
  const stream = voice();
  speaker.calls.update(stream, [listener.id]);
  await until(() => listener.heard().includes(speaker.id), 'the speaker is heard');
  listener.calls.update(null, [speaker.id], []);
  speaker.calls.update(stream, [listener.id], []);
  expect([...listener.calls.connections()].length, 'the call is there').toBe(1);
  expect(listener.heard()).toEqual([speaker.id]);
  listener.calls.update(null, []);
  speaker.calls.update(null, []);
  speaker.calls.update(stream, [listener.id], []);
  expect([...speaker.calls.connections()], 'nobody is called').toEqual([]);
});
