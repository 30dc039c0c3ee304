import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetDisplay } from '../../view/headset/display.ts';
import type { HeadsetFrame } from '../../view/headset/picture.ts';
import { HeadsetPicture } from '../../view/headset/picture.ts';
import type { WorldView } from '../../view/world-view.ts';
import { loadComfort } from '../../storage/comfort.ts';
import type { MenuHandlers } from '../room/menu/menu.ts';
import type { RoomModel } from '../room/model.ts';
import { Feel } from './feel.ts';
import { FirstMinute } from './first-minute.ts';
import { WristMenu } from './panel/wrist-menu.ts';

/** What there is while a headset is worn. */
type Worn = {
  readonly player: HeadsetPlayer;
  readonly picture: HeadsetPicture;
  readonly menu: WristMenu | null;
  readonly feel: Feel;
  readonly firstMinute: FirstMinute;
  frame: HeadsetFrame | null;
};

/** A world in the page's headset while one is worn: its player, and what that player sees and feels. */
export class Headset {
  readonly #display: HeadsetDisplay;
  readonly #world: WorldView;
  readonly #start: Pick<DeskStart, 'position' | 'yaw'>;
  readonly #menu: MenuHandlers | null;
  readonly #held: [boolean, boolean] = [false, false];
  #worn: Worn | null = null;

  /** @param menu what the menu over a wrist does; null where there is no menu. */
  constructor(
    display: HeadsetDisplay,
    world: WorldView,
    start: Pick<DeskStart, 'position' | 'yaw'>,
    menu: MenuHandlers | null = null,
  ) {
    this.#display = display;
    this.#world = world;
    this.#start = start;
    this.#menu = menu;
  }

  /** The player in the headset; null while none is worn. */
  get player(): HeadsetPlayer | null {
    return this.#display.session === null ? null : (this.#worn?.player ?? null);
  }

  /** Which hands held something as the frame began. */
  get held(): readonly [boolean, boolean] {
    return this.#held;
  }

  /**
   * [T1] Reads a frame, before its ticks.
   * @returns false if no headset is worn: then the desk's player plays.
   */
  begin(nowMs: number, frame: XRFrame | null, peer: Peer): boolean {
    const { session, space, mode } = this.#display;
    if (session === null) this.takeOff();
    if (frame === null || session === null || space === null) return false;
    this.#worn ??= this.#putOn();
    const { player, menu, firstMinute } = this.#worn;
    const sources = session.inputSources;
    for (const side of HAND_SIDES) this.#held[side] = peer.diagnostics.hands[side].held !== NO_BODY;
    player.beginFrame(nowMs, frame, space, sources, this.#held);
    menu?.begin(nowMs, this.#held);
    firstMinute.frame(peer, menu?.isOpen === true);
    const { devices, joints, rig, teleport } = player;
    this.#worn.frame = { frame, space, sources, devices, joints, rig, teleport, passthrough: mode === 'ar' };
    return true;
  }

  /** What the world's picture needs to know; nothing while no headset is worn. */
  get options(): {
    readonly showOwnHands: boolean;
    readonly replacedHands?: readonly [boolean, boolean];
    readonly passthrough?: boolean;
  } {
    if (this.#worn === null) return { showOwnHands: false };
    const passthrough = this.#display.mode === 'ar';
    return { showOwnHands: true, replacedHands: this.#worn.picture.replaced, passthrough };
  }

  /** Where the player stands in the world: before the world is drawn. */
  place(): void {
    if (this.#worn?.frame) this.#worn.picture.place(this.#worn.frame);
  }

  /**
   * Shows own hands, where they point, and the menu: after the world was brought up to date.
   * @param room what the menu shows, or null where there is none.
   */
  update(view: PeerView, seconds: number, room: (() => RoomModel) | null): void {
    if (!this.#worn?.frame) return;
    const { picture, menu, frame } = this.#worn;
    picture.update(frame, view, seconds);
    if (room !== null) menu?.update(room);
  }

  #putOn(): Worn {
    const player = new HeadsetPlayer(this.#start);
    const picture = new HeadsetPicture(this.#world);
    Object.assign(player.comfort, loadComfort());
    const menu = this.#createMenu(player);
    if (menu !== null) this.#world.extras.add(...menu.meshes);
    return {
      player,
      picture,
      menu,
      feel: new Feel(player, picture),
      firstMinute: new FirstMinute(player, picture, menu !== null),
      frame: null,
    };
  }

  #createMenu(player: HeadsetPlayer): WristMenu | null {
    if (this.#menu === null) return null;
    return new WristMenu(player, { ...this.#menu, onLeaveHeadset: () => this.#display.leave() });
  }

  /** The world is in no headset from now on; the player may go on in another one. */
  takeOff(): void {
    if (this.#worn === null) return;
    const { picture, menu } = this.#worn;
    picture.remove();
    if (menu !== null) this.#world.extras.remove(...menu.meshes);
    menu?.dispose();
    this.#worn = null;
  }

  /** A word near a hand, for two seconds. */
  say(side: HandSide, text: string): void {
    this.#worn?.picture.say(side, text);
  }

  /** The player has come back from another world: what happened meanwhile was not its doing. */
  arrive(): void {
    this.#worn?.feel.arrive();
    this.#worn?.firstMinute.arrive();
  }

  /** Lets the hands feel what happened in a tick, and notices what the player can do by now. */
  feel(peer: Peer): void {
    this.#worn?.feel.tick(peer);
    this.#worn?.firstMinute.tick(peer);
  }

  /** [G4] What a hand held has gone to another; to be told before `feel` of the same tick. */
  sayLost(peer: Peer, text: string): void {
    this.#worn?.feel.lose(peer, text);
  }
}
