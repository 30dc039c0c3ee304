import { expect, onTestFinished, test } from 'vitest';
import { TICK_MS } from '../../src/core/base/constants.ts';
import type { RoomCode } from '../../src/core/room/code.ts';
import type { Tenure } from '../../src/core/room/host/host-options.ts';
import { newLineage } from '../../src/core/room/identity/lineage.ts';
import type { DoorResult } from '../../src/session/host-door.ts';
import { HostDoor } from '../../src/session/host-door.ts';
import { createKeys, MemberKey } from '../../src/session/member-key.ts';
import { NodeStation } from '../../src/transport/node/node-station.ts';
import { doorId } from '../../src/transport/station.ts';
import { connectBroker, startBroker } from '../server/broker/broker-client.ts';

const CODE = 'ACDEF' as RoomCode;
/** The terms of the host before, and of the next one. */
const [BEFORE, TERM] = [0, 63];

/** A broker, and stations at it. */
async function stations(): Promise<{ readonly station: () => NodeStation; readonly url: string }> {
  const { url } = await startBroker();
  const station = (): NodeStation => {
    const made = new NodeStation({ broker: { url: `${url.replace('http', 'ws')}broker` } });
    onTestFinished(() => made.close());
    return made;
  };
  return { station, url };
}

/** Ticks a later host's door until it says something, or is open. @returns that, and after how many milliseconds. */
async function judged(
  station: NodeStation,
  hasGuests: boolean,
): Promise<{ readonly found: DoorResult; readonly afterMs: number }> {
  const { publicKey } = await MemberKey.of(await createKeys());
  const tenure: Tenure = { term: TERM, lineage: newLineage(publicKey, 'salt'), door: 'secret', home: null };
  const door = new HostDoor(station, CODE, tenure, BEFORE);
  const began = performance.now();
  for (;;) {
    const found = door.tick(performance.now(), hasGuests);
    const afterMs = performance.now() - began;
    if (found !== null || door.wasOpen || afterMs > 10_000) return { found, afterMs };
    await new Promise((resolve) => void setTimeout(resolve, TICK_MS));
  }
}

test('a later host with guests takes the door from the host before', async () => {
  const { station, url } = await stations();
  // The host before is gone, and the broker does not know yet.
  await connectBroker(url, doorId(CODE), `secret-${BEFORE}`);
  expect((await judged(station(), true)).found).toBeNull();
});

test.each([true, false])(
  '[F4.11] [F4.12] [N3.2] a later host looks at once for yet another host that has the door; has guests: %s',
  async (hasGuests) => {
    const { station, url } = await stations();
    await connectBroker(url, doorId(CODE), 'of another host');
    const { found, afterMs } = await judged(station(), hasGuests);
    expect(found).toBe('look for another host');
    expect(afterMs).toBeLessThan(hasGuests ? 2500 : 3500);
  },
);
