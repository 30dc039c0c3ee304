import type { BodyId, ConnectionId, Slot, Tick } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import {
  HARD_COLLISION_SPEED,
  HARD_COLLISION_TICKS,
  MAX_PLAYERS,
  PRIORITY_BASE,
  PRIORITY_HARD_COLLISION,
  PRIORITY_THROWN,
} from '../base/constants.ts';
import { isOut } from '../base/motion.ts';
import { decodeName, encodeName } from '../base/text.ts';
import type { PlayerInput } from '../hands/hand-input.ts';
import type { PacketHeader } from '../wire/packet.ts';
import { packetHeader, PacketReader } from '../wire/packet.ts';
import type { SavedWorld } from '../wire/saved-world.ts';
import { AuthoritySpread, giveBack, mayGrab, mayReturn } from '../world/authority.ts';
import type { Scene } from '../world/scene.ts';
import type { Simulation } from '../world/simulation.ts';
import { Carrying } from './carrying.ts';
import { Changes } from './changes.ts';
import { ContactLog } from './contact-log.ts';
import { guestPolicy, knowsAll, loseAll } from './guest-policy.ts';
import { endWaiting } from './giving.ts';
import { forgetPlayer } from './hear.ts';
import { freeAllOf, hostPolicy } from './host-policy.ts';
import type { AuthorNews, OutboxSource } from './outbox.ts';
import { OwnPlayer } from './own-player.ts';
import type { PeerState } from './peer-state.ts';
import { createPeerState, Link, note, refuse, simulatorOf } from './peer-state.ts';
import type { PeerView } from './peer-view.ts';
import type { PeerRecorder } from './recorder.ts';
import { restartScene } from './restart.ts';
import { Traffic } from './traffic.ts';
import { fillView } from './view.ts';

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
  /** Ticks between two packets to the same peer; 1 is the full rate. */
  sendEvery = 1;
  readonly #carrying = new Carrying();
  readonly #reader: PacketReader;
  readonly #header: PacketHeader = packetHeader();
  readonly #news: AuthorNews[];
  readonly #table: (AuthorNews | null)[];
  readonly #traffic: readonly Traffic[] = Array.from({ length: MAX_PLAYERS }, () => new Traffic());
  readonly #changes: Changes;
  readonly #source: OutboxSource;
  readonly #recorder: PeerRecorder | null;
  #receiver: Slot = 0 as Slot;
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
    this.#reader = new PacketReader(scene.bodies.length);
    this.#news = this.state.authors.map((author) => ({ tick: 0, avatar: author.avatar }));
    this.#table = this.state.authors.map(() => null);
    this.#changes = new Changes(scene.bodies.length);
    this.#source = this.#createSource();
    this.#recorder = options.recorder ?? null;
  }

  get isHost(): boolean {
    return this.state.policy.isHost;
  }

  /** What went out to a peer and came in from it. */
  traffic(slot: Slot): Traffic {
    return this.#traffic[slot];
  }

  /**
   * [F3] When the last packet of a peer came that was read whole, in milliseconds on the clock of `receive`.
   * -Infinity without a connection, and before the first packet over it: the time before that is the owner's.
   */
  heardAt(slot: Slot): number {
    return this.state.links[slot]?.heardAt ?? -Infinity;
  }

  /** Milliseconds to a peer and back, smoothed; 0 before the first ack. */
  roundTripMs(slot: Slot): number {
    return this.state.links[slot]?.acks.roundTripMs ?? 0;
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
    const { links, bodies } = this.state;
    if (links[slot]?.connection === connection) return;
    if (links[slot] !== null) this.#disconnect(slot);
    links[slot] = new Link(slot, connection, bodies.count);
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
    if (reason !== null) refuse(this.state, reason);
  }

  #receive(nowMs: number, from: Slot, bytes: Uint8Array): string | null {
    const peer = this.state;
    const link = peer.links[from];
    if (link === undefined || link === null) return 'unknown sender';
    const reader = this.#reader;
    const headFault = reader.readHead(bytes);
    if (headFault !== null) return headFault;
    if (reader.header.connection !== (link.connection & 0xffff)) return 'other connection';
    const barred = peer.policy.admit(peer, reader.header);
    if (barred !== null) return barred;
    const sequence = link.acks.unwrapReceived(reader.header.sequence);
    const judged = link.acks.judge(sequence);
    if (judged !== 'new') return judged;
    for (let i = 0; i < MAX_PLAYERS; i++) newestTicks[i] = peer.authors[i].newestTick;
    const fault =
      reader.readBody(from, sequence, link.received, newestTicks) ?? peer.policy.check(reader, from);
    if (fault !== null) return fault;
    this.#adopt(link, reader.header);
    link.acks.receive(sequence);
    link.heardAt = nowMs;
    if (reader.header.ack >= 0) {
      link.acks.acknowledge(reader.header.ack, reader.header.ackBits, nowMs, link.acked);
    }
    this.#traffic[from].received(bytes.length);
    reader.keep(sequence, link.received);
    peer.policy.hear(peer, reader, from, sequence);
    return null;
  }

  #adopt(link: Link, header: Readonly<PacketHeader>): void {
    const { reset } = this.state;
    this.state.policy.adopt(this.state, link, header);
    if (reset < 0 || reset === this.state.reset) return;
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
    bodies.writeReceived(this.#simulatesHere);
    bodies.showReceived(this.#simulatesHere);
    bodies.updateRest(this.#simulatesHere);
    this.#returnRested();
    bodies.writeBack(this.#simulatesHere);
    bodies.step(this.#onCollision);
    this.spread.run(bodies.records, bodies.simulation.contacts, peer.self, this.isHost, this.#onTaken);
    this.#putBackStrays();
    bodies.recordOwn(this.#simulatesHere);
    bodies.showOwn(this.#simulatesHere);
    this.#sampleAvatar();
    if (!this.#hasWorld && knowsAll(peer)) {
      this.#hasWorld = true;
      bodies.beginShowing();
    }
  }

  /** True if this peer simulates the body for everyone. */
  simulates(body: BodyId): boolean {
    return simulatorOf(this.state, body) === this.state.self;
  }

  readonly #simulatesHere = (body: BodyId): boolean => this.simulates(body);

  readonly #isTaken = (body: BodyId): boolean => !mayGrab(this.state.bodies.records, body, this.state.self);

  /** [A7] */
  #returnRested(): void {
    const { records } = this.state.bodies;
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      if (records.authority[body] !== this.state.self || !mayReturn(records, body)) continue;
      giveBack(records, body, this.isHost);
      note(this.state, 'return', 'A7', body, this.state.self);
    }
  }

  readonly #onCollision = (a: BodyId, b: BodyId, speed: number): void => {
    this.contacts.add(a, b, speed);
    if (b === NO_BODY || speed < HARD_COLLISION_SPEED) return;
    const { collidedUntil, tick } = this.state;
    collidedUntil[a] = tick + HARD_COLLISION_TICKS;
    collidedUntil[b] = tick + HARD_COLLISION_TICKS;
    if (this.simulates(a) || this.simulates(b))
      note(this.state, 'collide', '', a, simulatorOf(this.state, a));
  };

  readonly #onTaken = (body: BodyId): void => {
    this.state.bodies.takenHere(body);
    note(this.state, 'take', 'A5', body, this.state.self);
  };

  /** [R4] */
  #putBackStrays(): void {
    const { bodies } = this.state;
    for (let i = 0; i < bodies.count; i++) {
      const body = i as BodyId;
      if (bodies.isHeldHere(body) || !isOut(bodies.motion, body)) continue;
      if (!this.simulates(body)) {
        bodies.putBackToRecord(body);
        continue;
      }
      bodies.putBackToStart(body);
      note(this.state, 'put back', 'R4', body, this.state.self);
    }
  }

  #sampleAvatar(): void {
    const own = this.state.authors[this.state.self];
    own.newestTick = this.state.tick;
    own.avatarTime = this.player.sample(this.state, own.avatarTime, own.avatar);
  }

  /**
   * Hands out this tick's packets; call it once after each tick. The bytes are valid until `send` returns.
   * @param ready false for a peer whose channel has not sent the last packet yet: this one is skipped [F2].
   */
  poll(nowMs: number, send: (to: Slot, bytes: Uint8Array) => void, ready?: (to: Slot) => boolean): void {
    this.#recorder?.poll(nowMs, this.sendEvery);
    const peer = this.state;
    if (peer.reset < 0) return;
    this.#changes.update(peer);
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const link = peer.links[slot];
      if (link === null) continue;
      this.#receiver = slot as Slot;
      link.outbox.raise(this.#source);
      if (peer.tick % this.sendEvery !== 0) continue;
      if (ready !== undefined && !ready(slot as Slot)) {
        this.#recorder?.skip(slot as Slot);
        continue;
      }
      const bytes = this.#write(nowMs, slot as Slot, link);
      this.#recorder?.sent(slot as Slot, bytes);
      send(slot as Slot, bytes);
    }
  }

  #write(nowMs: number, to: Slot, link: Link): Uint8Array {
    const { acks } = link;
    const packet = acks.send(nowMs);
    const header = this.#header;
    header.connection = link.connection;
    header.term = this.state.term;
    header.reset = this.state.reset;
    header.sequence = packet;
    header.ack = acks.newestReceived;
    header.ackBits = acks.receivedBits;
    this.#fillTable(to, link, packet);
    const bytes = link.outbox.write(header, packet, this.state.self, this.#table, this.#source);
    this.#traffic[to].sent(bytes.length, link.outbox.bits);
    return bytes;
  }

  /** Who stands in the packet's table: this peer, and on the host every guest but the receiver [T3]. */
  #fillTable(to: Slot, link: Link, packet: number): void {
    let names = 0;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const author = this.state.authors[slot];
      const own = slot === this.state.self;
      const told = own || (this.isHost && slot !== to && author.newestTick >= 0);
      this.#table[slot] = told ? this.#news[slot] : null;
      if (!told) continue;
      const hasNews = author.avatarTime > link.avatarSent[slot];
      this.#news[slot].tick = author.newestTick;
      this.#news[slot].avatar = hasNews ? author.avatar : null;
      if (!hasNews) continue;
      link.avatarSent[slot] = author.avatarTime;
      const named = link.needsName(slot as Slot) && author.nameBytes.length > 0;
      author.avatar.name = named ? author.nameBytes : NO_NAME;
      if (named) names |= 1 << slot;
    }
    link.namesSent(packet, names);
  }

  #createSource(): OutboxSource {
    const peer = this.state;
    return {
      changes: this.#changes.counts,
      describe: (body, out) => peer.policy.describe(peer, body, this.#receiver, out),
      insists: (body) => peer.policy.insists(peer, body),
      urgency: (body) => {
        if (peer.thrownUntil[body] > peer.tick) return PRIORITY_THROWN;
        return peer.collidedUntil[body] > peer.tick ? PRIORITY_HARD_COLLISION : PRIORITY_BASE;
      },
    };
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
const NO_NAME = new Uint8Array(0);
