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
    expect(readBundle(writer.take(), (packet) => read.push(packet))).toBe(true);
    expect(read).toEqual(packets);
    expect([writer.isEmpty, writer.take().length]).toEqual([true, 0]);
  });

  test('that make no sense are read as far as they do', () => {
    const read = (...bytes: number[]): unknown => {
      const lengths: number[] = [];
      return [readBundle(Uint8Array.from(bytes), ({ length }) => lengths.push(length)), lengths];
    };
    expect(read()).toEqual([true, []]);
    expect(read(0, 2, 9, 9, 0)).toEqual([false, [2]]);
    expect(read(0, 2, 9, 9, 0, 0)).toEqual([false, [2]]);
    expect(read(0, 2, 9)).toEqual([false, []]);
    expect(read(255, 255, ...Array<number>(2000).fill(1))).toEqual([false, []]);
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
    '{"kind":"begin","version":16,"host":32,"level":{"id":"wall","seed":1,"hash":"00000000000000000000"}}',
    '{"kind":"begin","version":-1,"host":31,"level":{"id":"wall","seed":1,"hash":"00000000000000000000"}}',
    '{"kind":"begin","version":16,"host":31,"level":{"id":"wall","seed":1}}',
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
    /** @returns the parts of these ticks. */
    pass(ticks: number, wantsKeyframe = false): StreamPart[] {
      parts.length = 0;
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
    expect([eve.fault, eve.rejected, eve.isBehind]).toEqual([null, 0, false]);
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

  test('[N5.5] connects anew if it lacks a packet, or sleeps, or is too far behind', () => {
    const room = host();
    const parts = room.pass(600);
    const see = (seen: readonly StreamPart[], everyTicks = 6): Watching => {
      const eve = watching();
      for (const [i, part] of seen.entries()) {
        eve.receive(messageOf(part));
        for (let tick = 0; tick < everyTicks; tick++) eve.tick((i * everyTicks + tick) * TICK_MS);
      }
      return eve;
    };
    expect(see(parts).isBehind).toBe(false);
    expect(see(parts.filter((_, i) => i !== 5)).isBehind, 'a gap').toBe(true);
    expect(see(parts.slice(0, 20), 18).isBehind, 'three seconds behind').toBe(false);
    expect(see(parts.slice(0, 40), 18).isBehind, 'six seconds behind').toBe(true);
    const asleep = watching();
    for (const part of parts) asleep.receive(messageOf(part));
    for (let i = 0; i < 10; i++) asleep.receive(new Uint8Array(3));
    expect(asleep.isBehind, 'asleep').toBe(true);
    asleep.restart();
    expect(asleep.isBehind).toBe(false);
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
        bytes[0] = 0;
        bytes[1] = Math.min(255, Math.max(1, bytes.length - 2));
        eve.receive(bytes);
      }
      eve.tick(tick * TICK_MS);
    }
    expect(eve.rejected).toBeGreaterThan(100);
    expect(Object.keys(eve.world?.peer.diagnostics.rejections ?? {}).length).toBeGreaterThan(0);
    expect(error).not.toHaveBeenCalled();
  });
});
