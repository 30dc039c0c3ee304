import { HAND_SIDES, LEFT, NO_BODY } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/peer-view.ts';
import type { DeskStart } from '../../input/desk-player.ts';
import { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetDisplay } from '../../view/headset/display.ts';
import type { HeadsetFrame } from '../../view/headset/picture.ts';
import { HeadsetPicture } from '../../view/headset/picture.ts';
import type { WorldView } from '../../view/world-view.ts';
import type { RoomModel } from '../room/model.ts';
import { Feel } from './feel.ts';
import { FirstMinute } from './first-minute.ts';
import { WristPanel } from './wrist-panel.ts';

/** What there is while a headset is worn. */
type Worn = {
  readonly player: HeadsetPlayer;
  readonly picture: HeadsetPicture;
  readonly panel: WristPanel;
  readonly feel: Feel;
  readonly firstMinute: FirstMinute;
  frame: HeadsetFrame | null;
};

/** A world in the page's headset while one is worn: its player, and what that player sees and feels. */
export class Headset {
  readonly #display: HeadsetDisplay;
  readonly #world: WorldView;
  readonly #start: Pick<DeskStart, 'position' | 'yaw'>;
  readonly #held: [boolean, boolean] = [false, false];
  #worn: Worn | null = null;

  constructor(display: HeadsetDisplay, world: WorldView, start: Pick<DeskStart, 'position' | 'yaw'>) {
    this.#display = display;
    this.#world = world;
    this.#start = start;
  }

  /** The player in the headset; null while none is worn. */
  get player(): HeadsetPlayer | null {
    return this.#display.session === null ? null : (this.#worn?.player ?? null);
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
    const { player, firstMinute } = this.#worn;
    const sources = session.inputSources;
    for (const side of HAND_SIDES) this.#held[side] = peer.player.hands[side].held !== NO_BODY;
    player.beginFrame(nowMs, frame, space, sources, this.#held);
    firstMinute.frame(peer);
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
   * Shows own hands, where they point, and the panel: after the world was brought up to date.
   * @param room what the panel shows, or null where there is none.
   */
  update(view: PeerView, seconds: number, room: (() => RoomModel) | null): void {
    if (!this.#worn?.frame) return;
    const { player, picture, panel, frame } = this.#worn;
    picture.update(frame, view, seconds);
    if (room === null) return;
    if (player.pressed(LEFT, 'upper') || player.pressed(LEFT, 'lower')) panel.toggle();
    if (panel.update(player.drawn(), room())) this.#display.leave();
  }

  #putOn(): Worn {
    const player = new HeadsetPlayer(this.#start);
    const picture = new HeadsetPicture(this.#world);
    const panel = new WristPanel();
    this.#world.extras.add(panel.surface.mesh);
    return {
      player,
      picture,
      panel,
      feel: new Feel(player, picture),
      firstMinute: new FirstMinute(player, picture),
      frame: null,
    };
  }

  /** The world is in no headset from now on; the player may go on in another one. */
  takeOff(): void {
    if (this.#worn === null) return;
    const { picture, panel } = this.#worn;
    picture.remove();
    this.#world.extras.remove(panel.surface.mesh);
    panel.dispose();
    this.#worn = null;
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
