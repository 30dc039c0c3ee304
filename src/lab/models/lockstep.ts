import type { Hand } from '../game/hand.ts';
import { HandExchange, HandTrack, HashTrack, partedWord } from '../game/hand-exchange.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import { posesOf } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';

/**
 * The least delay in ticks, and the ticks added to the time that packets take: one for each end, and one to
 * spare.
 */
const LEAST_DELAY = 2;
const SPARE_TICKS = 2;
/** Ticks for which a peer waits before it tells the player. */
const SAYS_AFTER = 12;

/** Lockstep's delay for a network: every hand is there when its tick comes, apart from strays. */
export function delayFor(pathTicks: number): number {
  return LEAST_DELAY + Math.max(0, Math.ceil(pathTicks) + SPARE_TICKS - LEAST_DELAY);
}

/** A peer that steps once all hands of a tick have arrived, and not before. */
export class LockstepPeer implements LabPeer {
  readonly report = peerReport();
  readonly hashes = new HashTrack();
  readonly #self: number;
  readonly #delay: number;
  readonly #world: LabWorld;
  readonly #own: HandTrack;
  /** One entry for each player; null at this player's own place. */
  readonly #others: readonly (HandExchange | null)[];
  #waited = 0;

  constructor(setup: GameSetup, self: number, delay: number) {
    const { homes } = setup.scene;
    this.#self = self;
    this.#delay = delay;
    this.#world = setup.createWorld(self);
    this.#own = new HandTrack(homes[self], delay);
    this.#others = homes.map((home, player) => (player === self ? null : new HandExchange(home, delay)));
    this.report.kept = homes.length * HAND_BYTES;
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    this.#others[from]?.receive(bytes, ignore);
  }

  tick(hand: Hand): void {
    const { report } = this;
    // While it waits it takes no new hand, because the last one has not acted yet.
    if (this.#own.complete === report.worldTick + this.#delay) this.#own.put(this.#own.complete + 1, hand);
    const next = report.worldTick + 1;
    const isReady = this.#others.every((other) => other === null || other.theirs.complete >= next);
    this.#waited = isReady ? 0 : this.#waited + 1;
    if (isReady) {
      this.#world.step(this.#others.map((other) => (other === null ? this.#own : other.theirs).at(next)));
      report.worldTick = next;
      this.hashes.put(next, this.#world.hash());
    }
    for (const other of this.#others) other?.compare(this.hashes);
    report.word = this.#word();
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    this.#others.forEach((other, player) => {
      if (player !== this.#self && other !== null) send(player, other.write(this.#own, this.hashes));
    });
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }

  #word(): string {
    const parted = this.#others.find((other) => (other?.partedAt ?? 0) > 0);
    if (parted !== undefined && parted !== null) return partedWord(parted.partedAt);
    return this.#waited < SAYS_AFTER
      ? ''
      : 'Waiting for the other player: nobody moves until all hands are here.';
  }
}

/** Bytes of a player's history of hands, and of hashes. */
const HAND_BYTES = 1024 * (3 * 8 + 4 + 8);
const ignore = (): void => undefined;

/**
 * Deterministic lockstep. Only hands travel, and every machine computes the same. A hand acts some ticks after
 * it was sampled, so that it is everywhere by then. Hands are sent until they are acked, in place of any
 * retransmission. A machine that lacks a hand waits, and so do all. Described by Paul Bettner and Mark Terrano
 * ("1500 Archers on a 28.8", 2001) and Glenn Fiedler ("Deterministic Lockstep", 2014).
 */
export const lockstep: LabModel = {
  id: 'lockstep',
  title: 'Deterministic lockstep',
  look: 'All is exact, nothing jumps, and a thousand bodies cost no more than one; your hand acts later the worse the network is. When one player stalls, all stand still.',
  suits:
    'Strategy with thousands of units, turn-based physics, replays. It needs the same build, bit for bit, everywhere.',
  engine: 'deterministic',
  rate: 60,
  create(setup) {
    const delay = delayFor(setup.pathTicks);
    const peers = setup.scene.homes.map((_, player) => new LockstepPeer(setup, player, delay));
    // The machine that is ahead has the true state first; the others will have the same.
    const ahead = (): LockstepPeer =>
      peers.reduce((a, b) => (b.report.worldTick > a.report.worldTick ? b : a));
    return { peers, truth: (out) => ahead().view(out) };
  },
};
