import { expect, inject, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import { MAX_MESSAGE_LENGTH } from '../../../src/core/room/fields.ts';
import type { LineEvents } from '../../../src/transport/station.ts';
import { WebRtcStation } from '../../../src/transport/webrtc/station.ts';
import { brokerAt, until } from './meeting.ts';

const random = new Random(crypto.getRandomValues(new Uint32Array(1))[0]);

async function openStation(): Promise<WebRtcStation> {
  const station = new WebRtcStation(brokerAt(inject('shared').ports.steady));
  onTestFinished(() => station.close());
  await until(() => station.state === 'open', 'the station is open');
  return station;
}

test('a page that dials a door gets a line to the page that keeps it open', async () => {
  const code = randomRoomCode(random);
  const [host, guest] = await Promise.all([openStation(), openStation()]);
  host.openDoor(code);
  await until(() => host.state === 'open', 'the door is open');
  const line = guest.dialDoor(code);
  if (line === null) throw new Error('The station is open, but does not dial.');
  await until(() => guest.lines.get(line)?.state === 'open', 'the line is open');
  expect(guest.isDoorMissing(code)).toBe(false);
});

test('a door that another page keeps open is taken, and another door may be tried', async () => {
  const code = randomRoomCode(random);
  const [host, other] = await Promise.all([openStation(), openStation()]);
  host.openDoor(code);
  await until(() => host.state === 'open', 'the door is open');
  other.openDoor(code);
  await until(() => other.state !== 'opening', 'the broker has answered');
  expect(other.state).toBe('taken');
  other.openDoor(randomRoomCode(random));
  await until(() => other.state === 'open', 'the other door is open');
});

test('a host that opens another door gives up the first', async () => {
  const [first, second] = [randomRoomCode(random), randomRoomCode(random)];
  const [host, heir] = await Promise.all([openStation(), openStation()]);
  host.openDoor(first);
  await until(() => host.state === 'open', 'the first door is open');
  host.openDoor(second);
  await until(() => host.state === 'open', 'the second door is open');
  heir.openDoor(first);
  // The broker needs a moment to notice.
  await until(() => {
    if (heir.state === 'taken') heir.openDoor(first);
    return heir.state === 'open';
  }, 'another has the first door');
});

test('the last messages on its lines arrive when a station closes', async () => {
  const code = randomRoomCode(random);
  const [host, guest] = await Promise.all([openStation(), openStation()]);
  host.openDoor(code);
  await until(() => host.state === 'open', 'the door is open');
  const heard: string[] = [];
  // More messages than go out at once, so that a line that closes too soon loses some.
  const words = [...Array<string>(20).fill('x'.repeat(MAX_MESSAGE_LENGTH)), 'bye'];
  guest.dialDoor(code);
  const atHost: LineEvents = {
    opened: () => {},
    message: (line) => {
      words.forEach((text) => host.lines.get(line)?.sendMessage(text));
      host.close();
    },
    closed: () => {},
  };
  const atGuest: LineEvents = {
    opened: (line) => guest.lines.get(line)?.sendMessage('hello'),
    message: (_, text) => heard.push(text),
    closed: () => heard.push('closed'),
  };
  await until(() => {
    host.lines.poll(atHost);
    guest.lines.poll(atGuest);
    return heard.includes('closed');
  }, 'the line is closed');
  expect(heard).toEqual([...words, 'closed']);
});
