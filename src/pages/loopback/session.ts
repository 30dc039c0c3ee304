import type { ConnectionId, Slot } from '../../core/base/ids.ts';
import { TICK_RATE } from '../../core/base/constants.ts';
import { copyPose } from '../../core/base/math.ts';
import { Random } from '../../core/base/random.ts';
import type { Bot } from '../../bots/bot.ts';
import { createBot } from '../../bots/bots.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import { Peer } from '../../core/peer/peer.ts';
import type { Level } from '../../core/world/level.ts';
import { createLevel } from '../../levels/levels.ts';
import { createRapierSimulation } from '../../physics/rapier-simulation.ts';
import type { Loopback } from '../../transport/loopback.ts';
import { createLoopback } from '../../transport/loopback.ts';
import type { Settings } from '../settings.ts';

export const HOST = 0 as Slot;
export const GUEST = 1 as Slot;
const CONNECTION = 1 as ConnectionId;
const NAMES = ['Host', 'Guest'] as const;

/** Returns a slot's hands for the tick that is due at `timeMs`. */
export type HandSource = (slot: Slot, timeMs: number) => PlayerInput;

/** Two complete peers in one page, and the network between them. A session has one scene. */
export class LoopbackSession {
  readonly level: Level;
  readonly peers: readonly [Peer, Peer];
  readonly #loopback: Loopback;
  readonly #bot: Bot | null;
  readonly #botInput = playerInput();
  readonly #hands: HandSource;
  readonly #noHands = playerInput();
  #ticks = 0;
  #isVisited = false;
  #wasVisited = false;

  constructor(settings: Settings, hands: HandSource) {
    this.level = createLevel({ id: settings.scene, seed: settings.seed, count: settings.count });
    this.#loopback = createLoopback({ seed: settings.seed, slots: 2 });
    this.#hands = hands;
    this.peers = [this.#createPeer(HOST), this.#createPeer(GUEST)];
    this.peers[HOST].connect(GUEST, CONNECTION);
    this.peers[GUEST].connect(HOST, CONNECTION);
    const seat = { slot: GUEST, players: 1, random: new Random(settings.seed) };
    this.#bot = settings.bots === 'none' ? null : createBot(settings.bots, seat);
    this.setNetwork(settings);
  }

  #createPeer(slot: Slot): Peer {
    const simulation = createRapierSimulation(this.level);
    return new Peer({ slot, host: HOST, level: this.level, simulation, name: NAMES[slot] });
  }

  /** Returns true if a bot plays this slot now. */
  isBot(slot: Slot): boolean {
    return slot === GUEST && this.#bot !== null && !this.#isVisited;
  }

  /**
   * Tells the session which world the player in a headset is in; null for none. The bot pauses while the
   * player is in its world.
   */
  visit(slot: Slot | null): void {
    this.#isVisited = slot === GUEST;
  }

  /** Applies the settings' network conditions and send rate. */
  setNetwork(settings: Settings): void {
    this.#loopback.setConditions({
      latencyMs: settings.latency,
      jitterMs: settings.jitter,
      loss: settings.loss / 100,
      duplicate: settings.duplicate / 100,
      channel: settings.channel,
    });
    for (const peer of this.peers) peer.sendEvery = TICK_RATE / settings.rate;
  }

  /** Runs one tick of both worlds, due at `timeMs`. */
  tick(timeMs: number): void {
    this.#ticks++;
    this.#loopback.now = timeMs;
    for (const peer of this.peers) {
      const transport = this.#loopback.transports[peer.diagnostics.slot];
      transport.receive(timeMs, (from, bytes) => peer.receive(timeMs, from, bytes));
      peer.tick(this.#inputOf(peer, timeMs));
      peer.poll(
        timeMs,
        (to, bytes) => transport.send(to, bytes),
        (to) => transport.ready(to),
      );
    }
  }

  #inputOf(peer: Peer, timeMs: number): PlayerInput {
    const slot = peer.diagnostics.slot;
    const wasVisited = this.#wasVisited;
    if (slot === GUEST) this.#wasVisited = this.#isVisited;
    if (this.#bot === null || !this.isBot(slot)) return this.#hands(slot, timeMs);
    this.#bot.act(this.#ticks, peer.diagnostics.bodies, this.#botInput);
    if (!wasVisited) return this.#botInput;
    // The bodies in the visitor's hands are let go gently [G3].
    copyPose(this.#botInput.head, this.#noHands.head);
    return this.#noHands;
  }

  /** Resets the scene, as the host does. */
  reset(): void {
    this.peers[HOST].reset();
  }

  /** Frees the engines. */
  dispose(): void {
    for (const peer of this.peers) peer.dispose();
  }
}
