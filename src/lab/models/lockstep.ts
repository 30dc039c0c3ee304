import { POSE_STRIDE } from '../../core/base/state.ts';
import { DecidedPoses } from '../game/decided-poses.ts';
import { Departures, GONE_WORD } from '../game/departures.ts';
import type { Hand } from '../game/hand.ts';
import { HandExchange, HandTrack, HashTrack, partedWord } from '../game/hand-exchange.ts';
import type { Knock } from '../game/knocks.ts';
import { knocksBetween } from '../game/knocks.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import { posesOf } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';

/** Ticks added to the time that packets take: machines tick out of phase, and a packet may wait a tick at each end. */
const SPARE_TICKS = 2;
/** Ticks for which a peer waits before it tells the player. */
const SAYS_AFTER = 12;

/** Lockstep's delay for a network: every hand is there when its tick comes, apart from strays. */
export function delayFor(pathTicks: number): number {
  return Math.max(0, Math.ceil(pathTicks)) + SPARE_TICKS;
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
  readonly #departures: Departures;
  readonly #decided: DecidedPoses;
  readonly #poses: Float32Array;
  readonly #motionBefore: Float32Array;
  readonly #heard: ((knock: Knock) => void) | null;
  #waited = 0;

  /** @param heard called for each knock: no tick of lockstep ever changes, so none has to wait. */
  constructor(setup: GameSetup, self: number, delay: number, heard: ((knock: Knock) => void) | null = null) {
    const { homes, level } = setup.scene;
    this.#departures = new Departures(self, homes);
    this.#decided = new DecidedPoses(level.bodies.length);
    this.#poses = new Float32Array(level.bodies.length * POSE_STRIDE);
    this.#heard = heard;
    this.#self = self;
    this.#delay = delay;
    this.#world = setup.createWorld(self);
    this.#own = new HandTrack(homes[self], delay);
    this.#others = homes.map((home, player) => (player === self ? null : new HandExchange(home, delay)));
    this.report.kept = homes.length * HAND_BYTES;
    this.#motionBefore = this.#world.motion.slice();
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    // The game has gone on without a player that was gone for too long, so its packets no longer count.
    if (this.#departures.isGone(from)) return;
    const isRead = this.#others[from]?.receive(bytes, ignore, (c) =>
      this.#departures.code(c, (player) => this.#trackOf(player), from),
    );
    if (isRead === true) this.#departures.hear(from);
  }

  #trackOf(player: number): HandTrack {
    return this.#others[player]?.theirs ?? this.#own;
  }

  tick(hand: Hand): void {
    const { report } = this;
    // While it waits it takes no new hand, because the last one has not acted yet.
    if (this.#own.complete === report.worldTick + this.#delay) this.#own.put(this.#own.complete + 1, hand);
    this.#departures.advance();
    const next = report.worldTick + 1;
    const isReady = this.#others.every((_, player) => this.#hasHand(player, next));
    this.#waited = isReady ? 0 : this.#waited + 1;
    if (isReady) this.#step(next);
    for (const other of this.#others) other?.compare(this.hashes);
    report.word = this.#word();
  }

  /** True if a player's hand of a tick is there, or will never come. */
  #hasHand(player: number, tick: number): boolean {
    const known = this.#trackOf(player).complete;
    return player === this.#self || known >= tick || this.#departures.lastTick(player, known) >= 0;
  }

  #step(tick: number): void {
    this.#motionBefore.set(this.#world.motion);
    this.#world.step(this.#others.map((_, player) => this.#trackOf(player).at(tick)));
    this.report.worldTick = tick;
    this.hashes.put(tick, this.#world.hash());
    posesOf(this.#world.motion, this.#poses);
    this.#decided.put(tick, this.#poses);
    if (this.#heard === null) return;
    for (const knock of knocksBetween(this.#motionBefore, this.#world.motion, tick)) this.#heard(knock);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    this.#others.forEach((other, player) => {
      if (player === this.#self || other === null) return;
      const bytes = other.write(this.#own, this.hashes, (c) =>
        this.#departures.code(c, (gone) => this.#trackOf(gone)),
      );
      send(player, bytes);
    });
  }

  /** Writes the poses of a tick: no tick ever changes. @returns false before it is computed. */
  decided(tick: number, out: Float32Array): boolean {
    return this.#decided.read(tick, out);
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }

  #word(): string {
    const parted = this.#others.find((other) => (other?.partedAt ?? 0) > 0);
    if (parted !== undefined && parted !== null) return partedWord(parted.partedAt);
    if (this.#waited >= SAYS_AFTER) {
      return 'Waiting for the other player: nobody moves until all hands are here.';
    }
    const isAlone = this.#others.some((_, player) => this.#departures.isGone(player));
    return isAlone ? GONE_WORD : '';
  }
}

/** Bytes of a player's history of hands, and of hashes. */
const HAND_BYTES = 1024 * (3 * 8 + 4 + 8);
const ignore = (): void => undefined;

/**
 * Deterministic lockstep. Only hands travel, and every machine computes the same. A hand acts some ticks after
 * it was sampled, so that it is everywhere by then. Each packet repeats the hands that are not acked yet, so no
 * retransmission is needed. A machine that lacks a hand waits, and so all machines wait, until a player that is silent
 * for five seconds counts as gone. Described by Paul Bettner and Mark Terrano ("1500 Archers on a 28.8", 2001) and
 * Glenn Fiedler ("Deterministic Lockstep", 2014).
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
    return {
      peers,
      truth: (out) => ahead().view(out),
      timeline: {
        present: (player) => peers[player].report.worldTick,
        decided: (player, tick, out) => peers[player].decided(tick, out),
      },
    };
  },
};
