import { expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { apart, setStage } from '../support/stage.ts';

const HOST = 0 as Slot;

test.each([50, 300, 700, 1800])(
  '[W5.6] [W8.4] at %i ms one way, bodies at rest are not sent again, and names are known',
  async (latencyMs) => {
    const stage = await setStage({ guests: 2, cubes: apart(8), bodiless: true, latencyMs });
    stage.letPass(6);
    const { host } = stage;
    const guest = stage.guest(1);
    const traffic = host.peer.traffic(guest.slot);
    const { bodies, packetsSent } = traffic;
    stage.letPass(1);
    expect([traffic.packetsSent - packetsSent, traffic.bodies - bodies]).toEqual([10, 0]);
    expect(guest.peer.state.links[HOST]?.receiver.players[guest.slot].hasName).toBe(true);
    for (const slot of [HOST, 2 as Slot]) {
      expect(host.peer.state.links[guest.slot]?.receiver.players[slot].hasName).toBe(true);
    }
  },
);
