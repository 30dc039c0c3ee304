import type { BodyId, ConnectionId, Slot } from '../../src/core/base/ids.ts';
import { TICK_MS } from '../../src/core/base/constants.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import type { Recorder } from '../../src/core/peer/recording/recorder.ts';
import type { SharedEvent, SharedState } from '../../src/core/peer/shared/shared-state.ts';
import { field } from '../../src/core/shared/field.ts';
import { sharedSchema } from '../../src/core/shared/schema.ts';
import { referTo } from '../../src/core/world/level-reference.ts';
import { SharedReferee } from '../../src/harness/referee/shared-referee.ts';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import { createLoopback } from '../../src/transport/loopback.ts';
import { floatingSimulation } from './bodiless.ts';
import { apart } from './stage.ts';
import { sceneOf, withSpawning } from './stage-levels.ts';

/** A schema with a bit of everything. */
export const SCHEMA = sharedSchema({
  room: { round: field.number({ from: 1, to: 99 }), mode: field.choice(['calm', 'wild', 'over']) },
  players: {
    host: { score: field.number({ from: -100, to: 1000 }) },
    self: { ready: field.flag(), motto: field.text(40) },
  },
  bodies: {
    host: { worth: field.number({ from: 0, to: 1, step: 0.1 }) },
    authority: { label: field.text(16), tint: field.choice(['white', 'red', 'blue']) },
  },
  events: {
    horn: { number: field.number({ from: 0, to: 1_000_000 }), loud: field.flag() },
    note: { number: field.number({ from: 0, to: 1_000_000 }), text: field.text(32) },
  },
});
type Declared = typeof SCHEMA.declaration;

/** A player of a shared room. */
export type SharedPlayer = {
  readonly peer: Peer;
  readonly shared: SharedState<Declared>;
  /** Everything that it was given, in order. */
  readonly events: SharedEvent<Declared>[];
};

/** A few players with bodies that float, over a simulated network, for stories about shared state and events. */
export class SharedRoom {
  readonly referee = new SharedReferee();
  readonly level = withSpawning(sceneOf(apart(4)), { perPlayer: 2, perSecond: 10 });
  readonly network;
  now = 0;
  host = 0 as Slot;
  readonly #players: (SharedPlayer | null)[];
  readonly #recorder: Recorder | null;
  #connections = 0;
  #term = 0;
  #numbers = 0;
  /** The share of ticks that the host has time for; it receives in all of them. */
  pace = 1;
  #due = 0;

  /** @param slots that may be used; the host, and guests in all of them up to `guests`, are there at once. */
  constructor(
    slots: number,
    guests: number,
    conditions: Partial<LinkConditions> = {},
    seed = 1,
    recorder: Recorder | null = null,
  ) {
    this.#recorder = recorder;
    this.network = createLoopback({ seed, slots, conditions: { latencyMs: 50, ...conditions } });
    this.#players = Array.from({ length: slots }, () => null);
    this.#players[0] = this.#create(0 as Slot);
    for (let slot = 1; slot <= guests; slot++) this.joins(slot);
  }

  #create(slot: Slot): SharedPlayer {
    const { level, host } = this;
    const recorder =
      this.#recorder?.begin({
        slot,
        host,
        name: '',
        level: referTo({ id: 'x', seed: 1 }, level),
        schema: SCHEMA,
      }) ?? null;
    const peer = new Peer({
      slot,
      host,
      level,
      simulation: floatingSimulation(level),
      schema: SCHEMA,
      recorder,
    });
    return { peer, shared: peer.shared(SCHEMA), events: [] };
  }

  player(slot: number): SharedPlayer {
    const player = this.#players[slot];
    if (player === null || player === undefined) throw new Error(`nobody is in slot ${slot}`);
    return player;
  }

  has(slot: number): boolean {
    return this.#players[slot] !== null;
  }

  get peers(): readonly Peer[] {
    return this.#players.flatMap((player) => player?.peer ?? []);
  }

  /** A new player comes in. */
  joins(slot: number): void {
    this.#players[slot] = this.#create(slot as Slot);
    this.connects(slot);
  }

  /** A player and the host begin a new connection. */
  connects(slot: number): void {
    const connection = ++this.#connections as ConnectionId;
    this.network.connect(this.host, slot as Slot);
    this.player(this.host).peer.connect(slot as Slot, connection);
    this.player(slot).peer.connect(this.host, connection);
  }

  /** A guest leaves; the host hears of it at once. */
  leaves(slot: number): void {
    this.network.disconnect(this.host, slot as Slot);
    this.player(this.host).peer.disconnect(slot as Slot);
    this.player(slot).peer.dispose();
    this.#players[slot] = null;
  }

  /** [F4] The host is gone, and a guest leads. @param comes [F4.35] the host has given the room away, and is a guest now. */
  changesHost(to: number, comes = false): void {
    const before = this.host;
    for (const { diagnostics } of this.peers)
      if (diagnostics.slot !== before) this.network.disconnect(before, diagnostics.slot);
    if (!comes) {
      this.player(before).peer.dispose();
      this.#players[before] = null;
    }
    this.host = to as Slot;
    this.#term += 32;
    const guests = this.peers.map(({ diagnostics }) => diagnostics.slot).filter((slot) => slot !== to);
    this.player(to).peer.becomeHost(this.#term, guests);
    for (const slot of guests) {
      const connection = ++this.#connections as ConnectionId;
      this.network.connect(this.host, slot);
      this.player(to).peer.connect(slot, connection);
      this.player(slot).peer.follow(this.host, connection);
    }
  }

  /** Emits an event whose number nobody else has. @returns false if it was refused. */
  emits(slot: number, text: string | null = null): boolean {
    const { peer, shared } = this.player(slot);
    const number = this.#numbers++;
    const refusal =
      text === null ? shared.emit('horn', { number, loud: true }) : shared.emit('note', { number, text });
    if (refusal === null) this.referee.emitted(peer, number);
    return refusal === null;
  }

  /** One tick of everybody: receive, tick, send. */
  tick(): void {
    this.now += TICK_MS;
    this.network.now = this.now;
    this.#recorder?.at(this.now);
    for (const peer of this.peers) {
      const transport = this.network.transports[peer.diagnostics.slot];
      transport.receive(this.now, (from, bytes) => peer.receive(this.now, from, bytes));
    }
    this.#due += this.pace;
    const isHostDue = this.#due >= 1;
    if (isHostDue) this.#due -= 1;
    for (const player of this.#players) {
      if (player === null || (player.peer.isHost && !isHostDue)) continue;
      player.peer.tick(INPUT);
      player.events.push(...player.shared.events());
      this.referee.observe(player.peer, this.peers);
    }
    for (const peer of this.peers) {
      if (peer.isHost && !isHostDue) continue;
      const transport = this.network.transports[peer.diagnostics.slot];
      peer.poll(
        this.now,
        (to, bytes) => transport.send(to, bytes),
        (to) => transport.ready(to),
      );
    }
  }

  letPass(seconds: number): void {
    for (let tick = Math.round(seconds * 60); tick > 0; tick--) this.tick();
  }

  /** A player spawns a body. @returns its id; null if it may not. */
  spawns(slot: number): BodyId | null {
    const [template] = this.level.spawning.templates;
    const pose = { position: { x: slot, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
    const zero = { x: 0, y: 0, z: 0 };
    const body = this.player(slot).peer.spawn({ template, pose, linear: zero, angular: zero });
    return typeof body === 'string' ? null : body;
  }

  /** A guest or the host takes a body without a hand. */
  takes(slot: number, body: number): void {
    this.player(slot).peer.act({ kind: 'keep', body: body as BodyId, on: true });
  }

  clearAway(): void {
    for (const peer of this.peers) peer.dispose();
  }
}

const INPUT = playerInput();
