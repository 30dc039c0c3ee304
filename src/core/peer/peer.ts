import type { BodyId, ConnectionId, Slot, Tick } from '../base/ids.ts';
import { encodeName } from '../base/text.ts';
import type { PlayerInput } from '../hands/hand-input.ts';
import { SEND_LIMITS } from '../link/send-budget.ts';
import { PacketReader } from '../wire/packet.ts';
import type { SavedWorld } from '../wire/files/saved-world.ts';
import { AuthoritySpread, mayGrab } from '../world/authority.ts';
import type { LevelReference } from '../world/level-reference.ts';
import { Actions } from './actions/actions.ts';
import type { ActionRefusal, BodyAction } from './actions/body-action.ts';
import { createPeerState } from './create-peer-state.ts';
import { beginLink, forgetLink } from './begin-link.ts';
import { CarriedBodies } from './hands/carried-bodies.ts';
import { ContactLog } from './diagnostics/contact-log.ts';
import { logEvent } from './diagnostics/log-event.ts';
import { PeerDiagnostics } from './diagnostics/peer-diagnostics.ts';
import { forgetOthers, guestPolicy, knowsAll, loseAll } from './policy/guest-policy.ts';
import { endWaiting } from './hands/giving.ts';
import { collide } from './bodies/blows.ts';
import { Gathering } from './bodies/gathering.ts';
import { becomeHost, followHost, leadOn } from './policy/host-migration.ts';
import { freeAllOf, hostPolicy } from './policy/host-policy.ts';
import { advanceAuthors } from './incoming/advance-authors.ts';
import { receivePacket } from './incoming/receive-packet.ts';
import type { Receiving } from './incoming/receive-packet.ts';
import { OwnPlayer } from './hands/own-player.ts';
import { reject } from './policy/offences.ts';
import { Joints } from './joints/joints.ts';
import type { PeerState } from './peer-state.ts';
import { forEachReceiver } from './receivers.ts';
import type { PeerView } from './shown/peer-view.ts';
import type { PeerRecorder } from './recording/recorder.ts';
import type { PeerOptions } from './peer-options.ts';
import { returnRested } from './bodies/returning.ts';
import { putBackStrays } from './bodies/strays.ts';
import { simulatorOf } from './simulator.ts';
import { isTouched, resetLevel, saveWorld } from './bodies/reset.ts';
import type { SendToWatchers } from './outgoing/broadcast.ts';
import { Sending } from './outgoing/sending.ts';
import type { SchemaDeclaration } from '../shared/declaration.ts';
import type { SharedSchema } from '../shared/schema.ts';
import type { SharedSink } from './shared/shared-state.ts';
import { SharedState } from './shared/shared-state.ts';
import { sharedSink } from './shared/shared-sink.ts';
import type { Traffic } from './diagnostics/traffic.ts';
import { fillView } from './shown/view.ts';
import type { Spawn, SpawnRefusal } from './actions/spawning.ts';
import { despawn, spawn } from './actions/spawning.ts';

/**
 * One running simulation of the shared world: the host or a guest. Bytes and time go in, bytes and events come out;
 * it has no clock, no socket and no callback into its owner. The owner calls `receive` for each packet that arrives,
 * `tick` as often as the level says, `poll` for the packets to send, and `view` for drawing.
 */
export class Peer {
  /** @internal */ readonly state: PeerState;
  /** @internal */ readonly player: OwnPlayer;
  /** The collisions in this peer's engine, of all bodies. */
  readonly contacts = new ContactLog();
  /** [A5] Spreads this peer's authority after each step. @internal */
  readonly spread: AuthoritySpread;
  readonly #gathering: Gathering;
  readonly #actions = new Actions();
  readonly #carried = new CarriedBodies();
  /** Reads its packets; public for tools that time it. @internal */
  readonly reader: PacketReader;
  readonly #receiving: Receiving;
  readonly #sending: Sending;
  readonly #recorder: PeerRecorder | null;
  /** [V2.4], [E1.1] @internal */
  readonly sharedSink: SharedSink;
  /** [J4] The joints of the level: which are there. */
  readonly joints: Joints;
  #hasWorld = false;
  #isDisposed = false;
  /** The peer's beliefs and actions, read-only. */
  readonly diagnostics: PeerDiagnostics;

  /** @throws RangeError with a sentence for each fault of the level [B1.4]. */
  constructor(options: PeerOptions) {
    const { slot, host, level, simulation, schema = null } = options;
    const policy = slot === host ? hostPolicy : guestPolicy;
    this.state = createPeerState(slot, host, policy, level, simulation, schema);
    // A guest takes over the term and the reset of the first packet.
    if (slot !== host) Object.assign(this.state, { term: -1, reset: -1 });
    const own = this.state.authors[slot];
    own.setName(encodeName(options.name ?? ''));
    own.isAvatarless = options.avatar === false;
    const { count } = this.state.bodies;
    this.player = new OwnPlayer(count, this.state.giving.given, this.state.heldBounds, level.rate);
    this.spread = new AuthoritySpread(count);
    this.#gathering = new Gathering(count, level.rate);
    this.reader = new PacketReader(count, this.state.flights, this.state.shared?.layout);
    this.#receiving = {
      reader: this.reader,
      traffic: (from) => this.traffic(from),
      beginAnew: () => this.#beginAnew(),
    };
    this.#recorder = options.recorder ?? null;
    this.sharedSink = sharedSink(this.state, this.#recorder, () => this.#assertLives());
    this.joints = new Joints(this.state, this.sharedSink);
    this.#sending = new Sending(this.state, { ...SEND_LIMITS, ...options.limits }, this.#recorder);
    this.diagnostics = new PeerDiagnostics(this, () => this.#assertLives());
  }

  /** Frees the engine. A second call does nothing. From then on every call that does something throws. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.state.bodies.simulation.dispose();
  }

  #assertLives(): void {
    if (this.#isDisposed) throw new Error('This peer was disposed: its engine is freed.');
  }

  /** Ticks between two packets to a peer while something visible changes [W8.8]. @throws RangeError unless whole, 1 or more. */
  get sendEvery(): number {
    return this.#sending.every;
  }

  set sendEvery(ticks: number) {
    this.#sending.every = ticks;
  }

  get isHost(): boolean {
    return this.state.policy.isHost;
  }

  /** The traffic to and from a peer. */
  traffic(slot: Slot): Traffic {
    return this.#sending.traffic[slot];
  }

  /**
   * [F3] Milliseconds on the clock of `receive`: when the last valid packet of a peer came. -Infinity without a
   * connection, and before its first packet: the owner judges the silence before that.
   */
  lastReceivedMs(slot: Slot): number {
    return this.state.links[slot]?.receivedMs ?? -Infinity;
  }

  /** The round trip to a peer in milliseconds, smoothed; 0 before the first ack. */
  roundTripMs(slot: Slot): number {
    return this.state.links[slot]?.acks.roundTripMs ?? 0;
  }

  /** Host: true once a guest has acked an update of every body; false without a connection. Asks all bodies. */
  hasAcked(slot: Slot): boolean {
    return this.state.links[slot]?.receiver.hasAcked(this.state.bodies) ?? false;
  }

  /** [F1] The offences of a peer since it was connected, for the owner to judge; 0 without a connection. */
  offences(slot: Slot): number {
    return this.state.links[slot]?.offences ?? 0;
  }

  /**
   * Begins to exchange packets with a peer. A new connection replaces an older one, for a player that joins, or that
   * comes back after it was absent: the host frees the player's bodies, if `disconnect` has not yet [H6]; the guest
   * lets go of them likewise, claims none of them again, and takes over the host's next ruling on every body whole
   * [H8]. With the number of the present connection nothing happens: a player that the room never missed goes on
   * over another line as it was.
   * @param connection the same at both ends: packets with another number are rejected. In a room the host chooses
   * it, and its welcome carries it. Packets carry its low 16 bits, so two connections in a row must differ in those.
   */
  connect(slot: Slot, connection: ConnectionId): void {
    this.#recorder?.connect(slot, connection);
    const { links } = this.state;
    if (links[slot]?.connection === connection) return;
    if (links[slot] !== null) this.#disconnect(slot);
    if (!this.isHost) {
      this.player.letGoOfAll(this.state);
      loseAll(this.state);
    }
    beginLink(this.state, slot, connection, false);
    if (!this.isHost) this.#hasWorld = false;
  }

  /** A peer has left. On the host its bodies fall free [H6]; a guest forgets all other players. */
  disconnect(slot: Slot): void {
    this.#recorder?.disconnect(slot);
    this.#disconnect(slot);
  }

  #disconnect(slot: Slot): void {
    this.state.links[slot] = null;
    if (this.isHost) freeAllOf(this.state, slot);
    else forgetOthers(this.state, 0);
  }

  /**
   * [F4] This peer is the host from now on: a guest whose host is absent, or a host that leads again, or in a new world.
   * @param term of the room, 0 to MAX_TERM; newer than that of the former host.
   * @param waitsFor the players that are to connect, and keep their bodies; the bodies of others fall free [H6].
   */
  becomeHost(term: number, waitsFor: readonly Slot[]): void {
    this.#recorder?.lead(term, waitsFor);
    if (this.isHost) leadOn(this.state, term, waitsFor);
    else becomeHost(this.state, term, waitsFor);
  }

  /**
   * [F4] This peer goes on with another host and connects to it: a guest, or a host that has given the room away. It keeps
   * its bodies and what it holds [H8]. @throws if it is to follow itself.
   */
  follow(host: Slot, connection: ConnectionId): void {
    if (host === this.state.self) throw new Error('nobody follows itself');
    this.#recorder?.follow(host, connection);
    this.#hasWorld = this.hasWorld;
    followHost(this.state, host);
    beginLink(this.state, host, connection, true);
  }

  /**
   * True once every body is drawn where the room has it; always true on the host. On a guest it is false from
   * `connect` on, until the host's ruling on every body has come, and a tick has shown a received pose of every body
   * that another player simulates. Until then bodies are drawn where the level begins.
   */
  get hasWorld(): boolean {
    return this.isHost || this.#hasWorld;
  }

  /** Host: back to the start, or to a saved world; packets from before count no more. @throws on a guest. */
  reset(saved: SavedWorld | null = null): void {
    this.#assertLives();
    if (!this.isHost) throw new Error('only the host resets the level');
    this.#recorder?.reset(saved);
    this.#beginAnew();
    resetLevel(this.state, this.state.reset + 1, saved);
    forEachReceiver(this.state, (link) => forgetLink(this.state, link));
  }

  /**
   * The world as it is now, as a copy to be kept; held bodies are saved as if they were let go of.
   * @param level the reference of the peer's level.
   * @param now seconds since the beginning of 1970.
   */
  saveWorld(level: LevelReference, now: number): SavedWorld {
    return saveWorld(this.state, level, now);
  }

  /** True if a player has had a body in a hand since the level began: else there is nothing to keep. */
  get isTouched(): boolean {
    return isTouched(this.state);
  }

  /**
   * Takes in a packet: decides its claims at once, and lets its poses wait until they are due. Never throws on any
   * bytes; rejections are counted in `diagnostics.rejections`.
   * @param nowMs any clock that does not go back.
   */
  receive(nowMs: number, from: Slot, bytes: Uint8Array): void {
    this.#assertLives();
    this.#recorder?.receive(nowMs, from, bytes);
    const reason = receivePacket(this.state, this.#receiving, nowMs, from, bytes);
    if (reason !== null) reject(this.state, reason, from);
  }

  #beginAnew(): void {
    this.#carried.clear();
    this.player.dropAll(this.state);
    this.#actions.clear();
  }

  /**
   * [A13] Acts on a body without a hand, in the next tick: takes, pushes or moves it. What the action has is copied.
   * @returns why it is refused; null if it is not. A refusal in the next tick is logged as 'deny' with the rule A13.
   */
  act(action: BodyAction): ActionRefusal | null {
    this.#assertLives();
    const refusal = this.#actions.ask(this.state, action);
    if (refusal === null) this.#recorder?.act(action);
    return refusal;
  }

  /**
   * [S2] Spawns a body under this player, at once. If the host refuses it, 'refuse' is logged with the rule S2.
   * @returns its id, or why it is not spawned.
   */
  spawn(wish: Spawn): BodyId | SpawnRefusal {
    this.#assertLives();
    const body = spawn(this.state, wish);
    this.#recorder?.spawn(body, this.state.bodies.level.templates.indexOf(wish.template), wish);
    return body;
  }

  /** [S3] Takes a body out of the world. @returns why not; null if it is gone. */
  despawn(body: BodyId): SpawnRefusal | null {
    this.#assertLives();
    const refusal = despawn(this.state, body);
    if (refusal === null) this.#recorder?.despawn(body);
    return refusal;
  }

  /**
   * [V], [E] The shared state and the events of this peer, with the types of its schema.
   * @throws if the peer was made with another schema.
   */
  shared<D extends SchemaDeclaration>(schema: SharedSchema<D>): SharedState<D> {
    const { shared } = this.state;
    if (shared?.layout.schema.hash !== schema.hash) throw new Error('The peer was made with another schema.');
    return new SharedState(this.state, shared, this.sharedSink);
  }

  /** Advances by one tick: 1 / `level.rate` seconds. The order is that of the picture in ARCHITECTURE.md. */
  tick(input: Readonly<PlayerInput>): void {
    this.#assertLives();
    this.#recorder?.tick(input);
    const peer = this.state;
    const { bodies } = peer;
    peer.tick = (peer.tick + 1) as Tick;
    // Poses and events that are due [E1]; the room's time [K1].
    advanceAuthors(peer);
    // Bodies in other players' hands, those that wait for a ruling [A9], and own hands.
    this.#carried.update(peer);
    endWaiting(peer);
    this.player.act(peer, input, this.#isTaken);
    bodies.markSimulated(peer.self, peer.host);
    this.player.pulls.update(peer);
    // Received states into the engine; other players' bodies are shown.
    bodies.writeReceived();
    bodies.showReceived();
    // Rest, and the return of rested bodies [A7].
    bodies.updateRest();
    returnRested(peer);
    // Own records into the engine [W2]; actions without a hand [A13]; the step; blows take what they strike [A14]; joints break [J6].
    bodies.writeBack();
    this.#actions.run(peer);
    bodies.step(this.#onCollision, peer.yielding.before(peer.self, bodies));
    peer.blows.keepDrawn(bodies);
    this.joints.breakOverloaded();
    // Authority after the step: spread [A5], gathering [A11]; bodies that left the world [R4].
    this.spread.run(bodies.records, bodies.simulation.contacts, peer.self, this.isHost, this.#onTaken);
    if (this.isHost) this.#gathering.run(peer);
    putBackStrays(peer);
    // The engine into own records; own bodies are shown; the avatar.
    bodies.updateRecords();
    bodies.showOwn();
    this.player.sample(peer);
    this.#checkWorld();
  }

  /** Sets `hasWorld` in the first tick in which it is true. */
  #checkWorld(): void {
    if (this.#hasWorld || !knowsAll(this.state)) return;
    this.#hasWorld = true;
    // Bodies are not drawn on their way from where the level begins.
    this.state.bodies.drawn.keepBefore();
  }

  /** True if this peer simulates the body for everyone. Valid at any time, unlike `bodies.simulatedHere`. */
  simulates(body: BodyId): boolean {
    return simulatorOf(this.state, body) === this.state.self;
  }

  readonly #isTaken = (body: BodyId): boolean => !mayGrab(this.state.bodies.records, body, this.state.self);

  readonly #onCollision = (a: BodyId, b: BodyId, speed: number): void => {
    this.contacts.add(a, b, speed);
    collide(this.state, a, b, speed);
  };

  readonly #onTaken = (body: BodyId): void => {
    this.state.bodies.startSimulating(body);
    logEvent(this.state, 'take', 'A5', body, this.state.self);
  };

  /**
   * Hands out this tick's packets; call it once after each tick. Not every tick has a packet for every peer [W8].
   * @param nowMs the clock of `receive`.
   * @param send gets each packet; the bytes are valid until it returns.
   * @param ready false for a peer whose channel has not sent the last packet yet: this tick's is skipped [F2].
   */
  poll(nowMs: number, send: (to: Slot, bytes: Uint8Array) => void, ready?: (to: Slot) => boolean): void {
    this.#assertLives();
    this.#recorder?.poll(nowMs, this.sendEvery);
    if (this.state.term >= 0) this.#sending.poll(nowMs, send, ready);
  }

  /**
   * [N5] Host: hands out this tick's packets for all that watch; call it after `poll` in each tick in which somebody does.
   * A watcher is a guest in WATCHER_SLOT, under BROADCAST_CONNECTION, that gets every packet from a keyframe on.
   * @param wantsKeyframe true if a watcher waits for a keyframe; it comes within half a second. @throws on a guest.
   */
  broadcast(nowMs: number, wantsKeyframe: boolean, send: SendToWatchers): void {
    this.#assertLives();
    this.#sending.broadcast(nowMs, wantsKeyframe, send);
  }

  /**
   * Fills a view of the present moment for drawing.
   * @param alpha the moment between the last two ticks, 0 to 1 [T5].
   * @param hands this player's input of the drawn frame, which held bodies follow; null: that of the last tick.
   * @param out the caller's; everything in it is overwritten.
   */
  view(alpha: number, hands: Readonly<PlayerInput> | null, out: PeerView): void {
    fillView(this.state, this.player, this.#carried, alpha, hands, out);
  }
}
