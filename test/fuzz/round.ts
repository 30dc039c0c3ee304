import { cubeLaws } from '../support/laws.ts';
import type { BodyId, ConnectionId, Slot } from '../../src/core/base/ids.ts';
import { BASELINE_STORE_PACKETS } from '../../src/core/base/constants.ts';
import { Random } from '../../src/core/base/random.ts';
import { pose, vector } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import type { EventKind } from '../../src/core/peer/diagnostics/event-log.ts';
import { capacityOf } from '../../src/core/world/existence.ts';
import { BOT_NAMES } from '../../src/bots/bots.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import { BallisticCache } from '../../src/core/wire/bodies/flights.ts';
import { PacketReader } from '../../src/core/wire/packet.ts';
import { createRapierSimulation } from '../../src/physics/rapier-simulation.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { plainPacket } from '../support/packets.ts';
import { SCHEMA } from '../support/shared-room.ts';
import { mutatedBytes, noise } from './bytes.ts';
import { faultsOf } from './judge.ts';
import type { Heard } from './lies.ts';
import { Liar } from './lies.ts';

/** The seed of a round: the same two numbers give the same round. */
export type RoundSeed = { readonly room: number; readonly attack: number };

/** A packet as it was given to a peer. */
export type Given = { readonly from: Slot; readonly to: Slot; readonly bytes: Uint8Array };

/** The outcome of a packet: its fault, and 'accepted' or the reason of its rejection. */
export type Outcome = { readonly faults: readonly string[]; readonly outcome: string };

export type RoundResult = {
  readonly packets: number;
  /** The number of those that were accepted. */
  readonly accepted: number;
  /** Bodies that the host let somebody spawn, despawn or keep. */
  readonly spawned: number;
  readonly despawned: number;
  readonly kept: number;
  /** The fault, and the packets since the check before, oldest first; null if there is none. */
  readonly found: { readonly faults: readonly string[]; readonly given: readonly Given[] } | null;
};

const HOST = 0 as Slot;
const ONE = 1 as Slot;
const TWO = 2 as Slot;
/** The possible liars: a guest lies to the host, the host to guests. */
const WAYS: readonly (readonly [from: Slot, to: Slot])[] = [
  [TWO, HOST],
  [TWO, HOST],
  [ONE, HOST],
  [HOST, ONE],
  [HOST, TWO],
];
/** Steps in which the room plays by itself first: what it sends then is what is mutated. */
const HONEST_STEPS = 30;
const ATTACKED_STEPS = 120;
const MOST_PACKETS_A_STEP = 48;
/** Real packets of each way that are kept to be changed. */
const KEPT = 24;
/** Milliseconds between two packets of the fuzzer: no more than an honest sender's rate. */
const APART_MS = 9;
/** Rooms from this seed on have spawning if their seed is odd. Those before are the corpus's, and stay as they are. */
const SPAWNING_FROM = 100_000;
const SPAWNING = { perPlayer: 4, perSecond: 20 } as const;
/** Every third of those rooms has shared state and events, and every fifth has joints that can go. */
const SHARED_EVERY = 3;
const JOINTS_EVERY = 5;
/** Milliseconds of CPU that a step's packets may take, together; a packet takes some 30 microseconds. */
const MOST_CPU_MS = 500;

/** A room that plays, and somebody in it who sends hostile bytes. Its owner disposes of it. */
export class Round {
  readonly #room: RoomHarness;
  readonly #random: Random;
  /** True if players spawn and despawn bodies. */
  readonly #spawns: boolean;
  /** True if players write values and emit events. */
  readonly #shares: boolean;
  /** True if players remove and mend joints. */
  readonly #unties: boolean;
  readonly #view;
  readonly #readers = new Map<Peer, PacketReader>();
  readonly #kept = new Map<string, { bytes: Uint8Array; heard: Heard | null }[]>();
  #connection = 1;
  #now = 0;
  #given: Given[] = [];
  packets = 0;
  accepted = 0;

  constructor({ room, attack }: RoundSeed) {
    const random = new Random(room);
    const count = [4, 8, 12, 40][random.below(4)];
    this.#spawns = room >= SPAWNING_FROM && room % 2 === 1;
    this.#shares = room >= SPAWNING_FROM && room % SHARED_EVERY === 0;
    this.#unties = room >= SPAWNING_FROM && room % JOINTS_EVERY === 0;
    this.#room = new RoomHarness(
      {
        schema: this.#shares ? SCHEMA : null,
        spawning: this.#spawns ? SPAWNING : null,
        jointsGo: this.#unties,
        players: 3,
        scene: { id: 'grid', seed: random.below(100), count },
        bots: BOT_NAMES[random.below(BOT_NAMES.length)],
        seed: random.below(2 ** 31),
        conditions: { latencyMs: random.below(60), jitterMs: random.below(30), loss: random.next() * 0.1 },
        quietFrom: Infinity,
      },
      createRapierSimulation,
    );
    this.#random = new Random(attack);
    const ids = capacityOf(this.#room.level);
    this.#view = peerView(ids);
    for (const peer of this.#room.peers) this.#listenIn(peer, ids);
  }

  /** Keeps what a peer is really told, read as it will read it. */
  #listenIn(peer: Peer, count: number): void {
    const receive = peer.receive.bind(peer);
    const { shared } = peer.state;
    this.#readers.set(peer, new PacketReader(count, new BallisticCache(cubeLaws(count)), shared?.layout));
    peer.receive = (now, from, bytes) => {
      this.#keep(peer, from, bytes);
      this.#now = Math.max(this.#now, now);
      receive(this.#now, from, bytes);
    };
  }

  #keep(peer: Peer, from: Slot, bytes: Uint8Array): void {
    const way = `${from} to ${peer.state.self}`;
    const kept = this.#kept.get(way) ?? [];
    kept.push({ bytes: bytes.slice(), heard: this.#read(peer, from, bytes) });
    if (kept.length > KEPT) kept.shift();
    this.#kept.set(way, kept);
  }

  #read(peer: Peer, from: Slot, bytes: Uint8Array): Heard | null {
    const link = peer.state.links[from];
    const reader = this.#readers.get(peer);
    if (link === null || reader === undefined || reader.readHead(bytes) !== null) return null;
    const number = link.acks.unwrapReceived(reader.header.sequence);
    if (Math.abs(number - link.acks.newestReceived) > BASELINE_STORE_PACKETS) return null;
    const ticks = Int32Array.from(peer.state.authors, ({ newestTick }) => newestTick);
    return reader.readBody(from, number, link.received, ticks) === null
      ? { plain: plainPacket(reader), number }
      : null;
  }

  /** Gives packets that broke something once, after some honest play. */
  replay(given: readonly Given[]): readonly string[] {
    for (let step = 0; step < HONEST_STEPS; step++) this.#room.step();
    const faults = given.flatMap(({ from, to, bytes }) => this.#hand(this.#room.peers[to], from, bytes));
    return [...faults, ...this.#step()];
  }

  /** Plays honestly until so many steps were made in all. @returns what broke. */
  playTo(step: number): string[] {
    const faults: string[] = [];
    while (this.#room.steps < step) faults.push(...this.#step());
    return faults;
  }

  /** Gives a packet to a peer. */
  give({ from, to, bytes }: Given): Outcome {
    const peer = this.#room.peers[to];
    const before = { ...peer.state.rejections };
    const faults = this.#hand(peer, from, bytes);
    const reasons = Object.keys(peer.state.rejections).filter((reason) => !IS_MARK.test(reason));
    const grown = reasons.find((reason) => peer.state.rejections[reason] !== before[reason]);
    return { faults, outcome: grown ?? 'accepted' };
  }

  /** Gives packets for some steps as the fuzzer does; `onGiven` hears of each, after it was given. */
  explore(steps: number, onGiven: (step: number, given: Given) => void): void {
    for (let i = 0; i < steps; i++) {
      this.#given = [];
      this.#attack((given) => onGiven(this.#room.steps, given));
      this.#step();
    }
  }

  /** The newest real packet of a way, or null. */
  real(from: Slot, to: Slot): Uint8Array | null {
    return this.#kept.get(`${from} to ${to}`)?.at(-1)?.bytes ?? null;
  }

  run(): RoundResult['found'] {
    const settled = this.#random.chance(0.5) ? HONEST_STEPS : 4 * HONEST_STEPS;
    for (let step = 0; step < settled; step++) this.#room.step();
    for (let step = 0; step < ATTACKED_STEPS; step++) {
      this.#given = [];
      const faults = [...this.#attack(), ...this.#step()];
      if (faults.length > 0) return { faults: faults.slice(0, 5), given: this.#given };
      if (this.#random.chance(0.02)) this.#mishap();
    }
    return null;
  }

  /** All go on with what they were told. */
  #step(): string[] {
    try {
      if (this.#spawns) this.#spawnOrDespawn();
      if (this.#shares) this.#writeAndEmit();
      if (this.#unties) this.#untie();
      this.#room.step();
    } catch (error) {
      return [`[F1] it throws later: ${said(error)}`];
    }
    return this.#room.peers.flatMap((peer) => faultsOf(peer, this.#view));
  }

  /** [S2] [S3] [A12] Somebody spawns, despawns or keeps a body, now and then. */
  #spawnOrDespawn(): void {
    const random = this.#random;
    if (!random.chance(0.2)) return;
    const peer = this.#room.peers[random.below(3)];
    const { spawning, bodies } = this.#room.level;
    const ids = capacityOf(this.#room.level) - bodies.length;
    const here = Array.from({ length: ids }, (_, i) => (bodies.length + i) as BodyId).filter((body) =>
      peer.diagnostics.bodies.exists(body),
    );
    const any = here[random.below(Math.max(1, here.length))] ?? (0 as BodyId);
    const [{ start }] = bodies;
    const template = spawning.templates[random.below(spawning.templates.length)];
    const what = random.below(4);
    if (what < 2) peer.spawn({ template, pose: start, linear: vector(), angular: vector() });
    else if (what === 2) peer.despawn(any);
    else peer.act({ kind: 'keep', body: any, on: random.chance(0.6) });
  }

  /** [J4] Somebody removes or mends a joint, if it may. */
  #untie(): void {
    const random = this.#random;
    const { joints, state } = this.#room.peers[random.below(3)];
    const joint = random.below(this.#room.level.joints.length);
    const [a, b] = [random.below(state.bodies.count), random.below(state.bodies.count)] as BodyId[];
    joints.make({ kind: random.below(3), a, b, at: poseIn(state.bodies.motion, a, pose()).position });
    if (joints.has(joint)) joints.remove(joint);
    else joints.mend(joint);
  }

  /** [V2] [E1] Somebody writes a value, and emits an event, now and then. */
  #writeAndEmit(): void {
    const random = this.#random;
    if (!random.chance(0.3)) return;
    const peer = this.#room.peers[random.below(3)];
    const shared = peer.shared(SCHEMA);
    const body = random.below(peer.state.bodies.count) as BodyId;
    shared.room.set('round', 1 + random.below(99));
    shared.bodies.set(body, 'label', `body ${body}`);
    shared.players.set(peer.state.self, 'motto', `step ${this.#room.steps}`);
    shared.emit('horn', { number: random.below(1000), loud: random.chance(0.5) });
  }

  /** How often something happened by the host's log. */
  counted(kind: EventKind): number {
    return this.#room.peers[HOST].diagnostics.events.counts[kind];
  }

  dispose(): void {
    this.#room.dispose();
  }

  #attack(onGiven: (given: Given) => void = () => undefined): string[] {
    const random = this.#random;
    const [from, to] = WAYS[random.below(WAYS.length)];
    const count = 1 + random.below(random.chance(0.3) ? MOST_PACKETS_A_STEP : 20);
    const begun = process.cpuUsage();
    const faults: string[] = [];
    for (let i = 0; i < count && faults.length === 0; i++) faults.push(...this.#give(from, to, onGiven));
    const { user, system } = process.cpuUsage(begun);
    if ((user + system) / 1000 > MOST_CPU_MS) faults.push(`[F1] ${count} packets took too long`);
    return faults;
  }

  #give(from: Slot, to: Slot, onGiven: (given: Given) => void): string[] {
    const peer = this.#room.peers[to];
    const given = { from, to, bytes: this.#bytesFor(peer, from, to) };
    this.#given.push(given);
    this.packets++;
    const faults = this.#hand(peer, from, given.bytes);
    onGiven(given);
    return faults;
  }

  #hand(peer: Peer, from: Slot, bytes: Uint8Array): string[] {
    this.#now += APART_MS;
    const [accepted, refused] = [peer.traffic(from).packetsReceived, refusedPackets(peer)];
    try {
      // Not by the ear that keeps what is real.
      Peer.prototype.receive.call(peer, this.#now, from, bytes);
    } catch (error) {
      return [`[W6] it throws: ${said(error)}`];
    }
    const isAccepted = peer.traffic(from).packetsReceived - accepted;
    this.accepted += isAccepted;
    const isCounted = isAccepted + refusedPackets(peer) - refused === 1;
    return isCounted ? [] : ['[W6] a packet is neither accepted nor counted, or both'];
  }

  #bytesFor(peer: Peer, from: Slot, to: Slot): Uint8Array {
    const random = this.#random;
    const kept = this.#kept.get(`${from} to ${to}`) ?? [];
    const link = peer.state.links[from];
    const kind = random.next();
    if (kind < 0.05 || kept.length === 0) return noise(random);
    const real = kept[random.below(kept.length)];
    if (kind < 0.1)
      return Uint8Array.from([...real.bytes.subarray(0, 3 + random.below(4)), ...noise(random)]);
    if (kind < 0.35) return mutatedBytes(random, real.bytes, kept[random.below(kept.length)].bytes);
    if (kind < 0.38 || link === null) return real.bytes;
    const liar = new Liar(peer, from, link, random);
    const { heard } = real;
    if (kind < 0.75 && heard !== null) {
      const bytes = liar.changed(heard);
      return random.chance(0.2) ? mutatedBytes(random, bytes, real.bytes) : bytes;
    }
    return liar.invented();
  }

  /** Other things that happen in rooms. */
  #mishap(): void {
    const { peers } = this.#room;
    const guest = peers[1 + this.#random.below(2)];
    const slot = guest.state.self;
    if (this.#random.chance(0.3)) {
      peers[HOST].reset();
      return;
    }
    const connection = ++this.#connection as ConnectionId;
    if (this.#random.chance(0.5)) peers[HOST].disconnect(slot);
    peers[HOST].connect(slot, connection);
    guest.connect(HOST, connection);
  }
}

function said(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A rule by which a claim in a packet was refused, and not the packet. */
const IS_MARK = /^[A-Z]\d$/;

/** Packets that were rejected as wholes. */
function refusedPackets({ state }: Peer): number {
  let sum = 0;
  for (const reason in state.rejections) if (!IS_MARK.test(reason)) sum += state.rejections[reason];
  return sum;
}

/** Plays a round to its end, or until something breaks. */
export function playRound(seed: RoundSeed): RoundResult {
  const round = new Round(seed);
  try {
    const found = round.run();
    return {
      packets: round.packets,
      accepted: round.accepted,
      spawned: round.counted('spawn'),
      despawned: round.counted('despawn'),
      kept: round.counted('keep'),
      found,
    };
  } finally {
    round.dispose();
  }
}

/** Gives packets that broke something once to the room that they broke. */
export function replayGiven(room: number, given: readonly Given[]): readonly string[] {
  const round = new Round({ room, attack: 0 });
  try {
    return round.replay(given);
  } finally {
    round.dispose();
  }
}
