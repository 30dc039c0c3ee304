import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { CUBES, setStage, tower } from '../../../support/stage.ts';

const HOST = 0 as Slot;
const GOODS = ['A1', 'A2', 'A3'];

describe('[W4] a packet that was overtaken by so many others that its base is gone', () => {
  test('[W6.1] is rejected, and not read without its base: the result might look valid', async () => {
    const stage = await setStage({ guests: 1, cubes: tower(8) });
    const guest = stage.guest(1);
    stage.host.grabs(CUBES[2]);
    for (let round = 1; round <= 5; round++) {
      stage.host.moves([0.3, 0, 0.2], 0.2);
      guest.downlink.loss = 1;
      stage.tick();
      const held = stage.host.lastPacket;
      guest.downlink.loss = 0;
      // A moving hand is sent in every tick: the base's place is taken.
      stage.host.moves([-0.3, 0, -0.2], 1.05);
      guest.peer.receive(stage.now, HOST, held);
      expect(guest.refused('unknown baseline'), `round ${round}`).toBe(round);
    }
    // All else that was refused was refused by the rules of authority.
    const { rejections } = guest.peer.state;
    expect(Object.keys(rejections).filter((reason) => !GOODS.includes(reason))).toEqual(['unknown baseline']);
  });

  test('[W4.3] is read if its base is still kept', async () => {
    const stage = await setStage({ guests: 1, cubes: tower(8) });
    const guest = stage.guest(1);
    stage.host.grabs(CUBES[2]);
    stage.host.moves([0.3, 0, 0.2], 0.2);
    guest.downlink.loss = 1;
    stage.tick();
    const held = stage.host.lastPacket;
    guest.downlink.loss = 0;
    stage.letPass(0.25);
    const read = guest.peer.traffic(HOST).packetsReceived;
    guest.peer.receive(stage.now, HOST, held);
    expect(guest.refused('unknown baseline')).toBe(0);
    expect(guest.peer.traffic(HOST).packetsReceived).toBe(read + 1);
  });
});
