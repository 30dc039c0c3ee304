import { HAND_SIDES } from '../../../core/base/ids.ts';
import { SCENE_NAMES } from '../../../core/world/scene.ts';
import type { PanelSurface } from '../../../view/headset/panel-surface.ts';
import { lettersOf } from '../../lobby/code-field.ts';
import type { PanelPlayer } from './hand-panel.ts';
import { HandPanel } from './hand-panel.ts';
import type { LobbyAction, LobbyChoice, LobbyPanelModel, LobbyPress } from './lobby-boxes.ts';
import { LOBBY_UNITS, lobbyBoxes } from './lobby-boxes.ts';

/** Metres of the panel, and of the dot where a hand points. */
export const SIZE = { width: 1.2, height: 0.9 } as const;
const DOT = 0.009;

/** The lobby in a headset: one panel, to be placed about 1.8 m before the player, its middle at 1.45 m. */
export class LobbyPanel {
  readonly #panel = new HandPanel<LobbyPress>(SIZE, LOBBY_UNITS.width, DOT);
  #model: LobbyPanelModel | null = null;
  #choice: LobbyChoice = { scene: SCENE_NAMES[0], code: '' };

  /** Belongs into the world: its middle at the origin, its front towards z. */
  get mesh(): PanelSurface['mesh'] {
    return this.#panel.surface.mesh;
  }

  /** Cheap enough for every frame: what has changed is drawn, at most ten times a second. */
  show(model: LobbyPanelModel): void {
    if (model.code !== this.#model?.code) this.#choice = { ...this.#choice, code: lettersOf(model.code) };
    this.#model = model;
    this.#panel.draw(() => lobbyBoxes(model, this.#choice));
  }

  /**
   * Looks at the hands; once a frame, after the player's `beginFrame` and before its ticks, with the panel in its
   * place. A hand that is at the panel grips nothing else in those ticks; one that holds something presses nothing.
   * @returns what the player wants, if a hand has just pressed it.
   */
  update(player: PanelPlayer, held: readonly [boolean, boolean]): LobbyAction | null {
    let wanted: LobbyAction | null = null;
    for (const side of HAND_SIDES) {
      const press = this.#panel.point(side, player, !held[side]);
      if (press !== null) wanted = this.#heed(press) ?? wanted;
    }
    return wanted;
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #heed(press: LobbyPress): LobbyAction | null {
    const { code } = this.#choice;
    switch (press.kind) {
      case 'scene':
        this.#choice = { ...this.#choice, scene: press.scene };
        return null;
      case 'letter':
        this.#choice = { ...this.#choice, code: code + press.letter };
        return null;
      case 'erase':
        this.#choice = { ...this.#choice, code: code.slice(0, -1) };
        return null;
      default:
        return press;
    }
  }
}
