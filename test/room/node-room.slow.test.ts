import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toBody, toSlot } from '../../src/core/base/ids.ts';
import { inspect } from '../../src/core/peer/diagnostics/inspect.ts';
import { field } from '../../src/core/shared/field.ts';
import { sharedSchema } from '../../src/core/shared/schema.ts';
import type { RoomFailure } from '../../src/room/failures.ts';
import { RoomError, SENTENCES } from '../../src/room/failures.ts';
import { joinRoom, openRoom, startTicker } from '../../src/room/node.ts';
import type { Room } from '../../src/room/room.ts';
import type { OwnWorld } from '../../src/room/shared-game.ts';
import { startBroker } from '../server/broker/broker-client.ts';

/** A world of a project's own: boxes on a floor. */
function ownWorld(boxes = 3, rate = 60): OwnWorld<RAPIER.RigidBody> {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.timestep = 1 / rate;
  world.createCollider(RAPIER.ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1, 0));
  const bodies = Array.from({ length: boxes }, (_, i) => {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(2 * i, 0.3, 0));
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.25, 0.25, 0.25), body);
    return body;
  });
  return { engine: RAPIER, world, bodies };
}

async function broker(): Promise<{ broker: string; address: string }> {
  const { url } = await startBroker();
  return { broker: `${url.replace('http', 'ws')}broker`, address: '127.0.0.1' };
}

/** An address of this machine that is not in the internet; a loopback address if it has no other. */
function privateAddress(): string {
  const networks = new BlockList();
  networks.addSubnet('10.0.0.0', 8);
  networks.addSubnet('172.16.0.0', 12);
  networks.addSubnet('192.168.0.0', 16);
  networks.addSubnet('fc00::', 7, 'ipv6');
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = own.find(({ address, family }) =>
    networks.check(address, family === 'IPv4' ? 'ipv4' : 'ipv6'),
  );
  return found?.address ?? '127.0.0.1';
}

/** A room that ticks until the test ends. */
function ticking<Body>(room: Room<Body>): Room<Body> {
  const stop = startTicker({ rate: room.level.rate, tick: () => room.tick() });
  onTestFinished(() => {
    stop();
    room.dispose();
  });
  return room;
}

async function until(isSo: () => boolean, what: string, timeout = 30_000): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout, message: what }).toBe(true);
}

const bodiesOf = ({ peer }: Room): unknown =>
  inspect(peer).bodies.map(({ id, position, rotation, resting }) => ({ id, position, rotation, resting }));
const heightOf = ({ peer }: Room, body: number): number => inspect(peer).bodies[body].position[1];
const failure = async (room: Promise<unknown>): Promise<RoomFailure | null> =>
  room.then(
    () => null,
    (error: unknown) => (error instanceof RoomError ? error.why : null),
  );

describe('a room of an own world, in Node', () => {
  beforeAll(() => RAPIER.init());

  test('is opened and joined by its link, kicked in, and the same on both sides once all rests', async () => {
    const network = await broker();
    const own = ownWorld();
    const host = ticking(await openRoom({ ...own, ...network, name: 'Ada' }));
    expect([host.status, host.hosting === null, host.slot]).toEqual(['here', false, toSlot(0)]);
    const link = host.link('https://example.org/game/');
    const guest = ticking(await joinRoom(link, { ...ownWorld(), ...network, name: 'Ben' }));
    expect([guest.code, guest.hosting, guest.slot]).toEqual([host.code, null, toSlot(1)]);
    await until(() => host.players.length === 2, 'the host knows both');
    expect(host.players.map(({ name }) => name)).toEqual(['Ada', 'Ben']);
    guest.peer.act({ kind: 'impulse', body: toBody(1), push: { x: 0.1, y: 0.5, z: 0 }, at: null });
    await until(() => heightOf(host, 1) > 0.4, 'the host sees the kick');
    expect(host.bodyOf(toBody(1))).toBe(own.bodies[1]);
    const isAtRest = (room: Room): boolean =>
      inspect(room.peer).bodies.every(({ resting, authority }) => resting && authority === null);
    await until(() => isAtRest(host) && isAtRest(guest), 'all rests');
    expect(bodiesOf(guest)).toEqual(bodiesOf(host));
    expect(guest.view().exists.slice(0, 3)).toEqual(new Uint8Array([1, 1, 1]));
  });

  test('is found by a member of its private network, on its own machine, and not if that one may not look', async () => {
    const network = { ...(await broker()), address: privateAddress() };
    const host = ticking(await openRoom({ ...ownWorld(), ...network }));
    const link = host.link('https://example.org/');
    ticking(await joinRoom(link, { ...ownWorld(), ...network }));
    await until(() => host.players.length === 2, 'the host knows both');
    if (network.address === '127.0.0.1') return;
    // The first has come in by now; the whole attempt takes half a minute.
    const apart = { ...network, privateNetworks: false, signal: AbortSignal.timeout(3000) };
    expect(await failure(joinRoom(link, { ...ownWorld(), ...apart }))).toBe('stopped');
  });

  test('[B2.1] [B2.3] has the rate of its world, and refuses worlds of another rate with a sentence', async () => {
    const network = await broker();
    const host = ticking(await openRoom({ ...ownWorld(3, 90), ...network }));
    const link = host.link('https://example.org/');
    const refused = { why: 'other rate', message: SENTENCES['other rate'] };
    await expect(joinRoom(link, { ...ownWorld(), ...network })).rejects.toMatchObject(refused);
    const guest = ticking(await joinRoom(link, { ...ownWorld(3, 90), ...network }));
    expect([host.level.rate, guest.level.rate]).toEqual([90, 90]);
    guest.peer.act({ kind: 'impulse', body: toBody(1), push: { x: 0.1, y: 0.5, z: 0 }, at: null });
    await until(() => heightOf(host, 1) > 0.4, 'the host sees the kick');
    const isAtRest = (room: Room): boolean =>
      inspect(room.peer).bodies.every(({ resting, authority }) => resting && authority === null);
    await until(() => isAtRest(host) && isAtRest(guest), 'all rests');
    expect(bodiesOf(guest)).toEqual(bodiesOf(host));
  });

  test('goes on under the guest when the host leaves, and gives the host its world back', async () => {
    const network = await broker();
    const own = ownWorld();
    const host = ticking(await openRoom({ ...own, ...network }));
    const guest = ticking(await joinRoom(host.link('https://example.org/'), { ...ownWorld(), ...network }));
    const { peer } = guest;
    await until(() => host.players.length === 2, 'the host knows both');
    host.dispose();
    expect([host.status, host.error]).toEqual(['left', null]);
    expect(own.bodies.every((body) => body.isDynamic())).toBe(true);
    own.world.step();
    await until(() => guest.hosting !== null, 'the guest is the host');
    expect([guest.status, guest.peer]).toEqual(['here', peer]);
  });

  test('[V1.3] shares what its schema declares, and lets nobody in who shares something else', async () => {
    const network = await broker();
    const schema = sharedSchema({ players: { host: { score: field.number({ from: 0, to: 9 }) } } });
    const host = ticking(await openRoom({ ...ownWorld(), ...network, schema }));
    host.peer.shared(schema).players.set(toSlot(0), 'score', 7);
    const link = host.link('https://example.org/');
    const guest = ticking(await joinRoom(link, { ...ownWorld(), ...network, schema }));
    expect(guest.peer.shared(schema).players.get(toSlot(0), 'score')).toBe(7);
    expect(await failure(joinRoom(link, { ...ownWorld(), ...network }))).toBe('other schema');
  });

  test('is over for a guest that the host removes, and says so', async () => {
    const network = await broker();
    const host = ticking(await openRoom({ ...ownWorld(), ...network }));
    const guest = ticking(await joinRoom(host.link('https://example.org/'), { ...ownWorld(), ...network }));
    await until(() => host.players.length === 2, 'the host knows both');
    host.hosting?.remove(guest.slot);
    await until(() => guest.status === 'over', 'the guest knows');
    expect(guest.error).toMatchObject({ why: 'removed', message: 'The host removed you from the room.' });
    // Its last picture can still be drawn, and a tick does nothing.
    guest.tick();
    expect(guest.view().exists[0]).toBe(1);
  });

  test('says in one sentence why it can’t be entered', async () => {
    const network = await broker();
    expect(await failure(joinRoom('no link', { ...ownWorld(), ...network }))).toBe('bad link');
    expect(await failure(joinRoom('KQXMT', ownWorld())), 'no broker is known').toBe('no server');
    expect(await failure(joinRoom('data:,?room=KQXMT', ownWorld()))).toBe('no server');
    const wrong = [
      { broker: 'localhost:9000' },
      { stun: ['stun.example.org:19302'] },
      { address: 'rubbish' },
    ];
    for (const settings of wrong) {
      const joining = joinRoom('KQXMT', { ...ownWorld(), broker: 'ws://127.0.0.1:9/', ...settings });
      await expect(joining, JSON.stringify(settings)).rejects.toThrow(RangeError);
    }
    const host = ticking(await openRoom({ ...ownWorld(), ...network, capacity: 1 }));
    const link = host.link('https://example.org/');
    expect(await failure(joinRoom(link, { ...ownWorld(), ...network }))).toBe('room full');
    host.hosting?.setCapacity(2);
    expect(await failure(joinRoom(link, { ...ownWorld(2), ...network }))).toBe('other level');
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 100);
    expect(await failure(joinRoom('AAAAA', { ...ownWorld(), ...network, signal: stopping.signal }))).toBe(
      'stopped',
    );
    const slot = toSlot(31);
    await expect(openRoom({ ...ownWorld(), ...network, slot })).rejects.toThrow('`slot` is 0 to 7');
    await expect(joinRoom(link, { ...ownWorld(), ...network, slot })).rejects.toThrow(RangeError);
    const nobody = { ...network, broker: 'ws://127.0.0.1:9/' };
    const failed = await openRoom({ ...ownWorld(), ...nobody }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ why: 'no broker' });
  });

  test('has a world that is in no other room, and gives it back', async () => {
    const network = await broker();
    const own = ownWorld();
    const first = await openRoom({ ...own, ...network });
    const again = openRoom({ ...own, ...network });
    await expect(again).rejects.toThrow(
      'This `world` is in a room already. Call `dispose` of that room first.',
    );
    first.dispose();
    // It fell a little: a level begins at rest.
    for (const body of own.bodies) body.setLinvel({ x: 0, y: 0, z: 0 }, false);
    ticking(await openRoom({ ...own, ...network }));
  });

  test('says within seconds which broker does not answer', async () => {
    const began = performance.now();
    const joining = joinRoom('KQXMT', { ...ownWorld(), broker: 'ws://127.0.0.1:9/' });
    await expect(joining).rejects.toMatchObject({
      why: 'no broker',
      message: 'The server that brings players together doesn’t answer: ws://127.0.0.1:9/',
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('has a level as data, too', async () => {
    const network = await broker();
    const { gameLevels } = await import('../../src/levels/levels.ts');
    const played = { engine: RAPIER, levels: gameLevels };
    await expect(openRoom({ ...played, ...network })).rejects.toThrow('`start` is missing');
    const host = ticking(await openRoom({ ...played, ...network, start: { id: 'tower', seed: 1 } }));
    expect([host.level.id, host.bodyOf(toBody(0))]).toEqual(['tower', null]);
    const [level] = [host.level];
    expect(await failure(joinRoom(host.code, { engine: RAPIER, level, ...network }))).toBe('other level');
  });
});
