import type { BodyId, ConnectionId, Slot, Tick } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { HARD_COLLISION_SPEED, MAX_PLAYERS, TICK_MS } from '../base/constants.ts';
import { isOut } from '../base/motion.ts';
import { decodeName, encodeName } from '../base/text.ts';
import type { PlayerInput } from '../hands/hand-input.ts';
import type { SendLimits } from '../link/send-budget.ts';
import { SEND_LIMITS } from '../link/send-budget.ts';
import type { PacketHeader } from '../wire/packet.ts';
import { PacketReader } from '../wire/packet.ts';
import type { SavedWorld } from '../wire/files/saved-world.ts';
import { AuthoritySpread, giveBack, mayGrab, mayReturn } from '../world/authority.ts';
import type { Scene } from '../world/scene.ts';
import type { Simulation } from '../world/simulation.ts';
import { CarriedBodies } from './hands/carried-bodies.ts';
import { ContactLog } from './diagnostics/contact-log.ts';
import { guestPolicy, knowsAll, loseAll } from './policy/guest-policy.ts';
import { endWaiting } from './hands/giving.ts';
import { Gathering } from './bodies/gathering.ts';
import { followHost, becomeHost } from './policy/host-migration.ts';
import { forgetPlayer } from './policy/player-entry.ts';
import { freeAllOf, hostPolicy } from './policy/host-policy.ts';
import { OwnPlayer } from './hands/own-player.ts';
import type { PeerState } from './peer-state.ts';
import { createPeerState, Link, logEvent, refuse, simulatorOf } from './peer-state.ts';
import type { PeerView } from './shown/peer-view.ts';
import type { PeerRecorder } from './recording/recorder.ts';
import { restartScene } from './bodies/restart.ts';
import { Sending } from './outgoing/sending.ts';
import type { Traffic } from './diagnostics/traffic.ts';
import { fillView } from './shown/view.ts';

export type PeerOptions = {
  /** This player's slot. */
  readonly slot: Slot;
  /** The host's slot; the same as `slot` makes this peer the host. */
  readonly host: Slot;
  /** The same on every peer of the room. */
  readonly scene: Scene;
  /** An engine that holds the scene's bodies; the peer is its only user from now on. */
  readonly simulation: Simulation;
  /** The player's name; cut to MAX_NAME_BYTES of UTF-8. */
  readonly name?: string;
  /** [W9] What it sends at the most; 256 kbit/s to each peer and 1 Mbit/s in all, unless they say otherwise. */
  readonly limits?: Partial<SendLimits>;
  /** Hears all that the peer is told, and what it sends. */
  readonly recorder?: PeerRecorder | null;
};

/**
 * One running simulation of the shared world: the host or a guest. Bytes and time go in, bytes and events
 * come out; it has no clock, no socket and no callback into its owner. The owner calls `receive` for what
 * arrives, `tick` sixty times a second, `poll` for what goes out, and `view` for drawing.
 */
export class Peer {
  readonly state: PeerState;
  readonly player: OwnPlayer;
  /** What has met in this peer's engine, whoever simulates it. */
  readonly contacts = new ContactLog();
  /** [A5] What spreads this peer's authority after each step. */
  readonly spread: AuthoritySpread;
  readonly #gathering: Gathering;
  readonly #carrying = new CarriedBodies();
  /** What its packets are read with; for who times it. */
  readonly reader: PacketReader;
  readonly #sending: Sending;
  readonly #recorder: PeerRecorder | null;
  #hasWorld = false;

  constructor(options: PeerOptions) {
    const { slot, host, scene, simulation } = options;
    const isHost = slot === host;
    this.state = createPeerState(slot, host, isHost ? hostPolicy : guestPolicy, scene, simulation);
    if (!isHost) {
      // One who joins knows nothing: it adopts the term and the reset of the first packet.
      this.state.term = -1;
      this.state.reset = -1;
    }
    const own = this.state.authors[slot];
    own.nameBytes = encodeName(options.name ?? '');
    own.name = decodeName(own.nameBytes);
    this.player = new OwnPlayer(scene.bodies.length, this.state.giving.given);
    this.spread = new AuthoritySpread(scene.bodies.length);
    this.#gathering = new Gathering(scene.bodies.length);
    this.reader = new PacketReader(scene.bodies.length, this.state.flights);
    this.#recorder = options.recorder ?? null;
    this.#sending = new Sending(this.state, { ...SEND_LIMITS, ...options.limits }, this.#recorder);
  }

  /** Ticks between two packets to the same peer while something is to be noticed; 1 is the full rate. */
  get sendEvery(): number {
    return this.#sending.every;
  }

  set sendEvery(ticks: number) {
    this.#sending.every = ticks;
  }

  get isHost(): boolean {
    return this.state.policy.isHost;
  }

  /** What went out to a peer and came in from it. */
  traffic(slot: Slot): Traffic {
    return this.#sending.traffic[slot];
  }

  /**
   * [F3] When the last packet of a peer came that was read whole, in milliseconds on the clock of `receive`.
   * -Infinity without a connection, and before the first packet over it: the time before that is the owner's.
   */
  lastReceivedMs(slot: Slot): number {
    return this.state.links[slot]?.heardAt ?? -Infinity;
  }

  /** Milliseconds to a peer and back, smoothed; 0 before the first ack. */
  roundTripMs(slot: Slot): number {
    return this.state.links[slot]?.acks.roundTripMs ?? 0;
  }

  /** [F1] How often a peer has broken the rules since it was connected: for its owner to judge. */
  offences(slot: Slot): number {
    return this.state.links[slot]?.offences ?? 0;
  }

  /**
   * Begins to exchange packets with a peer. A new connection takes the place of an older one, for a player who
   * comes, or who comes back after it was made absent: the host frees what the player had, if `disconnect` has
   * not yet [H6]; the guest lets go of it likewise, claims none of it again, and adopts the host's next word on
   * every body whole [H8]. With the number of the connection that is there nothing happens: a player whom the
   * room never missed goes on over any other line as it was.
   */
  connect(slot: Slot, connection: ConnectionId): void {
    this.#recorder?.connect(slot, connection);
    const { links, bodies, flights } = this.state;
    if (links[slot]?.connection === connection) return;
    if (links[slot] !== null) this.#disconnect(slot);
    links[slot] = new Link(slot, connection, bodies.count, flights);
    if (this.isHost) return;
    this.player.letGoOfAll(this.state);
    loseAll(this.state);
    this.#hasWorld = false;
  }

  /** A peer is gone. On the host its bodies fall free [H6]; a guest has nobody with it any more. */
  disconnect(slot: Slot): void {
    this.#recorder?.disconnect(slot);
    this.#disconnect(slot);
  }

  #disconnect(slot: Slot): void {
    const { links, authors, self } = this.state;
    links[slot] = null;
    if (this.isHost) freeAllOf(this.state, slot);
    else
      for (let other = 0; other < authors.length; other++)
        if (other !== self) forgetPlayer(this.state, other as Slot);
  }

  /**
   * [F4] A guest becomes the host, since the one before is absent; then it connects to the others as they come.
   * @param term newer than that of the host before.
   * @param waitsFor the players who may still have what they had; what others had falls free [H6].
   */
  becomeHost(term: number, waitsFor: readonly Slot[]): void {
    if (this.isHost) throw new Error('the host leads already');
    this.#recorder?.lead(term, waitsFor);
    becomeHost(this.state, term, waitsFor);
  }

  /** [F4] A guest goes on with another host, which it connects to: with all that it has and holds [H8]. */
  follow(host: Slot, connection: ConnectionId): void {
    if (this.isHost || host === this.state.self) throw new Error('a host follows nobody');
    this.#recorder?.follow(host, connection);
    followHost(this.state, host);
    this.state.links[host] = new Link(host, connection, this.state.bodies.count, this.state.flights);
  }

  /**
   * True once all that is drawn is as it is in the room; always on the host. On a guest it is false from
   * `connect` on, until the host's word on every body has come, and a tick has shown a pose of every body that
   * another simulates. Until then bodies are drawn where the scene begins.
   */
  get hasWorld(): boolean {
    return this.isHost || this.#hasWorld;
  }

  /** Host only: everything back to the start, or to a saved world; packets from before count no more. */
  restart(saved: SavedWorld | null = null): void {
    if (!this.isHost) throw new Error('only the host restarts the scene');
    this.#recorder?.restart(saved);
    this.#carrying.clear();
    this.player.dropAll();
    restartScene(this.state, this.state.reset + 1, saved);
    for (const link of this.state.links) link?.forget();
  }

  /**
   * Takes in a packet: decides its claims at once, and lets its poses wait. Never throws on what it is given;
   * what it refuses is counted in `rejections`.
   * @param nowMs any clock that does not go back.
   */
  receive(nowMs: number, from: Slot, bytes: Uint8Array): void {
    this.#recorder?.receive(nowMs, from, bytes);
    const reason = this.#receive(nowMs, from, bytes);
    if (reason !== null) refuse(this.state, reason, from);
  }

  #receive(nowMs: number, from: Slot, bytes: Uint8Array): string | null {
    const peer = this.state;
    const link = peer.links[from];
    if (link === undefined || link === null) return 'unknown sender';
    if (!link.rate.admits(nowMs)) return 'flood';
    const reader = this.reader;
    const headFault = reader.readHead(bytes);
    if (headFault !== null) return headFault;
    if (reader.header.connection !== (link.connection & 0xffff)) return 'other connection';
    const barred = peer.policy.admit(peer, reader.header);
    if (barred !== null) return barred;
    const sequence = link.acks.unwrapReceived(reader.header.sequence);
    const judged = link.acks.classify(sequence);
    if (judged !== 'new') return judged;
    for (let i = 0; i < MAX_PLAYERS; i++) newestTicks[i] = peer.authors[i].newestTick;
    const fault = reader.readBody(from, sequence, link.received, newestTicks);
    // Read without its base, or with half of it, any packet may happen to make sense [W4].
    if (reader.baseAge > 0 && !link.received.keeps(sequence - reader.baseAge)) return 'unknown baseline';
    const breach = fault ?? peer.policy.check(reader, from);
    if (breach !== null) return breach;
    this.#adopt(link, reader.header);
    const skippedMs = this.#skippedTicks(from, sequence - link.acks.newestReceived) * TICK_MS;
    link.acks.receive(sequence);
    link.heardAt = nowMs;
    if (reader.updateCount > 0) link.owesAck = true;
    if (reader.header.ack >= 0) {
      link.acks.acknowledge(reader.header.ack, reader.header.ackBits, nowMs, link.acked, skippedMs);
    }
    this.traffic(from).received(bytes.length);
    reader.keep(sequence, link.received);
    peer.policy.receive(peer, reader, from, sequence);
    return null;
  }

  /** [W8] Ticks in which the sender sent nothing, at the most, before a packet that is so many newer than the last. */
  #skippedTicks(from: Slot, packets: number): number {
    const before = newestTicks[from];
    if (packets <= 0 || before < 0) return 0;
    const { authors, authorCount } = this.reader;
    for (let i = 0; i < authorCount; i++)
      if (authors[i].slot === from) return Math.max(0, authors[i].tick - before - packets);
    return 0;
  }

  #adopt(link: Link, header: Readonly<PacketHeader>): void {
    if (!this.state.policy.adopt(this.state, link, header)) return;
    this.#carrying.clear();
    this.player.dropAll();
  }

  /** Advances by one tick of 1/60 s. The order is DESIGN's; each line is one room's work. */
  tick(input: Readonly<PlayerInput>): void {
    this.#recorder?.tick(input);
    const peer = this.state;
    const { bodies } = peer;
    peer.tick = (peer.tick + 1) as Tick;
    for (const author of peer.authors) author.stream.advance(peer.tick);
    this.#carrying.update(peer);
    endWaiting(peer);
    this.player.act(peer, input, this.#isTaken);
    bodies.markSimulated(peer.self, peer.host);
    bodies.writeReceived();
    bodies.showReceived();
    bodies.updateRest();
    this.#returnRested();
    bodies.writeBack();
    bodies.step(this.#onCollision, peer.yielding.before(peer.self, bodies));
    this.spread.run(bodies.records, bodies.simulation.contacts, peer.self, this.isHost, this.#onTaken);
    if (this.isHost) this.#gathering.run(peer);
    this.#putBackStrays();
    bodies.updateRecords();
    bodies.showOwn();
    this.#sampleAvatar();
    if (!this.#hasWorld && knowsAll(peer)) {
      this.#hasWorld = true;
      // Nothing is drawn on its way from where the scene begins.
      bodies.drawn.keepBefore();
    }
  }

  /** True if this peer simulates the body for everyone. */
  simulates(body: BodyId): boolean {
    return simulatorOf(this.state, body) === this.state.self;
  }

  readonly #isTaken = (body: BodyId): boolean => !mayGrab(this.state.bodies.records, body, this.state.self);

  /** [A7] */
  #returnRested(): void {
    const { records, simulatedHere } = this.state.bodies;
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      if (records.authority[body] !== this.state.self || !mayReturn(records, body)) continue;
      giveBack(records, body, this.isHost);
      if (!this.isHost) simulatedHere[body] = 0;
      logEvent(this.state, 'return', 'A7', body, this.state.self);
    }
  }

  readonly #onCollision = (a: BodyId, b: BodyId, speed: number): void => {
    this.contacts.add(a, b, speed);
    if (b === NO_BODY || speed < HARD_COLLISION_SPEED) return;
    if (this.simulates(a) || this.simulates(b))
      logEvent(this.state, 'collide', '', a, simulatorOf(this.state, a));
  };

  readonly #onTaken = (body: BodyId): void => {
    this.state.bodies.startSimulating(body);
    logEvent(this.state, 'take', 'A5', body, this.state.self);
  };

  /** [R4] */
  #putBackStrays(): void {
    const { bodies } = this.state;
    for (let i = 0; i < bodies.count; i++) {
      const body = i as BodyId;
      if (bodies.kinematic.has(body) || !isOut(bodies.motion, body)) continue;
      if (bodies.simulatedHere[body] === 0) {
        bodies.putBackToRecord(body);
        continue;
      }
      bodies.putBackToStart(body);
      logEvent(this.state, 'put back', 'R4', body, this.state.self);
    }
  }

  #sampleAvatar(): void {
    const own = this.state.authors[this.state.self];
    own.newestTick = this.state.tick;
    own.avatarTime = this.player.sample(this.state, own.avatarTime, own.avatar);
  }

  /**
   * Hands out this tick's packets; call it once after each tick. Not every tick has one for every peer [W8]. The
   * bytes are valid until `send` returns.
   * @param ready false for a peer whose channel has not sent the last packet yet: this one is skipped [F2].
   */
  poll(nowMs: number, send: (to: Slot, bytes: Uint8Array) => void, ready?: (to: Slot) => boolean): void {
    this.#recorder?.poll(nowMs, this.sendEvery);
    if (this.state.term >= 0) this.#sending.poll(nowMs, send, ready);
  }

  /**
   * Fills what there is to draw.
   * @param alpha where between the last two ticks, 0 to 1 [T5].
   * @param hands this player's input of the drawn frame, which what it holds follows; or null for the tick's.
   */
  view(alpha: number, hands: Readonly<PlayerInput> | null, out: PeerView): void {
    fillView(this.state, this.player, this.#carrying, alpha, hands, out);
  }
}

const newestTicks = new Int32Array(MAX_PLAYERS);
