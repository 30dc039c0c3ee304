import { HAND_SIDES } from '../../../core/base/ids.ts';
import { LEVEL_IDS } from '../../../levels/levels.ts';
import type { PanelSurface } from '../../../view/headset/panel/panel-surface.ts';
import { lettersOf } from '../../lobby/start/code-field.ts';
import type { PanelPlayer } from './hand-panel.ts';
import { HandPanel } from './hand-panel.ts';
import type { LobbyAction, LobbyChoice, LobbyPanelModel, LobbyPress } from './lobby-boxes.ts';
import { LOBBY_UNITS, lobbyBoxes } from './lobby-boxes.ts';

/** Metres: the panel, and the dot where a hand points. */
export const SIZE = { width: 1.2, height: 0.9 } as const;
const DOT = 0.009;

/**
 * The lobby's panel in a headset. Place it about 1.8 m in front of the player, with its middle 1.45 m above
 * the floor.
 */
export class LobbyPanel {
  readonly #panel = new HandPanel<LobbyPress>(SIZE, LOBBY_UNITS.width, DOT);
  #model: LobbyPanelModel | null = null;
  #choice: LobbyChoice = { scene: LEVEL_IDS[0], code: '' };

  /** The caller adds it to the world. Its middle is the origin, and its front looks along z. */
  get mesh(): PanelSurface['mesh'] {
    return this.#panel.surface.mesh;
  }

  /**
   * Shows the model. Call it in every frame: the panel is drawn only if it has changed, at most ten times per
   * second.
   */
  show(model: LobbyPanelModel): void {
    if (model.code !== this.#model?.code) this.#choice = { ...this.#choice, code: lettersOf(model.code) };
    this.#model = model;
    this.#panel.draw(() => lobbyBoxes(model, this.#choice));
  }

  /**
   * Updates both hands; call it once per frame, after the player's `beginFrame`, before its ticks, and after
   * the panel was moved. A hand at the panel grips nothing else in those ticks; a hand that holds a body
   * presses nothing.
   * @returns the action that a hand has just pressed, or null.
   */
  update(player: PanelPlayer, held: readonly [boolean, boolean]): LobbyAction | null {
    let wanted: LobbyAction | null = null;
    for (const side of HAND_SIDES) {
      const press = this.#panel.point(side, player, !held[side]);
      if (press !== null) wanted = this.#onPress(press) ?? wanted;
    }
    return wanted;
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #onPress(press: LobbyPress): LobbyAction | null {
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
