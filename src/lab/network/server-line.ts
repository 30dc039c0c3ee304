import type { Coder } from '../../core/wire/coder/range-coder.ts';
import type { Hand } from '../game/hand.ts';
import type { LabScene } from '../game/scenes.ts';
import type { Snapshot } from './snapshots.ts';
import { SnapshotRing } from './snapshots.ts';
import { codeHands, codeSnapshot, codeTick, MOST_HANDS, readPacket, writePacket } from './wire.ts';

/** Ticks of hands and states that a client keeps: 17 s, far beyond any round trip. */
export const HISTORY = 1024;

/** Codes what a model's packets have before all else; both ends give the same description. */
export type Preface = (c: Coder) => void;

const nothing: Preface = () => undefined;

/**
 * A client's end of its line to the server. Hands go out, again and again, until the server has used them;
 * snapshots come in.
 */
export class ServerLine {
  readonly snapshots: SnapshotRing;
  /** The newest of this player's ticks that the newest snapshot contains; 0 before the first. */
  applied = 0;
  /** The newest tick whose hand is known. */
  tick = 0;
  readonly #home: Hand;
  readonly #bodies: readonly number[];
  readonly #hands: Hand[];
  #newest = 0;
  /** There is no hand of this tick or of earlier ones. */
  #begun = 0;

  constructor(scene: LabScene, player: number) {
    this.snapshots = new SnapshotRing(scene.level, scene.homes);
    this.#home = scene.homes[player];
    this.#bodies = scene.level.bodies.map((_, body) => body);
    this.#hands = new Array<Hand>(HISTORY).fill(this.#home);
  }

  /** The next hand is of the tick after this one; by default ticks begin at 1. */
  begin(tick: number): void {
    this.tick = tick;
    this.#begun = tick;
  }

  /** Keeps the hand of the next tick. */
  note(hand: Hand): void {
    this.tick++;
    this.#hands[this.tick % HISTORY] = hand;
  }

  /** The hand of a tick, not older than HISTORY; before the first tick, the first hand. */
  handOf(tick: number): Hand {
    return tick < 1 ? this.#home : this.#hands[tick % HISTORY];
  }

  /** Returns the snapshot in a packet, or null if it is not newer than all before. */
  receive(bytes: Uint8Array, preface: Preface = nothing): Snapshot | null {
    let applied = 0;
    let snapshot: Snapshot | null = null;
    const isRead = readPacket(bytes, (c) => {
      preface(c);
      applied = codeTick(c, 0);
      snapshot = codeSnapshot(c, this.snapshots, 0, 0, this.#bodies);
    });
    return isRead ? this.#adopt(snapshot, applied) : null;
  }

  #adopt(snapshot: Snapshot | null, applied: number): Snapshot | null {
    if (snapshot === null || snapshot.tick <= this.#newest) return null;
    this.#newest = snapshot.tick;
    this.applied = applied;
    return snapshot;
  }

  /** This tick's packet: the hands that the server may not have used yet, or the newest alone. */
  write(repeats: boolean, preface: Preface = nothing): Uint8Array {
    const most = repeats ? MOST_HANDS : 1;
    return this.writeHands(
      Math.min(most, Math.max(1, this.tick - Math.max(this.applied, this.#begun))),
      preface,
    );
  }

  /** This tick's packet with the newest hands, `count` of them. */
  writeHands(count: number, preface: Preface = nothing): Uint8Array {
    return writePacket((c) => {
      preface(c);
      codeTick(c, this.tick);
      codeTick(c, this.#newest);
      codeHands(c, this.tick, count, this.#home, (tick) => this.handOf(tick), ignore);
    });
  }
}

const ignore = (): void => undefined;

/** The server's end of the line to one player. */
export class PlayerLine {
  /** The newest snapshot that the player is known to have; 0 for none. */
  acked = 0;
  readonly #home: Hand;

  constructor(home: Hand) {
    this.#home = home;
  }

  /** Calls `take` for each of the packet's hands, the newest first. @returns false for a packet that can't be read. */
  receive(bytes: Uint8Array, take: (tick: number, hand: Hand) => void, preface: Preface = nothing): boolean {
    return readPacket(bytes, (c) => {
      preface(c);
      const newest = codeTick(c, 0);
      const acked = codeTick(c, 0);
      codeHands(c, newest, 0, this.#home, () => this.#home, take);
      if (!c.failed) this.acked = Math.max(this.acked, acked);
    });
  }

  /** @param applied the newest of the player's ticks that the snapshot contains. */
  write(
    snapshots: SnapshotRing,
    tick: number,
    applied: number,
    bodies: readonly number[],
    preface: Preface = nothing,
  ): Uint8Array {
    return writePacket((c) => {
      preface(c);
      codeTick(c, applied);
      codeSnapshot(c, snapshots, tick, this.acked, bodies);
    });
  }
}
