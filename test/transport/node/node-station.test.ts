import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { MAX_MESSAGE_LENGTH } from '../../../src/core/room/fields.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { TransportPair } from '../../contract/transport-contract.ts';
import { transportContract } from '../../contract/transport-contract.ts';
import { meet, twoMet, twoPages, until } from './node-pages.ts';

const [HOST, GUEST] = [0, 2] as Slot[];
const CODE = 'KQXMT' as RoomCode;

async function nodePair(): Promise<TransportPair> {
  const [guest, host] = await twoMet();
  host.station.transport.bind(GUEST, host.line);
  guest.station.transport.bind(HOST, guest.line);
  return {
    host: host.station.transport,
    guest: guest.station.transport,
    hostSlot: HOST,
    guestSlot: GUEST,
    now: () => performance.now(),
    pass: () => new Promise((resolve) => void setTimeout(resolve, 10)),
    dispose: () => {},
  };
}

transportContract('[N2.1] WebRTC in Node', nodePair);

describe('a station in Node', () => {
  test('[P2.2] both ends of a line know the same fingerprints, and who called', async () => {
    const [caller, callee] = await twoMet();
    const [[a], [b]] = [[...caller.ends.values()], [...callee.ends.values()]];
    expect(a.binding).toBe(b.binding);
    expect(a.binding).toMatch(/^SHA-256 [0-9A-F:]{95} SHA-256 [0-9A-F:]{95}$/);
    expect([a.isCaller, b.isCaller]).toEqual([true, false]);
    expect([a.page, b.page]).toEqual([callee.station.id, caller.station.id]);
  });

  test('brings messages in order, up to the longest', async () => {
    const [caller, callee] = await twoMet();
    const texts = ['a', 'ä€😀', 'x'.repeat(MAX_MESSAGE_LENGTH), 'z'];
    for (const text of texts) caller.line.sendMessage(text);
    await until(() => callee.poll().texts.length === texts.length, 'the messages are there');
    expect(callee.texts).toEqual(texts);
  });

  test('a line that one end closes is closed at the other, after its last message', async () => {
    const [caller, callee] = await twoMet();
    caller.line.sendMessage('bye');
    caller.line.close();
    const [line] = callee.ends.keys();
    await until(() => callee.poll().gone.includes(line), 'the line has ended');
    expect(callee.texts).toEqual(['bye']);
  });

  test('is found at a door, which is gone when it is closed', async () => {
    const [guest, host] = await twoPages();
    host.station.openDoor(CODE);
    await until(() => host.station.doorState === 'open', 'the door is open');
    await meet(guest, host, () => guest.station.dialDoor(CODE));
    expect(guest.line.page).toBe(`handover-${CODE}`);
    host.station.closeDoor();
    let dialledAt = -Infinity;
    await until(() => {
      if (performance.now() - dialledAt > 1500) {
        dialledAt = performance.now();
        guest.station.dialDoor(CODE);
      }
      return guest.station.isDoorMissing(CODE);
    }, 'nobody is at the door');
    expect(guest.line.state).toBe('open');
  });

  test('a door that another has is taken', async () => {
    const [a, b] = await twoPages();
    a.station.openDoor(CODE, 'secret');
    await until(() => a.station.doorState === 'open', 'the door is open');
    b.station.openDoor(CODE, 'other');
    await until(() => b.station.doorState === 'taken', 'the door is taken');
    expect(a.station.doorState).toBe('open');
  });
});
