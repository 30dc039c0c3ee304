import { MAX_PLAYERS } from '../../core/base/constants.ts';
import type { BodyId, Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_SLOT } from '../../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../core/base/math.ts';
import { rotate, vector } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Roster } from '../../core/room/messages.ts';
import type { HandKind } from '../../core/room/profile.ts';
import type { Level } from '../../core/world/level.ts';
import type { DeskPlayer, DeskStart } from '../../input/desk-player.ts';
import { WaveGesture } from '../../input/wave-gesture.ts';
import { Signpost } from '../../view/signpost.ts';
import type { WorldView } from '../../view/world-view.ts';
import type { Headset } from '../headset/headset.ts';
import type { HeadsetStart } from '../headset/reach-place.ts';
import { reachPlaceOf } from '../headset/reach-place.ts';
import { isAmongCubes, orderOfArrival, signPlaceOf, startPlaceOf, turnedTo } from '../start-places.ts';
import { FriendArrows } from './screen/friend-arrows.ts';
import { HandKinds } from './hand-kinds.ts';
import { listenToLetters } from './screen/letter-keys.ts';
import type { GameSession } from './session/session.ts';
import type { World } from '../../session/world.ts';
import { WaveWatcher } from './wave-watcher.ts';

/** Metres: a player that is nearer to its start place has not walked away from it. */
const AT_PLACE = 1.5;
/** Metres, and the cosine of an angle to the side: within these a player has neither walked nor turned. */
const UNMOVED = { metres: 0.05, cosine: 0.9995 } as const;

/** Where a player of a room begins: its place by order of arrival, whether nobody else is there, and the pose there. */
export type Arrival = { readonly order: number; readonly isAlone: boolean; readonly start: DeskStart };

/**
 * Returns where a player that has come into a room begins.
 * @param halfWidth of the picture, in radians.
 */
export function arrivalIn(
  { peer, view, level: scene }: World,
  roster: Roster | null,
  halfWidth: number,
): Arrival {
  peer.view(1, null, view);
  const heads = view.avatars
    .filter(({ slot, present }) => present && slot !== view.self)
    .map(({ head }) => head.position);
  const others = (roster?.players ?? []).filter(
    ({ slot, presence }) => slot !== view.self && presence !== 'away',
  );
  const order = orderOfArrival(scene, heads, others.length);
  const isAlone = others.length === 0;
  return { order, isAlone, start: startPlaceOf(order, scene, halfWidth, isAlone) };
}

/** The surroundings of a Meeting. */
export type MeetingParts = {
  readonly overlay: HTMLElement;
  readonly player: DeskPlayer;
  readonly headset: Headset;
  /** Where the room's signpost stands. */
  readonly drawing: WorldView;
  readonly session: Pick<GameSession, 'code' | 'roster' | 'setProfile'>;
  /** Called when a player has begun to wave, this player included. */
  readonly onWave: (slot: Slot, hand: ReadonlyVector) => void;
};

/** Helps players to find each other: start places, arrows to friends out of sight, waves, hands, and the signpost. */
export class Meeting {
  readonly #parts: MeetingParts;
  readonly #arrows: FriendArrows;
  readonly #gesture = new WaveGesture();
  readonly #watchers = Array.from({ length: MAX_PLAYERS }, () => new WaveWatcher());
  readonly #listening = new AbortController();
  /** Null in practice: nobody can come in. */
  readonly #sign: Signpost | null;
  readonly #hands: HandKinds;
  readonly #order: number;
  #scene: Level;
  #place: DeskStart;
  /** The poses of the scene's bodies; null before they are drawn. */
  #poses: Float32Array | null = null;
  #halfWidth: number;
  #isAlone: boolean;
  /** From the arrival of the first friend until this player turns to it: where it stood, and looked, alone. */
  #turnFrom: DeskStart | null = null;

  constructor(scene: Level, { order, isAlone, start }: Arrival, halfWidth: number, parts: MeetingParts) {
    this.#parts = parts;
    this.#order = order;
    this.#isAlone = isAlone;
    this.#scene = scene;
    this.#place = start;
    this.#halfWidth = halfWidth;
    this.#arrows = new FriendArrows(parts.overlay);
    this.#hands = new HandKinds(parts.session);
    const { code } = parts.session;
    this.#sign = code === null ? null : new Signpost(code, parts.drawing.light);
    this.#sign?.place(signPlaceOf(scene));
    if (this.#sign !== null) parts.drawing.extras.add(this.#sign.group);
    const back = (): void => this.goBack();
    listenToLetters(this.#listening.signal, { b: back, home: back, v: () => this.wave() });
  }

  /** The picture has another width. @param halfWidth of the picture, in radians. */
  resize(halfWidth: number): void {
    this.#halfWidth = halfWidth;
    this.#place = this.#startPlace();
  }

  /**
   * Where this player begins when it puts a headset on: at arm's length from the cubes; in practice farther back, since
   * the bot builds in between.
   */
  headsetStart(): HeadsetStart {
    if (this.#parts.session.code === null) return this.#place;
    return reachPlaceOf(this.#order, this.#scene, this.#poses);
  }

  /** Returns what a player's hands are. */
  get handsOf(): (slot: Slot) => HandKind {
    return this.#hands.of;
  }

  /** This player goes back to its start place, and looks at the cubes. */
  goBack(): void {
    this.#stand(this.#place, this.headsetStart());
  }

  /** This player waves. */
  wave(): void {
    this.#gesture.begin(performance.now());
  }

  /** Adds a wave to the player's input: in a headset to a hand that is free. */
  into(input: PlayerInput, nowMs: number): PlayerInput {
    const { headset } = this.#parts;
    if (headset.player === null) return this.#gesture.into(input, nowMs);
    const side = HAND_SIDES.find((each) => !headset.held[each]);
    return side === undefined ? input : this.#gesture.over(input, nowMs, side);
  }

  /**
   * A new scene has begun. A player at its start place, or among the new cubes, goes to its new start place. Any other
   * player stays where it is, and turns to the cubes.
   */
  sceneChanged(scene: Level): void {
    const { player, headset } = this.#parts;
    const { position } = headset.player?.drawn().head ?? player.camera;
    const { x, z } = (headset.player === null ? this.#place : this.headsetStart()).position;
    const isAtPlace = Math.hypot(position.x - x, position.z - z) < AT_PLACE;
    this.#scene = scene;
    this.#poses = null;
    this.#place = this.#startPlace();
    this.#sign?.place(signPlaceOf(scene));
    if (isAtPlace || isAmongCubes(position, scene)) this.goBack();
    else this.#stand(turnedTo(scene, position, this.#halfWidth));
  }

  #startPlace(): DeskStart {
    return startPlaceOf(this.#order, this.#scene, this.#halfWidth, this.#isAlone);
  }

  /**
   * Whoever was alone looks at the cubes. When the first friend comes, the view turns until both are in the picture; but
   * not while a hand holds a body, and not if the player has moved or turned by itself.
   */
  #meetFirst({ avatars, self }: PeerView): void {
    const { player, headset } = this.#parts;
    const isAlone = avatars.every(({ slot, present }) => slot === self || !present);
    if (isAlone !== this.#isAlone) {
      this.#turnFrom = isAlone ? null : this.#place;
      this.#isAlone = isAlone;
      this.#place = this.#startPlace();
    }
    if (this.#turnFrom === null || player.holds) return;
    if (headset.player === null && isUnmoved(player.camera, this.#turnFrom)) player.turnTo(this.#place);
    this.#turnFrom = null;
  }

  #stand(start: DeskStart, inHeadset: HeadsetStart = start): void {
    this.#parts.player.goTo(start);
    this.#parts.headset.goTo(inHeadset);
  }

  /**
   * Call it once a frame, before the world is drawn.
   * @param seconds since the last call.
   * @param glow the body that glows, or NO_BODY.
   */
  frame(view: PeerView, nowMs: number, seconds: number, glow: BodyId): void {
    const { headset, drawing } = this.#parts;
    this.#poses = view.poses;
    this.#meetFirst(view);
    this.#hands.tell(headset.player, nowMs);
    this.#arrows.show(view, headset.player === null ? drawing : null, glow);
    // At a desk the code is in the bar.
    this.#sign?.show(headset.player !== null);
    if (view.self !== NO_SLOT) this.#sign?.update(view.avatars[view.self].head.position, seconds);
    for (const avatar of view.avatars) {
      const side = this.#watchers[avatar.slot].frame(avatar, nowMs / 1000);
      if (side !== null) this.#parts.onWave(avatar.slot, avatar.hands[side].pose.position);
    }
  }

  dispose(): void {
    this.#listening.abort();
    this.#arrows.dispose();
    if (this.#sign !== null) this.#parts.drawing.extras.remove(this.#sign.group);
    this.#sign?.dispose();
  }
}

/** True if a player stands at a place and looks as it did there; to look up and down does not count. */
function isUnmoved({ position, rotation }: ReadonlyPose, start: DeskStart): boolean {
  const walked = Math.hypot(position.x - start.position.x, position.z - start.position.z);
  const { x, z } = rotate(rotation, AHEAD, vector());
  const along = -(x * Math.sin(start.yaw) + z * Math.cos(start.yaw)) / Math.hypot(x, z);
  return walked < UNMOVED.metres && along > UNMOVED.cosine;
}

const AHEAD = vector(0, 0, -1);
