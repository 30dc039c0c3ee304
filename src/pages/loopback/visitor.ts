import { HAND_SIDES, RIGHT } from '../../core/base/ids.ts';
import { copyPose } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { Pane } from '../../input/panes.ts';
import { GUEST_PANE, HOST_PANE } from '../../input/panes.ts';
import type { HeadsetDisplay } from '../../view/headset/display.ts';
import type { WorldView } from '../../view/world-view.ts';
import { Headset } from '../headset/headset.ts';
import type { InputSource } from '../headset/slot-hands.ts';
import { START_PLACES } from './start-places.ts';
import { VisitorPanel, WORLD_TITLES } from './visitor-panel.ts';

type Pair<T> = readonly [T, T];

export type VisitorHandlers = {
  onReset(): void;
  /** The player goes to the lobby, with the headset on. */
  onLobby(): void;
};

/** A player that is in the other world: the head stays where it was, and there are no hands. */
class Absent implements InputSource {
  readonly input = playerInput();

  sample(): PlayerInput {
    return this.input;
  }
}

/** One world for a player in a headset. The panel exists only while a headset is worn. */
type Place = { readonly world: WorldView; readonly headset: Headset; panel: VisitorPanel | null };

/**
 * The player in a headset on the loopback page. It is in one of the two worlds at a time and plays that
 * peer's hands. A or X leads to the other world, if the hand holds nothing. In the world that it left, its
 * head stays without hands.
 */
export class Visitor {
  readonly #display: HeadsetDisplay;
  readonly #handlers: VisitorHandlers;
  readonly #places: Pair<Place>;
  readonly #absent: Pair<Absent> = [new Absent(), new Absent()];
  #pane: Pane = HOST_PANE;
  #isHere = false;

  constructor(display: HeadsetDisplay, worlds: Pair<WorldView>, handlers: VisitorHandlers) {
    this.#display = display;
    this.#handlers = handlers;
    const placeIn = (pane: Pane): Place => {
      const headset = new Headset(display, worlds[pane], () => START_PLACES[pane]);
      return { world: worlds[pane], headset, panel: null };
    };
    this.#places = [placeIn(HOST_PANE), placeIn(GUEST_PANE)];
  }

  /** The pane of the world that the player is in; null while no headset is worn. */
  get pane(): Pane | null {
    return this.player === null ? null : this.#pane;
  }

  get player(): HeadsetPlayer | null {
    return this.#isHere ? this.headset.player : null;
  }

  /** The headset in the world that the player is in. */
  get headset(): Headset {
    return this.#places[this.#pane].headset;
  }

  /**
   * Returns who plays a peer: the player in a headset, an absent player in the other world, or the desk if no
   * headset is worn.
   */
  at(pane: Pane, desk: InputSource): InputSource {
    const { player } = this;
    if (player === null) return desk;
    return pane === this.#pane ? player : this.#absent[pane];
  }

  /**
   * [T1] Reads a frame, before its ticks.
   * @returns false if no headset is worn.
   */
  begin(nowMs: number, xr: XRFrame | null, peers: Pair<Peer>): boolean {
    if (this.#display.session === null) this.takeOff();
    const isWorn = this.headset.begin(nowMs, xr, peers[this.#pane]);
    if (!isWorn) return false;
    if (!this.#isHere) this.#enterWorld(peers);
    const { player } = this;
    if (player === null) return false;
    if (HAND_SIDES.some((side) => player.pressed(side, 'lower'))) this.#switchWorld(player, nowMs, xr, peers);
    else this.#updatePanel(player, nowMs, xr, peers);
    return true;
  }

  #updatePanel(player: HeadsetPlayer, nowMs: number, xr: XRFrame | null, peers: Pair<Peer>): void {
    switch (this.#panel.update(player, this.headset.held)) {
      case 'other world':
        this.#switchWorld(player, nowMs, xr, peers);
        break;
      case 'reset':
        this.#handlers.onReset();
        break;
      case 'leave headset':
        this.#display.leave();
        break;
      case 'lobby':
        this.#handlers.onLobby();
        break;
      case null:
        break;
    }
  }

  #switchWorld(player: HeadsetPlayer, nowMs: number, xr: XRFrame | null, peers: Pair<Peer>): void {
    copyPose(player.drawn().head, this.#absent[this.#pane].input.head);
    this.#pane = this.#pane === HOST_PANE ? GUEST_PANE : HOST_PANE;
    this.headset.begin(nowMs, xr, peers[this.#pane]);
    this.headset.arrive();
    this.#showWorldTitle();
  }

  /** The panel in the world that the player is in. */
  get #panel(): VisitorPanel {
    const place = this.#places[this.#pane];
    if (place.panel === null) {
      place.panel = new VisitorPanel(this.#pane);
      place.world.extras.add(place.panel.mesh);
    }
    return place.panel;
  }

  /** Draws the player's own hands and their pointers. */
  update(view: PeerView, seconds: number): void {
    this.headset.update(view, seconds, null);
  }

  /** Removes everything that exists only while a headset is worn. */
  takeOff(): void {
    this.#isHere = false;
    for (const place of this.#places) {
      place.headset.takeOff();
      place.panel?.mesh.removeFromParent();
      place.panel?.dispose();
      place.panel = null;
    }
  }

  #enterWorld(peers: Pair<Peer>): void {
    this.#isHere = true;
    for (const pane of [HOST_PANE, GUEST_PANE] as const)
      copyPose(peers[pane].diagnostics.input.head, this.#absent[pane].input.head);
    this.#showWorldTitle();
  }

  #showWorldTitle(): void {
    this.headset.showText(RIGHT, WORLD_TITLES[this.#pane]);
  }
}
