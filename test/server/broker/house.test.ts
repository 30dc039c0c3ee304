import { describe, expect, test } from 'vitest';
import { DOOR_PREFIX } from '../../../src/core/room/code.ts';
import { House } from '../../../src/server/broker/house.ts';
import { LIMITS } from '../../../src/server/broker/limits/limits.ts';
import { connectBroker, startBroker } from './broker-client.ts';

describe("[N4.2] the rooms of a broker's own server", () => {
  /** A broker at which each network may ask for two doors and send little. */
  async function broker(house: House) {
    const limits = {
      ...LIMITS,
      doors: { atOnce: 2, anotherMs: 3_600_000 },
      bytes: { atOnce: 3000, anotherMs: 3_600_000 },
    };
    return startBroker({ house, limits });
  }

  test('have their doors, though their machine has asked for all of its own', async () => {
    const house = new House();
    const { url, refusals } = await broker(house);
    const opens = async (door: string, headers: Record<string, string>): Promise<boolean> => {
      const client = connectBroker(url, `${DOOR_PREFIX}${door}`, 'token', headers);
      return client.then(
        async ({ next }) => (await next()).type === 'OPEN',
        () => false,
      );
    };
    const asked = [];
    for (const door of ['AAAAA', 'BBBBB', 'CCCCC']) asked.push(await opens(door, {}));
    expect(asked).toEqual([true, true, false]);
    for (const door of ['DDDDD', 'EEEEE', 'FFFFF']) expect(await opens(door, house.headers)).toBe(true);
    expect(await opens('GGGGG', new House().headers), 'another server').toBe(false);
    expect(refusals.get('doors')).toBe(2);
  });

  test("do not use up one another's share", async () => {
    const house = new House();
    const { url, refusals } = await broker(house);
    const [a, b] = await Promise.all(['a', 'b'].map((id) => connectBroker(url, id, id, house.headers)));
    await Promise.all([a.next(), b.next()]);
    const offer = { type: 'OFFER', dst: 'nobody', payload: 'x'.repeat(1000) };
    for (let i = 0; i < 5; i++) a.send(offer);
    await expect.poll(() => refusals.get('network flood') ?? 0).toBe(3);
    b.send({ ...offer, dst: 'a' });
    expect(await a.next()).toMatchObject({ type: 'OFFER', src: 'b' });
  });

  test('have names in the logs that say nothing of their doors', () => {
    const house = new House();
    const request = { headers: house.headers } as never;
    const name = house.networkOf(request, `${DOOR_PREFIX}AAAAA`);
    expect(name).toMatch(/^server room [\da-f]{12}$/);
    expect(house.networkOf(request, 'another id')).not.toBe(name);
    expect(house.networkOf({ headers: {} } as never, 'an id')).toBeNull();
  });
});
