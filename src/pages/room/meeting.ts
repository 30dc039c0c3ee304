import { MAX_PLAYERS } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import type { ReadonlyVector } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Roster } from '../../core/room/messages.ts';
import type { Scene } from '../../core/world/scene.ts';
import type { DeskPlayer, DeskStart } from '../../input/desk-player.ts';
import { WaveGesture } from '../../input/wave-gesture.ts';
import type { WorldView } from '../../view/world-view.ts';
import type { Headset } from '../headset/headset.ts';
import { isAmongCubes, orderOfArrival, startPlaceOf, turnedTo } from '../start-places.ts';
import { FriendArrows } from './screen/friend-arrows.ts';
import { listenToLetters } from './screen/letter-keys.ts';
import type { World } from './session/world.ts';
import { WaveWatcher } from './wave-watcher.ts';

/** Metres: a player that is nearer to its start place has not walked away from it. */
const AT_PLACE = 1.5;

/** Where a player of a room begins: its place by order of arrival, and the pose there. */
export type Arrival = { readonly order: number; readonly start: DeskStart };

/**
 * Returns where a player that has come into a room begins.
 * @param halfWidth of the picture, in radians.
 */
export function arrivalIn({ peer, view, scene }: World, roster: Roster | null, halfWidth: number): Arrival {
  peer.view(1, null, view);
  const heads = view.avatars
    .filter(({ slot, present }) => present && slot !== view.self)
    .map(({ head }) => head.position);
  const others = (roster?.players ?? []).filter(
    ({ slot, presence }) => slot !== view.self && presence !== 'away',
  );
  const order = orderOfArrival(scene, heads, others.length);
  return { order, start: startPlaceOf(order, scene, halfWidth) };
}

/** The surroundings of a Meeting. */
export type MeetingParts = {
  readonly overlay: HTMLElement;
  readonly player: DeskPlayer;
  readonly headset: Headset;
  /** Called when a player has begun to wave, this player included. */
  readonly onWave: (slot: Slot, hand: ReadonlyVector) => void;
};

/** How players find each other: where this player stands, arrows to friends who are out of sight, and waves. */
export class Meeting {
  readonly #parts: MeetingParts;
  readonly #arrows: FriendArrows;
  readonly #gesture = new WaveGesture();
  readonly #watchers = Array.from({ length: MAX_PLAYERS }, () => new WaveWatcher());
  readonly #listening = new AbortController();
  readonly #order: number;
  #scene: Scene;
  #place: DeskStart;
  #halfWidth: number;

  constructor(scene: Scene, { order, start }: Arrival, halfWidth: number, parts: MeetingParts) {
    this.#parts = parts;
    this.#order = order;
    this.#scene = scene;
    this.#place = start;
    this.#halfWidth = halfWidth;
    this.#arrows = new FriendArrows(parts.overlay);
    listenToLetters(this.#listening.signal, { onBack: () => this.goBack(), onWave: () => this.wave() });
  }

  /** The picture has another width. @param halfWidth of the picture, in radians. */
  resize(halfWidth: number): void {
    this.#halfWidth = halfWidth;
    this.#place = startPlaceOf(this.#order, this.#scene, halfWidth);
  }

  /** This player goes back to its start place, and looks at the cubes. */
  goBack(): void {
    this.#stand(this.#place);
  }

  /** This player waves, unless it wears a headset: there its own hand does. */
  wave(): void {
    if (this.#parts.headset.player === null) this.#gesture.begin(performance.now());
  }

  /** Adds a wave to the input of a player at a desk. */
  into(input: PlayerInput, nowMs: number): PlayerInput {
    return this.#parts.headset.player === null ? this.#gesture.into(input, nowMs) : input;
  }

  /** Another scene has begun: who has not walked away stands at its place there; others stay, and turn to the cubes. */
  sceneChanged(scene: Scene): void {
    const { player, headset } = this.#parts;
    const { position } = headset.player?.drawn().head ?? player.camera;
    const { x, z } = this.#place.position;
    const isAtPlace = Math.hypot(position.x - x, position.z - z) < AT_PLACE;
    this.#scene = scene;
    this.#place = startPlaceOf(this.#order, scene, this.#halfWidth);
    this.#stand(isAtPlace || isAmongCubes(position, scene) ? this.#place : turnedTo(scene, position));
  }

  #stand(start: DeskStart): void {
    this.#parts.player.goTo(start);
    this.#parts.headset.goTo(start);
  }

  /** Call it once a frame. @param world null while it is seen in a headset. */
  frame(view: PeerView, world: WorldView | null, nowMs: number): void {
    this.#arrows.show(view, world);
    for (const avatar of view.avatars) {
      const side = this.#watchers[avatar.slot].frame(avatar, nowMs / 1000);
      if (side !== null) this.#parts.onWave(avatar.slot, avatar.hands[side].pose.position);
    }
  }

  dispose(): void {
    this.#listening.abort();
    this.#arrows.dispose();
  }
}
