import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../src/core/room/line.ts';
import { Lines } from '../../../src/transport/lines.ts';
import type { LineEvents, OpenedLine } from '../../../src/transport/station.ts';
import type { AddressHandlers } from '../../../src/transport/webrtc/address.ts';
import { PeerJsConnection } from '../../../src/transport/webrtc/peerjs-connection.ts';
import { openAddress, pause, until } from './meeting.ts';

/** Lines, and their events as words. */
class Notes implements LineEvents {
  readonly lines = new Lines();
  readonly words: string[] = [];
  /** The lines that have opened, with their ends. */
  readonly ends: OpenedLine[] = [];

  opened(line: LineId, end: OpenedLine): void {
    this.ends.push(end);
    this.words.push(`${line} opened`);
  }
  message(line: LineId, text: string): void {
    this.words.push(`${line} message ${text}`);
  }
  closed(line: LineId, wasOpen: boolean): void {
    this.words.push(`${line} ${wasOpen ? 'closed' : 'never was'}`);
  }

  async until(count: number): Promise<readonly string[]> {
    await until(() => {
      this.lines.poll(this);
      return this.words.length >= count;
    }, `${count} things have happened`);
    return this.words;
  }
}

/** A page with an address, and another page that has opened this many lines to it. */
async function connected(count: number): Promise<{ host: Notes; guest: Notes; ids: readonly LineId[] }> {
  const [host, guest] = [new Notes(), new Notes()];
  const visitors = {
    onLine: (connection: Parameters<AddressHandlers['onLine']>[0]) =>
      host.lines.take(new PeerJsConnection(connection)),
    onCall: null,
  };
  const [to, from] = await Promise.all([openAddress({ visitors }), openAddress()]);
  const ids: LineId[] = [];
  for (let i = 0; i < count; i++) {
    const connection = from.connect(to.id);
    if (connection !== null) ids.push(guest.lines.add(new PeerJsConnection(connection)));
  }
  return { host, guest, ids };
}

describe('lines', () => {
  test('report once that a line is open, its messages, and that it is closed', async () => {
    const { host, guest, ids } = await connected(1);
    await guest.until(1);
    guest.lines.get(ids[0])?.sendMessage('hello');
    await host.until(2);
    host.lines.get(0 as LineId)?.sendMessage('welcome');
    host.lines.get(0 as LineId)?.sendMessage('bye');
    host.lines.close(0 as LineId);
    expect(await guest.until(4)).toEqual(['0 opened', '0 message welcome', '0 message bye', '0 closed']);
    expect(await host.until(3)).toEqual(['0 opened', '0 message hello', '0 closed']);
    expect(guest.lines.get(ids[0])).toBeNull();
    await pause(50);
    expect(await guest.until(4)).toHaveLength(4);
  });

  test('that end before they open are reported as never open', async () => {
    const { host, guest, ids } = await connected(2);
    guest.lines.close(ids[0]);
    expect(await guest.until(2)).toEqual(['0 never was', '1 opened']);
    // The offer of the first was never sent.
    await until(() => {
      host.lines.poll(host);
      return host.lines.get(0 as LineId)?.state === 'open' && host.lines.get(1 as LineId) === null;
    }, 'the host knows one line');
  });

  test('[P2] have the same fingerprints at both ends, and no two lines have the same', async () => {
    const { host, guest } = await connected(2);
    const words = await Promise.all([guest.until(2), host.until(2)]);
    for (const said of words) expect(said.toSorted()).toEqual(['0 opened', '1 opened']);
    const [atGuest, atHost] = [guest, host].map(({ ends }) => ends.map(({ binding }) => binding));
    expect([...atGuest].sort()).toEqual([...atHost].sort());
    expect(new Set(atGuest).size).toBe(2);
    for (const text of atGuest) expect(text).toMatch(/^SHA-256 [0-9A-F:]{95} SHA-256 [0-9A-F:]{95}$/);
    expect(guest.ends.map(({ isCaller }) => isCaller)).toEqual([true, true]);
    expect(host.ends.map(({ isCaller }) => isCaller)).toEqual([false, false]);
  });

  test('are all closed at once', async () => {
    const { host, guest } = await connected(3);
    await guest.until(3);
    await host.until(3);
    host.lines.closeAll();
    expect((await guest.until(6)).slice(3).sort()).toEqual(['0 closed', '1 closed', '2 closed']);
  });

  test('an unknown number gives no line, and closing it does nothing', () => {
    const { lines } = new Notes();
    expect(lines.get(7 as LineId)).toBeNull();
    lines.close(7 as LineId);
  });
});
