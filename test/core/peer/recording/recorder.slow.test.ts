import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectionId, Slot } from '../../../../src/core/base/ids.ts';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { Random } from '../../../../src/core/base/random.ts';
import type { Inspection } from '../../../../src/core/peer/diagnostics/inspect.ts';
import { inspect } from '../../../../src/core/peer/diagnostics/inspect.ts';
import type { Peer } from '../../../../src/core/peer/peer.ts';
import { Playback } from '../../../../src/core/peer/recording/playback.ts';
import { EVENTS, LATE_SLOT, Recorder, SLOT_STEP } from '../../../../src/core/peer/recording/recorder.ts';
import type { Recording } from '../../../../src/core/peer/recording/recording.ts';
import { EventReader, readRecording } from '../../../../src/core/peer/recording/recording.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { unwrapFile, wrapFile } from '../../../../src/core/wire/files/file.ts';
import type { LevelReference, LevelSource } from '../../../../src/core/world/level-reference.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { drawAction } from '../../../../src/harness/chaos/draw-action.ts';
import { withGoingJoints } from '../../../../src/harness/going-joints.ts';
import type { HarnessOptions } from '../../../../src/harness/room.ts';
import { RoomHarness } from '../../../../src/harness/room.ts';
import { chooseLevel, createLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { ByteWriter } from '../../../../src/core/wire/files/bytes.ts';
import { codeReference } from '../../../../src/core/wire/files/saved-world.ts';

const TOWER: LevelReference = chooseLevel({ id: 'tower', seed: 5 });
/** Few cubes, so that a minute of two peers, twice, is no long test. */
const FEW: LevelReference = chooseLevel({ id: 'grid', seed: 5, count: 12 });
/** Milliseconds that it may take on a busy machine. */
const PATIENCE = 120_000;
const [HOST, GUEST, OTHER] = [0, 1, 2] as Slot[];
const AWFUL = { latencyMs: 60, jitterMs: 60, loss: 0.1, duplicate: 0.02 };

/** The start of a recording: a moment, and the beginnings of a host and a guest. */
const VERSION = [PROTOCOL_VERSION, 0];
const MOMENT = [EVENTS.time, 0, 0, 0, 0, 0, 0, 0, 0];
const BEGUN = [EVENTS.begin, 0, 0, 1, ...bytesOf(TOWER)];
const GUEST_BEGUN = [EVENTS.begin + SLOT_STEP, 0, 0, 1, ...bytesOf(TOWER)];
/** As a number of eight bytes. */
const ONE_HALF = [0, 0, 0, 0, 0, 0, 0xe0, 0x3f];

beforeAll(loadPhysics);

/** A reference to a level as files have it. */
function bytesOf(level: LevelReference): readonly number[] {
  const writer = new ByteWriter();
  codeReference(writer, level);
  return [...writer.finish()];
}

function roomOf(options: Partial<HarnessOptions> & { readonly recorder: Recorder }): RoomHarness {
  const usual = {
    players: 2,
    scene: TOWER,
    bots: 'chaos',
    seed: 3,
    conditions: AWFUL,
    quietFrom: Infinity,
  } as const;
  const room = new RoomHarness({ ...usual, ...options }, createRapierSimulation);
  onTestFinished(() => room.dispose());
  return room;
}

/** [J4] The game's levels with joints that can go. */
const withJoints: LevelSource = (recipe) => withGoingJoints(createLevel(recipe));

function run(room: RoomHarness, seconds: number): void {
  for (let step = seconds * TICK_RATE; step > 0; step--) room.step();
}

function opened(file: Uint8Array): Recording {
  const recording = readRecording(file, gameLevels);
  if (typeof recording === 'string') throw new Error(recording);
  return recording;
}

function playbackOf(file: Uint8Array): Playback {
  const playback = new Playback(opened(file), createRapierSimulation);
  onTestFinished(() => playback.dispose());
  return playback;
}

/** All that a peer knows and its engine has: floating-point numbers as they are. */
function stateOf(peer: Peer | undefined): unknown {
  if (peer === undefined) throw new Error('no such peer');
  const { bodies } = peer.state;
  const known: Inspection = inspect(peer);
  return structuredClone({
    known,
    motion: bodies.motion,
    state: bodies.records.state,
    shown: bodies.drawn.poses,
  });
}

function peerIn(playback: Playback, slot: Slot): Peer | undefined {
  return playback.played.get(slot)?.peer;
}

describe('a recording', () => {
  test(
    'of a minute of fast play over a bad network replays to the same, on host and guest, bit for bit',
    { timeout: PATIENCE },
    () => {
      const recorder = new Recorder();
      const room = roomOf({ recorder, scene: FEW });
      run(room, 30);
      const halfway = room.peers.map(stateOf);
      run(room, 30);
      const file = recorder.finish();
      console.log(`a minute of two peers takes ${(file.length / 1e6).toFixed(1)} MB`);
      const { seconds } = opened(file);
      expect(seconds[seconds.length - 1]).toBeCloseTo(60, 1);
      const playback = playbackOf(file);
      while (playback.steps < seconds.length / 2) playback.step();
      expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual(halfway);
      while (playback.step());
      expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual(room.peers.map(stateOf));
      expect(playback.partedAt).toBeNull();
      const { rejected, bodies } = inspect(room.peers[HOST]);
      expect(rejected, 'something was refused').not.toEqual({});
      expect(
        bodies.some(({ ownershipSequence }) => ownershipSequence > 2),
        'much was grabbed',
      ).toBe(true);
    },
  );

  test('[A13.3] has what was done without hands, and replays to the same, bit for bit', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder, scene: FEW });
    const random = new Random(11);
    for (let i = 0; i < 40; i++) {
      run(room, 0.2);
      for (const peer of room.peers) peer.act(drawAction(random, 6));
    }
    const acts = room.peers.map(({ diagnostics }) => diagnostics.events.counts.take);
    expect(Math.min(...acts)).toBeGreaterThan(0);
    const playback = playbackOf(recorder.finish());
    while (playback.step());
    expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual(room.peers.map(stateOf));
    expect(playback.partedAt).toBeNull();
  });

  test('[J4.2] has the joints that went and were mended, and replays to the same, bit for bit', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder, scene: FEW, levels: withJoints });
    const random = new Random(12);
    for (let i = 0; i < 30; i++) {
      run(room, 0.2);
      for (const { joints } of room.peers) {
        const joint = random.below(room.level.joints.length);
        if (joints.has(joint)) joints.remove(joint);
        else joints.mend(joint);
      }
    }
    expect(room.peers[GUEST].diagnostics.events.counts.untie).toBeGreaterThan(2);
    const recording = readRecording(recorder.finish(), withJoints);
    if (typeof recording === 'string') throw new Error(recording);
    const playback = new Playback(recording, createRapierSimulation);
    onTestFinished(() => playback.dispose());
    while (playback.step());
    expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual(room.peers.map(stateOf));
    expect(playback.partedAt).toBeNull();
  });

  test('goes through a reset, a world that was saved, a guest that leaves and one that comes', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder });
    const [host, guest] = room.peers;
    run(room, 2);
    const saved = host.saveWorld(TOWER, 1000);
    host.reset();
    run(room, 1);
    host.disconnect(GUEST);
    run(room, 1);
    host.reset(saved);
    host.connect(GUEST, 2 as ConnectionId);
    guest.connect(HOST, 2 as ConnectionId);
    run(room, 2);
    const playback = playbackOf(recorder.finish());
    while (playback.step());
    expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual(room.peers.map(stateOf));
    expect(playback.partedAt).toBeNull();
  });

  test('[F4.2] goes through a change of hosts, on the new host and on a guest that follows it', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder, players: 3 });
    const [host, next, other] = room.peers;
    run(room, 2);
    const { term } = next.state;
    next.becomeHost(term + 1, [OTHER]);
    other.follow(GUEST, 2 as ConnectionId);
    next.connect(OTHER, 2 as ConnectionId);
    room.loopback.disconnect(HOST, OTHER);
    room.loopback.connect(GUEST, OTHER);
    host.disconnect(GUEST);
    run(room, 2);
    expect(other.state.term).toBe(term + 1);
    const playback = playbackOf(recorder.finish());
    while (playback.step());
    expect([GUEST, OTHER].map((slot) => stateOf(peerIn(playback, slot)))).toEqual([next, other].map(stateOf));
    expect(playback.partedAt).toBeNull();
  });

  test('[F4.35] goes through a host that gives the room away, follows, and is given it back', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder });
    const [host, guest] = room.peers;
    run(room, 2);
    guest.becomeHost(1, [HOST]);
    guest.connect(HOST, 2 as ConnectionId);
    host.follow(GUEST, 2 as ConnectionId);
    run(room, 2);
    expect([host.isHost, host.hasWorld, host.state.term]).toEqual([false, true, 1]);
    host.becomeHost(2, [GUEST]);
    host.connect(GUEST, 3 as ConnectionId);
    guest.follow(HOST, 3 as ConnectionId);
    run(room, 2);
    expect([guest.isHost, guest.hasWorld, guest.state.term]).toEqual([false, true, 2]);
    const playback = playbackOf(recorder.finish());
    while (playback.step());
    expect([HOST, GUEST].map((slot) => stateOf(peerIn(playback, slot)))).toEqual([host, guest].map(stateOf));
    expect(playback.partedAt).toBeNull();
  });

  test('that is told otherwise parts from what was recorded, which is noticed', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder, bots: 'idle', conditions: {} });
    run(room, 1);
    const file = recorder.finish();
    const content = Uint8Array.from(unwrapFile('recording', file) as Uint8Array);
    const packets = sentOf(content);
    const late = packets[packets.length - 3];
    content[late.byteOffset - content.byteOffset + 3] ^= 1;
    const playback = playbackOf(wrapFile('recording', content));
    while (playback.step());
    expect(playback.partedAt).toBeGreaterThan(50);
    expect(playback.partedAt).toBeLessThan(60);
  });

  test('that is full ends with a whole moment, and takes no more', () => {
    const recorder = new Recorder(100_000);
    const room = roomOf({ recorder });
    while (!recorder.isFull) room.step();
    const { seconds } = recorder;
    run(room, 1);
    expect(recorder.seconds).toBe(seconds);
    const file = recorder.finish();
    expect(file.length).toBeGreaterThan(90_000);
    expect(file.length).toBeLessThan(110_000);
    const playback = playbackOf(file);
    while (playback.step());
    expect(playback.partedAt).toBeNull();
    expect(playback.steps).toBeGreaterThan(60);
  });

  test('keeps of a packet that is none as much as it takes to refuse it again', () => {
    const recorder = new Recorder();
    const room = roomOf({ recorder, bots: 'idle', conditions: {} });
    run(room, 1);
    room.peers[HOST].receive(room.now, GUEST, new Uint8Array(70_000));
    const playback = playbackOf(recorder.finish());
    while (playback.step());
    expect(stateOf(peerIn(playback, HOST))).toEqual(stateOf(room.peers[HOST]));
  });
});

/** The packets that were sent in a recording's content. */
function sentOf(content: Uint8Array): Uint8Array[] {
  const reader = new EventReader(content, gameLevels);
  const packets: Uint8Array[] = [];
  for (let event = reader.next(); event !== null; event = reader.next()) {
    if (event.kind === 'sent') packets.push(event.bytes);
  }
  return packets;
}

describe('[W6.1] a file that is no recording', () => {
  let file: Uint8Array;

  beforeAll(() => {
    const recorder = new Recorder();
    const room = new RoomHarness(
      { players: 2, scene: TOWER, bots: 'stack', seed: 1, conditions: {}, quietFrom: Infinity, recorder },
      createRapierSimulation,
    );
    run(room, 1);
    room.peers[HOST].reset(room.peers[HOST].saveWorld(TOWER, 1000));
    run(room, 1);
    room.dispose();
    file = recorder.finish();
  });

  test('is refused with its reason', () => {
    expect(readRecording(new Uint8Array(0), gameLevels)).toBe('foreign');
    expect(readRecording(file.subarray(0, file.length - 1), gameLevels)).toBe('damaged');
    expect(readRecording(wrapFile('world', new Uint8Array(9)), gameLevels)).toBe('other kind');
    const content = Uint8Array.from(unwrapFile('recording', file) as Uint8Array);
    expect(readRecording(wrapFile('recording', content.subarray(0, content.length - 1)), gameLevels)).toBe(
      'damaged',
    );
    expect(readRecording(wrapFile('recording', content.subarray(0, 2)), gameLevels), 'without a moment').toBe(
      'damaged',
    );
    content[0]++;
    expect(readRecording(wrapFile('recording', content), gameLevels)).toBe('other version');
  });

  test('whatever its bytes are, with the right check sum: it is refused, or it replays, and nothing throws', () => {
    const content = unwrapFile('recording', file) as Uint8Array;
    const random = new Random(4);
    let refused = 0;
    for (let i = 0; i < 300; i++) {
      const damaged = Uint8Array.from(content);
      for (let n = random.below(4); n >= 0; n--)
        damaged[2 + random.below(damaged.length - 2)] = random.below(256);
      if (typeof readRecording(wrapFile('recording', damaged), gameLevels) === 'string') refused++;
    }
    expect(refused).toBeGreaterThan(30);
    expect(refused).toBeLessThan(300);
  });

  test.each([
    ['a peer that has not begun', [EVENTS.reset, 0]],
    ['an event that there is not', [15]],
    ['a slot that there is not', [EVENTS.begin + SLOT_STEP * LATE_SLOT, 32, ...BEGUN.slice(1)]],
    ['an early slot in a byte of its own', [EVENTS.begin + SLOT_STEP * LATE_SLOT, 14, ...BEGUN.slice(1)]],
    ['an avatar that is neither there nor not', BEGUN.with(3, 2)],
    ['a moment that is no number', [EVENTS.time, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f]],
    ['a scene that there is not', [EVENTS.begin, 0, 0, 1, 9, 1, 0, 0, 0, 0, 0]],
    [
      'a packet that is too long',
      [...BEGUN, EVENTS.receive, 1, 0xff, 0xff, ...Array<number>(0xffff).fill(0)],
    ],
    ['a line to itself', [...BEGUN, EVENTS.connect, 0, 1, 0, 0, 0]],
    ['a rate of 0', [...BEGUN, EVENTS.poll, 0]],
    ['a hand that is half there', [...BEGUN, EVENTS.tick, 0, 0, 0b10, ...ONE_HALF]],
    ['a guest that resets', [...GUEST_BEGUN, EVENTS.reset + SLOT_STEP, 0]],
  ])('is refused: %s', (_, events) => {
    const content = Uint8Array.from([...VERSION, ...MOMENT, ...events]);
    expect(readRecording(wrapFile('recording', content), gameLevels)).toBe('damaged');
  });
});
