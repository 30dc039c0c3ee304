import type { Slot } from '../../src/core/base/ids.ts';
import { MAX_PACKET_BYTES } from '../../src/core/base/constants.ts';
import { Random } from '../../src/core/base/random.ts';
import { Recorder } from '../../src/core/peer/recording/recorder.ts';
import { saveWorld } from '../../src/core/peer/bodies/reset.ts';
import type { FileKind } from '../../src/core/wire/files/file.ts';
import { unwrapFile, wrapFile } from '../../src/core/wire/files/file.ts';
import { writeWorldFile } from '../../src/core/wire/files/saved-world.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { mutatedBytes } from './bytes.ts';
import type { Corpus, FileSample, PacketSample } from './corpus.ts';
import { outcomeOf, playPackets } from './corpus.ts';
import type { Place } from './coverage.ts';
import { Coverage } from './coverage.ts';
import type { HandMadeFile } from './hand-made/files.ts';
import { handMadeFiles } from './hand-made/files.ts';
import { handMadeMessages } from './hand-made/messages.ts';
import { handMadePackets } from './hand-made/packets.ts';
import type { Given } from './round.ts';
import { Round } from './round.ts';
import { chooseLevel } from '../../src/levels/levels.ts';

/** Seeds of the rooms, and of what is given to each. */
const ROOMS = [1, 2, 3, 4];
const ATTACKS = [1, 2, 3];
/** The room, and its step, at which the packets that are made by hand are given. */
const EDGE_ROOM = ROOMS[0];
const EDGE_STEP = 50;
/** Steps of honest play, and of those after it in which packets are drawn. */
const HONEST_STEPS = 60;
const EXPLORED_STEPS = 90;
/** Bytes: a longer packet is left out, so that the corpus stays small. */
const LONGEST = 500;
const [HOST, ONE, TWO] = [0, 1, 2] as Slot[];
/** Copies of each file that are changed and read. */
const CHANGED_FILES = 2000;

/**
 * Makes the corpus: real packets and files, those edges of them that a person thinks of, and what the fuzzer draws
 * as far as it reaches code of `wire` and `peer` that nothing before it has reached. For the same project it is the
 * same, as far as V8 counts alike.
 * @param tell hears what is being done, one sentence at a time.
 */
export async function makeCorpus(tell: (sentence: string) => void): Promise<Corpus> {
  await loadPhysics();
  const coverage = new Coverage();
  for (const room of ROOMS) withRound(room, 0, (round) => void round.playTo(HONEST_STEPS + EXPLORED_STEPS));
  coverage.take();
  const packets: PacketSample[] = [];
  for (const room of ROOMS) {
    const kept = packetsOf(room, coverage);
    packets.push(...kept);
    tell(`Room ${room}: ${kept.length} packets.`);
  }
  const files = [...makeFiles(coverage), ...handMadeFiles().map(withOutcome)];
  tell(`${files.length} files.`);
  return { packets, lone: handMadePackets(), files, messages: handMadeMessages() };
}

function withRound<T>(room: number, attack: number, use: (round: Round) => T): T {
  const round = new Round({ room, attack });
  try {
    return use(round);
  } finally {
    round.dispose();
  }
}

function packetsOf(room: number, coverage: Coverage): PacketSample[] {
  const edges = room === EDGE_ROOM ? withRound(room, 0, edgePackets) : [];
  const drawn = ATTACKS.flatMap((attack) => drawnPackets(room, attack, coverage));
  const all = [...edges, ...drawn].sort((a, b) => a.step - b.step);
  if (all.length === 0) return [];
  // Drawn among many, a packet need not reach the same among few.
  const isKept = new Set<PacketSample>(edges);
  playPackets(
    all,
    (sample) => {
      if (hasNews(coverage.take())) isKept.add(sample);
    },
    () => void coverage.take(),
  );
  const samples: PacketSample[] = [];
  const kept = all.filter((sample) => isKept.has(sample));
  if (kept.length === 0) return [];
  const faults = playPackets(kept, (sample, { outcome }) => samples.push({ ...sample, outcome }));
  if (faults.length > 0) throw new Error(`room ${room} breaks: ${faults[0]}`);
  return samples;
}

/** The fuzzer's draws for a room that reach code which was not reached before. */
function drawnPackets(room: number, attack: number, coverage: Coverage): PacketSample[] {
  const known = [...coverage.places];
  const drawn: PacketSample[] = [];
  withRound(room, attack, (round) => {
    round.playTo(HONEST_STEPS);
    coverage.take();
    round.explore(EXPLORED_STEPS, (step, given) => {
      if (hasNews(coverage.take()) && given.bytes.length <= LONGEST)
        drawn.push({ ...given, room, step, outcome: '' });
    });
  });
  // Only what is in the corpus counts as reached.
  coverage.places.clear();
  for (const [key, place] of known) coverage.places.set(key, place);
  return drawn;
}

function hasNews(places: readonly Place[]): boolean {
  return places.some(({ reached }) => reached);
}

/** A real packet of a guest and one of the host, as they are and at the edges that a person thinks of. */
function edgePackets(round: Round): PacketSample[] {
  round.playTo(EDGE_STEP);
  const ways = [
    [TWO, HOST],
    [HOST, ONE],
  ] as const;
  return ways.flatMap(([from, to]) => {
    const real = round.real(from, to);
    if (real === null) throw new Error(`no packet from ${from} to ${to}`);
    return edgesOf(real).map((bytes): PacketSample => {
      const given: Given = { from, to, bytes };
      return { ...given, room: EDGE_ROOM, step: EDGE_STEP, outcome: '' };
    });
  });
}

function edgesOf(real: Uint8Array): Uint8Array[] {
  const ended = (length: number): Uint8Array => real.slice(0, length);
  const changed = (at: number, by: number): Uint8Array =>
    real.map((byte, i) => (i === at ? byte ^ by : byte));
  const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);
  return [
    real,
    ended(0),
    ended(1),
    ended(real.length >> 1),
    ended(real.length - 1),
    Uint8Array.from([...real, 0]),
    Uint8Array.from([...real, ...real]),
    // Another connection, term, reset and number; whatever stands at the end.
    ...[0, 2, 4, 6].map((at) => changed(at, 1)),
    changed(real.length - 1, 0x80),
    filled(12, 0),
    filled(12, 0xff),
    filled(MAX_PACKET_BYTES + 1, 0xff),
  ];
}

/** A file with its outcome. */
export function withOutcome({ kind, bytes }: HandMadeFile): FileSample {
  return { kind, bytes, outcome: outcomeOf({ kind, bytes }) };
}

function makeFiles(coverage: Coverage): FileSample[] {
  const { world, recording } = realFiles();
  const files: FileSample[] = [];
  const keep = (kind: FileSample['kind'], bytes: Uint8Array): void => {
    files.push(withOutcome({ kind, bytes }));
  };
  for (const [kind, real] of [
    ['world', world],
    ['recording', recording],
  ] as const) {
    keep(kind, real);
    for (const length of [0, 6, real.length - 1]) keep(kind, real.slice(0, length));
    keep(kind, Uint8Array.from([...real, 0]));
    keep(kind, kind === 'world' ? recording : world);
    coverage.take();
    for (const changed of changedFiles(kind, real)) {
      outcomeOf({ kind, bytes: changed });
      if (hasNews(coverage.take())) keep(kind, changed);
    }
  }
  return files;
}

/** A few cubes in play: their world, and a recording of two steps of a host and a guest. */
function realFiles(): { readonly world: Uint8Array; readonly recording: Uint8Array } {
  const scene = chooseLevel({ id: 'grid', seed: 1, count: 3 });
  const recorder = new Recorder();
  const room = new RoomHarness(
    { players: 2, scene, bots: 'chaos', seed: 1, conditions: {}, quietFrom: Infinity, recorder },
    createRapierSimulation,
  );
  room.step();
  room.peers[HOST].reset(saveWorld(room.peers[HOST].state, scene, 1));
  room.step();
  const recording = recorder.finish();
  for (let step = 0; step < 60; step++) room.step();
  const world = writeWorldFile(saveWorld(room.peers[HOST].state, scene, 1));
  room.dispose();
  return { world, recording };
}

/** Copies of a file with some bytes changed, each under the check sum that it has to have. */
function* changedFiles(kind: FileKind, real: Uint8Array): Generator<Uint8Array> {
  const content = unwrapFile(kind, real);
  if (typeof content === 'string') throw new Error(content);
  const random = new Random(1);
  for (let i = 0; i < CHANGED_FILES; i++) yield wrapFile(kind, mutatedBytes(random, content, content));
}
