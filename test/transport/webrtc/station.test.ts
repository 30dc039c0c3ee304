import { expect, inject, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import { Station } from '../../../src/transport/webrtc/station.ts';
import { brokerAt, until } from './meeting.ts';

const random = new Random(crypto.getRandomValues(new Uint32Array(1))[0]);

async function openStation(): Promise<Station> {
  const station = new Station(brokerAt(inject('brokers').steady));
  onTestFinished(() => station.close());
  await until(() => station.state === 'open', 'the station is open');
  return station;
}

test('who rings at a door has a line to the page that holds it open', async () => {
  const code = randomRoomCode(random);
  const [host, guest] = await Promise.all([openStation(), openStation()]);
  host.openDoor(code);
  await until(() => host.state === 'open', 'the door is open');
  const line = guest.ring(code);
  if (line === null) throw new Error('The station is open, but does not ring.');
  await until(() => guest.lines.get(line)?.state === 'open', 'the line is open');
  expect(guest.isAbsent(code)).toBe(false);
});

test('a door that another page holds open is taken, and another may be tried', async () => {
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

test('last words on its lines arrive when a station closes', async () => {
  const code = randomRoomCode(random);
  const [host, guest] = await Promise.all([openStation(), openStation()]);
  host.openDoor(code);
  await until(() => host.state === 'open', 'the door is open');
  const line = guest.ring(code);
  const opened: number[] = [];
  const hosted = { opened: (id: number) => opened.push(id), message: () => {}, closed: () => {} };
  await until(() => {
    host.lines.poll(hosted);
    return opened.length === 1;
  }, 'the host has the line');
  await until(() => line !== null && guest.lines.get(line)?.state === 'open', 'so has the guest');
  for (const id of opened) host.lines.get(id as typeof line & number)?.sendMessage('bye');
  host.close();
  const heard: string[] = [];
  await until(() => {
    guest.lines.poll({
      opened: () => {},
      message: (_, text) => heard.push(text),
      closed: () => heard.push('closed'),
    });
    return heard.includes('closed');
  }, 'the line is closed');
  expect(heard).toEqual(['bye', 'closed']);
});
