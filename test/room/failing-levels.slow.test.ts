import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Level } from '../../src/core/world/level.ts';
import type { LevelSource } from '../../src/core/world/level-reference.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import { joinRoom, openRoom, startTicker } from '../../src/room/node.ts';
import type { Room } from '../../src/room/room.ts';
import { startBroker } from '../server/broker/broker-client.ts';

const TOWER = { id: 'tower', seed: 1 };
const PILE = { id: 'pile', seed: 1 };

/** The levels of the game, and what is made of them, or of the tower, for some ids. */
function levelsBut(others: Readonly<Record<string, (level: Level) => Level>>): LevelSource {
  return (recipe) => {
    const change = others[recipe.id];
    const level = gameLevels(recipe) ?? (change === undefined ? null : gameLevels(TOWER));
    return level === null || change === undefined ? level : change(level);
  };
}

async function network(): Promise<{ broker: string; address: string }> {
  const { url } = await startBroker();
  return { broker: `${url.replace('http', 'ws')}broker`, address: '127.0.0.1' };
}

/** A room that ticks until the test ends, and the errors of its ticks. */
function ticking(room: Room): { readonly room: Room; readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const tick = (): void => {
    try {
      room.tick();
    } catch (error) {
      errors.push(error);
    }
  };
  const stop = startTicker({ rate: room.level.rate, tick });
  onTestFinished(() => {
    stop();
    room.dispose();
  });
  return { room, errors };
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: 30_000, message: what }).toBe(true);
}

describe('a room whose levels fail', () => {
  beforeAll(() => RAPIER.init());

  test('plays on in its old world if the host chooses a level that can’t be made', async () => {
    const levels = levelsBut({
      heavy: (level) => ({ ...level, gravity: 1e6 }),
      formless: ({ joints: _, ...others }) => others as Level,
      broken: () => {
        throw new Error('The file is not there.');
      },
    });
    const played = { engine: RAPIER, levels, ...(await network()) };
    const formless = openRoom({ ...played, start: { id: 'formless', seed: 1 } });
    await expect(formless).rejects.toThrow(new RangeError('joints is no list.'));
    const host = ticking(await openRoom({ ...played, start: TOWER }));
    const guest = ticking(await joinRoom(host.room.code, played));
    const { peer } = host.room;
    const { hosting } = host.room;
    for (const [id, fault] of [
      ['unknown', 'no level "unknown"'],
      ['heavy', 'The gravity is 1000000'],
      ['formless', 'joints is no list.'],
      ['broken', 'The file is not there.'],
    ])
      expect(() => hosting?.setScene({ id, seed: 1 }), id).toThrow(fault);
    expect(host.room.peer).toBe(peer);
    const { tick } = peer.diagnostics;
    await until(() => peer.diagnostics.tick > tick + 30, 'the host plays on');
    expect([host.errors, guest.errors, host.room.status, guest.room.status]).toEqual([
      [],
      [],
      'here',
      'here',
    ]);
    hosting?.setScene(PILE);
    await until(() => host.room.level.id === 'pile' && guest.room.level.id === 'pile', 'all are in the pile');
    expect(() => peer.reset(), 'the old world is freed').toThrow('disposed');
  });

  test('is over for a guest whose own levels throw, and the error has the cause', async () => {
    const fault = new Error('The file is not there.');
    const broken = (): never => {
      throw fault;
    };
    const engine = { engine: RAPIER, ...(await network()) };
    const host = ticking(await openRoom({ ...engine, levels: gameLevels, start: TOWER }));
    const other = { why: 'other level', cause: fault };
    const newcomer = joinRoom(host.room.code, { ...engine, levels: levelsBut({ tower: broken }) });
    await expect(newcomer).rejects.toMatchObject(other);
    const guests = [];
    // The first one finds out when it looks for the level, the second one when it makes its world.
    for (const good of [0, 1]) {
      let asked = 0;
      const levels = levelsBut({ pile: (level) => (asked++ < good ? level : broken()) });
      guests.push(ticking(await joinRoom(host.room.code, { ...engine, levels })));
    }
    host.room.hosting?.setScene(PILE);
    for (const { room, errors } of guests) {
      await until(() => room.status === 'over', 'the room is over');
      expect(room.error).toMatchObject(other);
      expect([errors, room.level.id]).toEqual([[], 'tower']);
    }
    const isAlone = (): boolean =>
      host.room.players.filter(({ presence }) => presence === 'here').length === 1;
    await until(isAlone, 'the host knows that they left');
    expect([host.errors, host.room.status]).toEqual([[], 'here']);
  });
});
