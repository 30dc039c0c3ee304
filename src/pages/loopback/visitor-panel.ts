import { HAND_SIDES } from '../../core/base/ids.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { Pane } from '../../input/panes.ts';
import type { PanelSurface } from '../../view/headset/panel/panel-surface.ts';
import { HandPanel } from '../headset/panel/hand-panel.ts';
import type { Box } from '../headset/panel/panel-boxes.ts';
import { button, rect, text } from '../headset/panel/panel-boxes.ts';
import type { PanelPlacement } from '../headset/panel/panel-place.ts';
import { PanelPlace } from '../headset/panel/panel-place.ts';
import { GUEST, HOST } from './session.ts';

/** The choices of a player in one of the two worlds. */
export type VisitorAction = 'other world' | 'reset' | 'leave headset' | 'lobby';

/** The title of each world, by pane, and the label of the button to the other world. */
export const WORLD_TITLES = ['The host’s world', 'The guest’s world'] as const;
const SWITCH_LABELS = ['To the guest’s world', 'To the host’s world'] as const;
const SLOTS = [HOST, GUEST] as const;

/** Metres: the panel, and the dot where a hand points. */
export const SIZE = { width: 0.54, height: 0.5 } as const;
const DOT = 0.006;
/** A unit is 1.125 mm: text 26 units high, seen from 1.5 m, takes 1.1 degrees. */
export const UNITS = { width: 480, height: 444 } as const;
/** Beside the cubes, where a short look is enough to read it. */
export const STANDING: PanelPlacement = { away: 1.5, height: 1.5, left: 0.7 };

/** The panel in each of the two worlds. It shows which world this is, and offers what the player can do. */
export class VisitorPanel {
  readonly #panel = new HandPanel<VisitorAction>(SIZE, UNITS.width, DOT);
  readonly #place = new PanelPlace(this.mesh, STANDING);
  readonly #pane: Pane;

  constructor(pane: Pane) {
    this.#pane = pane;
  }

  /** The caller adds it to the world. */
  get mesh(): PanelSurface['mesh'] {
    return this.#panel.surface.mesh;
  }

  /**
   * Call once per frame, after the player's `beginFrame` and before its ticks. A hand that holds a body
   * presses nothing.
   * @returns what the player has just pressed, or null.
   */
  update(player: HeadsetPlayer, held: readonly [boolean, boolean]): VisitorAction | null {
    this.#place.update(player);
    let wanted: VisitorAction | null = null;
    for (const side of HAND_SIDES) wanted = this.#panel.point(side, player, !held[side]) ?? wanted;
    this.#panel.draw(() => visitorBoxes(this.#pane));
    return wanted;
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

/** Returns the panel's boxes, in UNITS. */
export function visitorBoxes(pane: Pane): Box<VisitorAction>[] {
  const choices: readonly (readonly [label: string, action: VisitorAction])[] = [
    [SWITCH_LABELS[pane], 'other world'],
    ['Reset the scene', 'reset'],
    ['Leave the headset', 'leave headset'],
    ['Back to the lobby', 'lobby'],
  ];
  return [
    { ...rect(28, 28, 48, 48), kind: 'badge', slot: SLOTS[pane], faint: false },
    text(rect(92, 24, 360, 56), WORLD_TITLES[pane], { size: 36, bold: true }),
    { ...rect(28, 98, 424, 2), kind: 'rule' },
    ...choices.map(([label, action], i) =>
      button<VisitorAction>(rect(28, 118 + i * 78, 424, 66), {
        label,
        look: i === 0 ? 'primary' : 'plain',
        size: 28,
        action,
      }),
    ),
  ];
}
