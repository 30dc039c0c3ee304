import { afterEach, describe, expect, inject, test } from 'vitest';
import { DOOR_PREFIX } from '../../../src/core/room/code.ts';
import { randomId } from '../../../src/transport/station.ts';
import { anAddress, messagesOf, openAddress, openLine, packetsOf, pause, until } from './meeting.ts';

describe('an address', () => {
  test('[F1.12] that another page has is taken, and that of a door is free when that page gives it up', async () => {
    const first = await openAddress({ id: `${DOOR_PREFIX}${randomId()}` });
    const second = anAddress({ id: first.id });
    await until(() => second.state === 'taken', 'the second finds it taken');
    expect(second.connect(first.id)).toBeNull();
    expect(first.state).toBe('open');
    first.close();
    expect(first.state).toBe('closed');
    expect(first.connect(second.id)).toBeNull();
    // The broker needs a moment to notice.
    let heir = anAddress({ id: first.id });
    await until(() => {
      if (heir.state === 'taken') heir = anAddress({ id: first.id });
      return heir.state === 'open';
    }, 'another has it');
  });

  test('without a broker is unreachable', async () => {
    const address = anAddress({ port: inject('shared').ports.dead });
    expect(address.state).toBe('opening');
    expect(address.connect('anybody')).toBeNull();
    await until(() => address.state !== 'opening', 'it has been tried');
    expect(address.state).toBe('unreachable');
    expect(address.connect('anybody')).toBeNull();
  });

  test('[F3.6] that no broker has answered is open as soon as one does', async () => {
    const { shaky: port } = inject('shared').ports;
    const tell = (what: 'stop' | 'start'): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/${what}`, { method: 'POST' });
    await tell('stop');
    try {
      const address = anAddress({ port });
      await until(() => address.state === 'unreachable', 'it has been tried');
      await pause(700);
      expect([address.state, address.connect('anybody')]).toEqual(['unreachable', null]);
      await tell('start');
      await until(() => address.state === 'open', 'the broker has answered');
      const { near, far } = await openLine(port);
      expect([near.state, far.state]).toEqual(['open', 'open']);
    } finally {
      await tell('start');
    }
  });

  test('learns within 4 s that nobody has an id, and reports it once', async () => {
    const address = await openAddress();
    const started = performance.now();
    address.connect('nobody');
    await until(() => address.isMissing('nobody'), 'the broker says that nobody is there');
    expect(performance.now() - started).toBeLessThan(4000);
    expect(address.isMissing('nobody')).toBe(false);
  });

  test('[F3.7] learns it although it goes on calling', async () => {
    const address = await openAddress();
    const calling = setInterval(() => address.connect('no-one'), 700);
    try {
      await until(() => address.isMissing('no-one'), 'the broker says that nobody is there');
    } finally {
      clearInterval(calling);
    }
  });
});

describe('a broker that goes and comes back', () => {
  const shaky = `http://127.0.0.1:${inject('shared').ports.shaky}`;
  const tell = (what: 'stop' | 'start'): Promise<Response> => fetch(`${shaky}/${what}`, { method: 'POST' });
  afterEach(() => tell('start'));

  test('is lost, and asked until it answers; lines go on meanwhile', async () => {
    const port = inject('shared').ports.shaky;
    const address = await openAddress({ port });
    const { near, far } = await openLine(port);
    await tell('stop');
    await until(() => address.state === 'lost', 'the loss is noticed');
    expect(address.connect('anybody')).toBeNull();
    near.sendMessage('still here');
    far.sendPacket(Uint8Array.of(5));
    await until(() => messagesOf(far).includes('still here'), 'the message has come');
    await until(() => packetsOf(near).length === 1, 'the packet has come');
    // One attempt fails before the broker is back.
    await pause(700);
    expect(address.state).toBe('lost');
    await tell('start');
    await until(() => address.state === 'open', 'it is open again');
    expect([near.state, far.state]).toEqual(['open', 'open']);
    const after = await openLine(port);
    after.near.sendMessage('a new line');
    await until(() => messagesOf(after.far).includes('a new line'), 'new lines can be made');
  });
});
