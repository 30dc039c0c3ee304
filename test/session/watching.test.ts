import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_PACKET_BYTES } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { Random } from '../../src/core/base/random.ts';
import { PROTOCOL_VERSION } from '../../src/core/room/messages.ts';
import { referTo } from '../../src/core/world/level-reference.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { BundleWriter, readBundle } from '../../src/session/watching/bundles.ts';
import type { StreamPart } from '../../src/session/watching/room-stream.ts';
import { RoomStream } from '../../src/session/watching/room-stream.ts';
import { readWatchMessage, writeBegin, writeWatchers } from '../../src/session/watching/watch-messages.ts';
import { Watching } from '../../src/session/watching/watching.ts';
import { World } from '../../src/session/world.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { createLoopback } from '../../src/transport/loopback.ts';

const GAME = { levels: gameLevels, simulate: createRapierSimulation };
const HOST = 31 as Slot;
const TICK_MS = 1000 / 60;
const WALL = { id: 'wall', seed: 1 };

beforeAll(() => loadPhysics());

describe('bundles', () => {
  test('bring packets of any length, in order', () => {
    const lengths = [1, 255, 256, MAX_PACKET_BYTES, 7, ...Array<number>(8).fill(MAX_PACKET_BYTES)];
    const packets = lengths.map((length, i) => new Uint8Array(length).fill(i + 1));
    const writer = new BundleWriter();
    expect(writer.isEmpty).toBe(true);
    for (const packet of packets) writer.add(packet);
    const read: Uint8Array[] = [];
    expect(readBundle(writer.take(2 ** 32 + 7.5), (packet) => read.push(packet))).toBe(7);
    expect(read).toEqual(packets);
    expect([writer.isEmpty, writer.take(0).length]).toEqual([true, 4]);
  });

  test('that make no sense are read as far as they do', () => {
    const read = (...bytes: number[]): unknown => {
      const lengths: number[] = [];
      return [readBundle(Uint8Array.from(bytes), ({ length }) => lengths.push(length)), lengths];
    };
    const time = [0, 0, 1, 2];
    expect(read(...time)).toEqual([258, []]);
    expect(read(...time, 0, 2, 9, 9)).toEqual([258, [2]]);
    for (const bytes of [
      [],
      [0, 0, 1],
      [...time, 0, 2, 9],
      [...time, 255, 255, ...Array<number>(2000).fill(1)],
    ])
      expect(read(...bytes)).toEqual([null, []]);
    expect(read(...time, 0, 2, 9, 9, 0)).toEqual([null, [2]]);
    expect(read(...time, 0, 2, 9, 9, 0, 0)).toEqual([null, [2]]);
  });
});

describe('texts to watchers', () => {
  test('come out as they went in', () => {
    const level = referTo(WALL, gameLevels(WALL)!);
    expect(readWatchMessage(writeBegin({ host: HOST, level }))).toEqual({
      kind: 'begin',
      version: PROTOCOL_VERSION,
      host: HOST,
      level,
    });
    expect(readWatchMessage(writeWatchers(12))).toEqual({ kind: 'watchers', count: 12 });
  });

  test.each([
    '',
    'null',
    '[]',
    '{"kind":"begin"}',
    '{"kind":"begin","version":17,"host":32,"level":{"id":"wall","seed":1,"hash":"00000000000000000000"}}',
    '{"kind":"begin","version":-1,"host":31,"level":{"id":"wall","seed":1,"hash":"00000000000000000000"}}',
    '{"kind":"begin","version":17,"host":31,"level":{"id":"wall","seed":1}}',
    '{"kind":"watchers","count":-1}',
    '{"kind":"watchers","count":1e9}',
    '{"kind":"bundle"}',
  ])('that make no sense are refused: %s', (text) => {
    expect(readWatchMessage(text)).toBeNull();
  });
});

/** A host alone in a level, and its stream. */
function host(recipe = WALL) {
  const { transports } = createLoopback({ seed: 1, slots: 32 });
  const world = new World(GAME, recipe, { slot: HOST, host: HOST, name: '' }, transports[HOST], {
    avatar: false,
  });
  const parts: StreamPart[] = [];
  const stream = new RoomStream((part) => parts.push(part));
  let now = 0;
  const input = playerInput();
  onTestFinished(() => world.dispose());
  return {
    world,
    /** @returns the parts of these ticks. @param stallMs for which the host does nothing before. */
    pass(ticks: number, wantsKeyframe = false, stallMs = 0): StreamPart[] {
      parts.length = 0;
      now += stallMs;
      for (let i = 0; i < ticks; i++) {
        world.receive((now += TICK_MS));
        world.tick(now, input);
        stream.tick(now, world, wantsKeyframe);
      }
      return [...parts];
    },
  };
}

function watching(): Watching {
  const made = new Watching(GAME);
  onTestFinished(() => made.dispose());
  return made;
}

const isKeyframe = (part: StreamPart): boolean => part.kind === 'bundle' && part.isKeyframe;
const messageOf = (part: StreamPart): string | Uint8Array => (part.kind === 'begin' ? part.text : part.bytes);

describe('a watcher', () => {
  test('[N5.2] [N5.4] gets a text, then a keyframe, then ten bundles a second; and sees the host’s world', () => {
    const room = host();
    const parts = room.pass(60);
    expect(parts.slice(0, 2).map((part) => part.kind)).toEqual(['begin', 'bundle']);
    expect(parts.flatMap((part) => (part.kind === 'bundle' ? [part.isKeyframe] : []))).toEqual([
      true,
      ...Array<boolean>(9).fill(false),
    ]);
    const eve = watching();
    for (const part of parts) eve.receive(messageOf(part));
    for (let tick = 1; tick <= 30; tick++) eve.tick(1000 + tick * TICK_MS);
    expect(eve.world?.peer.hasWorld).toBe(true);
    expect([eve.fault, eve.rejected, eve.status]).toEqual([null, 0, 'along']);
  });

  test('[N5.4] begins anew with the room’s next level, which a hostile server cannot ask for all the time', () => {
    const eve = watching();
    const begun: (string | undefined)[] = [];
    for (let tick = 0; tick < 180; tick++) {
      const room = tick % 2 === 0 ? WALL : { id: 'tower', seed: 1 };
      eve.receive(writeBegin({ host: HOST, level: referTo(room, gameLevels(room)!) }));
      const before = eve.world;
      eve.tick(tick * TICK_MS);
      if (eve.world !== before) begun.push(eve.world?.choice.id);
    }
    expect(begun).toHaveLength(3);
  });

  /** A watcher that gets each part so many ticks after the one before. */
  function see(seen: readonly StreamPart[], ticks = 6): Watching {
    const eve = watching();
    for (const [i, part] of seen.entries()) {
      eve.receive(messageOf(part));
      for (let tick = 0; tick < ticks; tick++) eve.tick((i * ticks + tick) * TICK_MS);
    }
    return eve;
  }

  test('[N5.5] connects anew if it lacks a packet, and asks for that once', () => {
    const room = host();
    const parts = room.pass(600);
    expect(see(parts).status).toBe('along');
    const eve = see(parts.filter((_, i) => i !== 5));
    expect(eve.status).toBe('behind');
    const { world } = eve;
    eve.restart();
    for (let tick = 0; tick < 60; tick++) eve.tick(20_000 + tick * TICK_MS);
    expect([eve.status, eve.world], 'the picture stays until the next world begins').toEqual([
      'waiting',
      world,
    ]);
    for (const part of host().pass(60)) eve.receive(messageOf(part));
    for (let tick = 0; tick < 30; tick++) eve.tick(22_000 + tick * TICK_MS);
    expect(eve.status).toBe('along');
    expect(eve.world).not.toBe(world);
  });

  test('[N5.5] and if it is too far behind, hears nothing, or sleeps; not because its host has stalled', () => {
    const room = host();
    const parts = room.pass(600);
    expect(see(parts.slice(0, 20), 18).status, 'less than four seconds behind').toBe('along');
    expect(see(parts.slice(0, 40), 18).status, 'more than that').toBe('behind');
    const silent = see(parts);
    const nowMs = parts.length * 6 * TICK_MS;
    silent.tick(nowMs + 3500);
    expect(silent.status).toBe('along');
    silent.tick(nowMs + 4500);
    expect(silent.status, 'silence').toBe('behind');
    const early = watching();
    early.receive(messageOf(parts[0]));
    early.tick(0);
    early.tick(4500);
    expect(early.status, 'no bundle at all').toBe('behind');
    const asleep = watching();
    for (const part of [...parts, ...room.pass(60)]) asleep.receive(messageOf(part));
    asleep.tick(0);
    expect(asleep.status, 'asleep').toBe('behind');
    // Ticks that the host skips are not late.
    const stalls = Array.from({ length: 20 }, () => room.pass(30, true, 300)).flat();
    const eve = see([parts[0], ...stalls.slice(stalls.findIndex(isKeyframe))], 9);
    expect(eve.status).toBe('along');
  });

  test('[N5.4] says why it can’t see a room of another version, or of a level that it does not have', () => {
    const level = referTo(WALL, gameLevels(WALL)!);
    const faultOf = (text: string): unknown => {
      const eve = watching();
      eve.receive(text);
      eve.tick(0);
      return [eve.fault, eve.world];
    };
    const text = writeBegin({ host: HOST, level });
    expect(faultOf(text.replace(`"version":${PROTOCOL_VERSION}`, '"version":15'))).toEqual(['version', null]);
    expect(faultOf(text.replace('wall', 'wool'))).toEqual(['other level', null]);
    expect(faultOf(text.replace(level.hash, '0'.repeat(20)))).toEqual(['other level', null]);
  });

  test('[F1] never throws on any bytes, and counts them', () => {
    const error = vi.spyOn(console, 'error');
    const eve = watching();
    const room = host();
    for (const part of room.pass(60)) eve.receive(messageOf(part));
    const random = new Random(7);
    for (let tick = 0; tick < 600; tick++) {
      const bytes = Uint8Array.from({ length: random.below(400) }, () => random.below(256));
      if (random.chance(0.5)) eve.receive(String.fromCharCode(...bytes));
      else {
        bytes[4] = 0;
        bytes[5] = Math.min(255, Math.max(1, bytes.length - 6));
        eve.receive(bytes);
      }
      eve.tick(tick * TICK_MS);
    }
    expect(eve.rejected).toBeGreaterThan(100);
    expect(Object.keys(eve.world?.peer.diagnostics.rejections ?? {}).length).toBeGreaterThan(0);
    expect(error).not.toHaveBeenCalled();
  });
});
