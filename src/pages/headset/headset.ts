import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HeadsetDisplay } from '../../view/headset/display.ts';
import type { HeadsetFrame } from '../../view/headset/picture.ts';
import { HeadsetPicture } from '../../view/headset/picture.ts';
import type { WorldView } from '../../view/world-view.ts';
import { loadComfort } from '../../storage/comfort.ts';
import type { HandOverAction } from '../../storage/done-actions.ts';
import type { GivingStep } from '../giving/giving-step.ts';
import type { RoomModel } from '../room/model.ts';
import { HandFeedback } from './hand-feedback.ts';
import { HeadsetHints } from './headset-hints.ts';
import type { HeadsetStart } from './reach-place.ts';
import type { MenuHandlers } from '../room/menu/menu.ts';
import { WristMenu } from './panel/wrist-menu.ts';

/** The value of `paneHeight` in a headset: with it, names are at least 2.4° high. */
const PANE_HEIGHT = 1600;

/** Everything that exists only while a headset is worn. */
type Worn = {
  readonly player: HeadsetPlayer;
  readonly picture: HeadsetPicture;
  readonly menu: WristMenu | null;
  readonly feedback: HandFeedback;
  readonly hints: HeadsetHints;
  frame: HeadsetFrame | null;
};

/** Connects one world with the page's headset: the player's input, its picture and its pulses. */
export class Headset {
  readonly #display: HeadsetDisplay;
  readonly #world: WorldView;
  readonly #start: () => HeadsetStart;
  readonly #menu: MenuHandlers | null;
  readonly #held: [boolean, boolean] = [false, false];
  readonly #finds: [boolean, boolean] = [false, false];
  #worn: Worn | null = null;

  /**
   * @param start returns where a player begins who puts the headset on now.
   * @param menu handlers of the menu over the wrist; null for no menu.
   */
  constructor(
    display: HeadsetDisplay,
    world: WorldView,
    start: () => HeadsetStart,
    menu: MenuHandlers | null = null,
  ) {
    this.#display = display;
    this.#world = world;
    this.#start = start;
    this.#menu = menu;
  }

  /** Brings the player to a place, if it wears the headset. */
  goTo(start: HeadsetStart): void {
    this.#worn?.player.goTo(start);
  }

  /** Shows a sentence below the gaze for a moment. */
  say(sentence: string): void {
    this.#worn?.picture.say(sentence);
  }

  /** The player in the headset; null while no headset is worn. */
  get player(): HeadsetPlayer | null {
    return this.#display.session === null ? null : (this.#worn?.player ?? null);
  }

  /** For each hand, whether it held a body when the frame began. */
  get held(): readonly [boolean, boolean] {
    return this.#held;
  }

  /**
   * [T1] Reads a frame, before its ticks.
   * @returns false if no headset is worn: the desk's player plays then.
   */
  begin(nowMs: number, frame: XRFrame | null, peer: Peer): boolean {
    const { session, space, mode } = this.#display;
    if (session === null) this.takeOff();
    if (frame === null || session === null || space === null) return false;
    this.#worn ??= this.#putOn();
    const { player, menu, hints, feedback } = this.#worn;
    const sources = session.inputSources;
    for (const side of HAND_SIDES) {
      const { held, selected } = peer.diagnostics.hands[side];
      this.#held[side] = held !== NO_BODY;
      this.#finds[side] = selected !== NO_BODY;
    }
    const passthrough = mode === 'ar';
    const around = { finds: this.#finds, seesRealFloor: passthrough };
    player.beginFrame(nowMs, frame, space, sources, this.#held, around);
    for (const side of HAND_SIDES) {
      const { held, selected } = peer.diagnostics.hands[side];
      if (held !== NO_BODY || selected === NO_BODY || !player.pressed(side, 'lower')) continue;
      if (this.#menu?.onKick(selected) !== true) continue;
      feedback.kicked(side);
      hints.learn('kick');
    }
    menu?.begin(nowMs, this.#held);
    hints.frame(peer, menu?.isOpen === true);
    const { devices, joints, rig, teleport } = player;
    const vignette = player.darkens && !passthrough;
    this.#worn.frame = { frame, space, sources, devices, joints, rig, teleport, passthrough, vignette };
    return true;
  }

  /** Options for drawing the world. */
  get options(): {
    readonly showOwnHands: boolean;
    readonly replacedHands?: readonly [boolean, boolean];
    readonly passthrough?: boolean;
    readonly paneHeight?: number;
  } {
    if (this.#worn === null) return { showOwnHands: false };
    const passthrough = this.#display.mode === 'ar';
    return {
      showOwnHands: true,
      replacedHands: this.#worn.picture.replaced,
      passthrough,
      paneHeight: PANE_HEIGHT,
    };
  }

  /** Puts the player's view into the world. Call it before the world is drawn. */
  place(): void {
    if (this.#worn?.frame) this.#worn.picture.place(this.#worn.frame);
  }

  /**
   * Draws the player's own hands, their pointers and the menu. Call it after the world's update.
   * @param room returns the contents of the menu; null without a menu.
   */
  update(view: PeerView, seconds: number, room: (() => RoomModel) | null): void {
    if (!this.#worn?.frame) return;
    const { picture, menu, frame } = this.#worn;
    picture.update(frame, view, seconds);
    if (room !== null) menu?.update(room);
  }

  #putOn(): Worn {
    const player = new HeadsetPlayer(this.#start());
    const picture = new HeadsetPicture(this.#world);
    player.comfort = loadComfort();
    const menu = this.#createMenu(player);
    if (menu !== null) this.#world.extras.add(...menu.meshes);
    return {
      player,
      picture,
      menu,
      feedback: new HandFeedback(player, picture),
      hints: new HeadsetHints(player, picture, menu !== null),
      frame: null,
    };
  }

  #createMenu(player: HeadsetPlayer): WristMenu | null {
    if (this.#menu === null) return null;
    return new WristMenu(player, { ...this.#menu, onLeaveHeadset: () => this.#display.leave() });
  }

  /** Removes everything that exists only while a headset is worn. The player may go on in another world. */
  takeOff(): void {
    if (this.#worn === null) return;
    const { picture, menu } = this.#worn;
    picture.remove();
    if (menu !== null) this.#world.extras.remove(...menu.meshes);
    menu?.dispose();
    this.#worn = null;
  }

  /** Shows a text near a hand for two seconds. */
  showText(side: HandSide, text: string): void {
    this.#worn?.picture.showText(side, text);
  }

  /** The player comes back from another world: its events there cause no pulses and count as no actions. */
  arrive(): void {
    this.#worn?.feedback.arrive();
    this.#worn?.hints.arrive();
  }

  /** [A9] Whether this player has done one half of a hand-over in a headset before. */
  knows(half: HandOverAction): boolean {
    return this.#worn?.hints.knows(half) === true;
  }

  /** [A9] The player has just done one half of a hand-over. */
  learn(half: HandOverAction): void {
    this.#worn?.hints.learn(half);
  }

  /** [A9] Teaches the step of a hand-over that the player could take now. @param friend the other player's name. */
  teach(step: GivingStep | null, friend: string): void {
    this.#worn?.hints.teach(step, friend);
  }

  /** Gives the pulses and recognises the actions of a tick. */
  tick(peer: Peer): void {
    this.#worn?.feedback.tick(peer);
    this.#worn?.hints.tick(peer);
  }

  /** [G4] Another player has the body that a hand held. Call it before `tick` of the same tick. */
  showLost(peer: Peer, text: string): void {
    this.#worn?.feedback.lose(peer, text);
  }
}
