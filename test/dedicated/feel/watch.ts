import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { AvatarView, PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Peer } from '../../../src/core/peer/peer.ts';
import type { World } from '../../../src/session/world.ts';
import { msSince, PLAYERS } from './clock-hand.ts';

/** A body in a player's right hand since a time of the shared clock. */
export type Hold = { readonly slot: Slot; readonly body: BodyId; readonly atMs: number };

/** A player's body on that player's own screen, at a time of the shared clock. */
export type BodyAt = {
  readonly slot: Slot;
  readonly body: BodyId;
  readonly atMs: number;
  readonly place: readonly [x: number, y: number, z: number];
};

/** The same body on a friend's screen, in a picture that shows the time `atMs` by the player's left hand. */
export type ShownBody = BodyAt & { readonly nowMs: number };

/** All that one player saw while it was watched. Times are milliseconds. */
export type Sight = {
  readonly slot: Slot;
  readonly host: Slot;
  /** For each picture and each friend in it: how long ago its left hand was where the picture shows it. */
  readonly delays: number[];
  /** How long a friend's left hand stayed where it was, until it moved on. */
  readonly gaps: number[];
  /** The bodies that the player's own hand took; and those that its friends' hands took, as this screen shows it. */
  readonly grabs: Hold[];
  readonly seen: Hold[];
  /** The player's own cube, held and thrown; and its friends'. */
  readonly own: BodyAt[];
  readonly friends: ShownBody[];
  /** Payload in bytes, and the seconds in which it came and went. */
  traffic: { readonly down: number; readonly up: number; readonly seconds: number };
  /** Pictures in which the player was not in the room: it looked for its host. */
  absent: number;
  /** The longest time between two ticks: this process had no time. */
  stallMs: number;
};

/** Metres between two pictures below which a hand stands still: a twelfth of its way in a tick. */
const STILL = 0.001;
/** Milliseconds after a throw in which the cube is still of interest. */
const FLIGHT_MS = 1000;
/** The same on the thrower's own screen: friends see all of it later. */
const OWN_FLIGHT_MS = 4000;

/** A player at the last look: the left hand's place, and what the right one held and threw. */
type Last = { x: number; y: number; movedMs: number; held: BodyId; thrown: BodyId; thrownMs: number };

/** Looks at the picture of a player's screen after each tick, from one time of the shared clock to another. */
export class Watch {
  readonly sight: Sight;
  readonly #peer: Peer;
  readonly #view: PeerView;
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #last = new Map<Slot, Last>();
  #lookedMs = NaN;
  #began: { readonly atMs: number; readonly down: number; readonly up: number } | null = null;

  constructor({ peer, view }: World, fromMs: number, untilMs: number) {
    this.#peer = peer;
    this.#view = view;
    this.#fromMs = fromMs;
    this.#untilMs = untilMs;
    const { slot, host } = peer.diagnostics;
    const lists = { delays: [], gaps: [], grabs: [], seen: [], own: [], friends: [] };
    const traffic = { down: 0, up: 0, seconds: 0 };
    this.sight = { slot, host, ...lists, traffic, absent: 0, stallMs: 0 };
  }

  /**
   * Looks at the picture that is drawn when a tick is over.
   * @param tickMs when that tick was due.
   * @param isIn whether the player is in the room.
   * @returns false once the time is over.
   */
  look(nowMs: number, tickMs: number, isIn: boolean): boolean {
    if (nowMs < this.#fromMs) return true;
    this.#peer.view(1, null, this.#view);
    const isOver = nowMs >= this.#untilMs;
    const { sight } = this;
    sight.stallMs = Math.max(sight.stallMs, nowMs - this.#lookedMs || 0);
    this.#lookedMs = nowMs;
    if (!isIn) sight.absent++;
    this.#count(nowMs);
    for (const avatar of this.#view.avatars) {
      // The others show no time.
      if (!avatar.present || avatar.slot >= PLAYERS) continue;
      const last = this.#lastOf(avatar, nowMs);
      if (avatar.slot === sight.slot) this.#seeOwn(avatar, last, nowMs, tickMs);
      else this.#seeFriend(avatar, last, nowMs, isOver);
    }
    return !isOver;
  }

  #count(atMs: number): void {
    const links = this.#peer.diagnostics.linkedSlots().map((slot) => this.#peer.traffic(slot));
    const down = links.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
    const up = links.reduce((sum, { bytesSent }) => sum + bytesSent, 0);
    this.#began ??= { atMs, down, up };
    const began = this.#began;
    const seconds = (atMs - began.atMs) / 1000;
    this.sight.traffic = { down: down - began.down, up: up - began.up, seconds };
  }

  #lastOf({ slot, hands }: AvatarView, nowMs: number): Last {
    const { x, y } = hands[LEFT].pose.position;
    const begin = { x, y, movedMs: nowMs, held: hands[RIGHT].held, thrown: NO_BODY, thrownMs: nowMs };
    const last = this.#last.get(slot) ?? begin;
    this.#last.set(slot, last);
    return last;
  }

  #seeOwn({ slot, hands }: AvatarView, last: Last, nowMs: number, atMs: number): void {
    const { held } = hands[RIGHT];
    if (this.#takes(last, held, nowMs)) this.sight.grabs.push({ slot, body: held, atMs: nowMs });
    const body = bodyOf(last, nowMs, OWN_FLIGHT_MS);
    if (body !== NO_BODY) this.sight.own.push({ slot, body, atMs, place: this.#placeOf(body) });
  }

  #seeFriend({ slot, hands }: AvatarView, last: Last, nowMs: number, isOver: boolean): void {
    const { position } = hands[LEFT].pose;
    const delay = msSince(slot, position, nowMs);
    this.sight.delays.push(delay);
    const hasMoved = Math.hypot(position.x - last.x, position.y - last.y) > STILL;
    if ((hasMoved || isOver) && nowMs > last.movedMs) this.sight.gaps.push(nowMs - last.movedMs);
    if (hasMoved) Object.assign(last, { x: position.x, y: position.y, movedMs: nowMs });
    const { held } = hands[RIGHT];
    if (this.#takes(last, held, nowMs)) this.sight.seen.push({ slot, body: held, atMs: nowMs });
    const body = bodyOf(last, nowMs, FLIGHT_MS);
    if (body === NO_BODY || this.#view.authority[body] !== slot) return;
    this.sight.friends.push({ slot, body, atMs: nowMs - delay, nowMs, place: this.#placeOf(body) });
  }

  /** @returns true if the hand has taken a body since the last picture. */
  #takes(last: Last, held: BodyId, nowMs: number): boolean {
    const { held: before } = last;
    last.held = held;
    if (held === before) return false;
    if (before !== NO_BODY) Object.assign(last, { thrown: before, thrownMs: nowMs });
    return held !== NO_BODY;
  }

  #placeOf(body: BodyId): BodyAt['place'] {
    const { poses } = this.#view;
    const at = body * POSE_STRIDE;
    return [poses[at], poses[at + 1], poses[at + 2]];
  }
}

/** The body in a player's hand, or the one that it threw last, for so long; or NO_BODY. */
function bodyOf({ held, thrown, thrownMs }: Last, nowMs: number, flightMs: number): BodyId {
  if (held !== NO_BODY) return held;
  return nowMs - thrownMs < flightMs ? thrown : NO_BODY;
}
