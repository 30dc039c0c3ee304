import type { HandSide } from '../../../core/base/ids.ts';
import { HAND_SIDES, LEFT, RIGHT } from '../../../core/base/ids.ts';
import type { ReadonlyVector, Vector } from '../../../core/base/math.ts';
import { addScaled, distance, rotate, setVector, vector } from '../../../core/base/math.ts';
import type { HeadsetPlayer } from '../../../input/headset/headset-player.ts';
import type { PanelSurface } from '../../../view/headset/panel/panel-surface.ts';
import { NEAR_DENSITY } from '../../../view/headset/panel/panel-surface.ts';
import { saveComfort } from '../../../storage/comfort.ts';
import type { KeepHandlers } from '../../room/menu/menu-keep.ts';
import type { MoveHandlers } from '../../room/menu/menu-room.ts';
import type { MenuHandlers } from '../../room/menu/menu.ts';
import type { RoomModel } from '../../room/model.ts';
import { HandPanel } from './hand-panel.ts';
import type { Box } from './panel-boxes.ts';
import { button, rect } from './panel-boxes.ts';
import { wristBoxes } from './wrist-boxes.ts';
import type { WristAction, WristPress, WristState } from './wrist-layout.ts';
import { WRIST_UNITS } from './wrist-layout.ts';

/** Metres: the menu, and the height of its middle above the hand. */
export const WRIST_SIZE = { width: 0.32, height: (0.32 * WRIST_UNITS.height) / WRIST_UNITS.width } as const;
export const ABOVE_HAND = WRIST_SIZE.height / 2 + 0.07;
/** Metres of the dot where a hand points. */
const DOT = 0.004;
/**
 * Time constant in seconds with which the menu follows its hand, so that a trembling hand does not shake it.
 */
const FOLLOW_SECONDS = 0.08;

/** The button that opens the menu over a bare hand: metres, and its height above the wrist. */
const OPENER = { width: 0.09, height: 0.042 } as const;
const OPENER_UNITS = { width: 150, height: 70 } as const;
const ABOVE_WRIST = 0.06;
/**
 * The button is visible while the player looks at that wrist: within these metres, and within 35 degrees, as
 * a cosine.
 */
const OPENER_REACH = 0.8;
const OPENER_GAZE = 0.82;

/**
 * The handlers that work in a headset: it can't show the window to choose a file, and a change of colour leaves the
 * room.
 */
export type WristHandlers = Omit<
  MenuHandlers,
  keyof KeepHandlers | keyof MoveHandlers | 'onColour' | 'onKick'
> & {
  onLeaveHeadset(): void;
};

/**
 * The menu over a wrist; the other hand presses its buttons. Y opens it over the left hand, B over the right
 * hand. A bare left hand shows a button for it when the player looks at it.
 */
export class WristMenu {
  readonly #handlers: WristHandlers;
  readonly #player: HeadsetPlayer;
  readonly #panel = new HandPanel<WristPress>(WRIST_SIZE, WRIST_UNITS.width, DOT, NEAR_DENSITY);
  readonly #opener = new HandPanel<'open'>(OPENER, OPENER_UNITS.width, DOT);
  readonly #at = vector();
  #state: WristState;
  #isOpen = false;
  #side: HandSide = LEFT;
  #lastMs = 0;

  constructor(player: HeadsetPlayer, handlers: WristHandlers) {
    this.#player = player;
    this.#handlers = handlers;
    this.#state = {
      tab: 'Players',
      asked: null,
      writing: null,
      comfort: player.comfort,
      microphoneGranted: false,
      bareHands: false,
    };
    for (const mesh of this.meshes) mesh.visible = false;
  }

  /** The caller adds them to the world. */
  get meshes(): readonly PanelSurface['mesh'][] {
    return [this.#panel.surface.mesh, this.#opener.surface.mesh];
  }

  /**
   * Updates the menu's place and both hands; call it once per frame, after the player's `beginFrame` and
   * before its ticks.
   * @param held whether each hand holds a body; such a hand presses nothing.
   */
  begin(nowMs: number, held: readonly [boolean, boolean]): void {
    const seconds = Math.min(0.1, Math.max(0, (nowMs - this.#lastMs) / 1000));
    this.#lastMs = nowMs;
    for (const side of HAND_SIDES) if (this.#player.pressed(side, 'upper')) this.#toggle(side);
    this.#placeMenu(seconds);
    this.#placeOpener();
    for (const side of HAND_SIDES) {
      const isFree = !held[side];
      const press = this.#pointAt(this.#panel, side, isFree && side !== this.#side);
      if (press !== null) this.#onPress(press);
      if (this.#pointAt(this.#opener, side, isFree && side === RIGHT) !== null) this.#toggle(LEFT);
    }
  }

  /** Shows the present state of the room. */
  update(model: () => RoomModel): void {
    if (this.#panel.surface.mesh.visible) this.#panel.draw(() => wristBoxes(model(), this.#state));
    if (this.#opener.surface.mesh.visible) this.#opener.draw(openerBoxes);
  }

  dispose(): void {
    this.#panel.dispose();
    this.#opener.dispose();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  #pointAt<Action>(panel: HandPanel<Action>, side: HandSide, may: boolean): Action | null {
    return panel.point(side, this.#player, may && panel.surface.mesh.visible);
  }

  /** Opens the menu over a hand, or closes it if it is open there. */
  #toggle(side: HandSide): void {
    this.#isOpen = !this.#isOpen || side !== this.#side;
    this.#side = side;
    this.#set({ asked: null, writing: null, bareHands: this.#player.devices[side] === 'hand' });
    if (!this.#isOpen) return;
    setVector(this.#at, NaN, NaN, NaN);
    void microphoneGranted().then((granted) => this.#set({ microphoneGranted: granted }));
  }

  #set(change: Partial<WristState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #placeMenu(seconds: number): void {
    const { head, hands } = this.#player.drawn();
    const { mesh } = this.#panel.surface;
    mesh.visible = this.#isOpen && hands[this.#side].tracked;
    if (!mesh.visible) return;
    const { x, y, z } = hands[this.#side].pose.position;
    const isNew = Number.isNaN(this.#at.x);
    const share = isNew ? 1 : 1 - Math.exp(-seconds / FOLLOW_SECONDS);
    if (isNew) setVector(this.#at, x, y + ABOVE_HAND, z);
    this.#at.x += (x - this.#at.x) * share;
    this.#at.y += (y + ABOVE_HAND - this.#at.y) * share;
    this.#at.z += (z - this.#at.z) * share;
    face(mesh, this.#at, head.position);
  }

  #placeOpener(): void {
    const { head, hands } = this.#player.drawn();
    const { mesh } = this.#opener.surface;
    const bare = this.#player.devices[LEFT] === 'hand' && hands[RIGHT].tracked;
    mesh.visible = bare && !this.#isOpen;
    if (!mesh.visible) return;
    // The wrist is the first joint, and its position starts at number 12 of its matrix.
    const joints = this.#player.joints[LEFT];
    setVector(place, joints[12], joints[13] + ABOVE_WRIST, joints[14]);
    face(mesh, place, head.position);
    const away = distance(place, head.position);
    addScaled(place, head.position, -1, place);
    const gaze = rotate(head.rotation, FORWARD, ahead);
    const along = place.x * gaze.x + place.y * gaze.y + place.z * gaze.z;
    mesh.visible = away < OPENER_REACH && along > OPENER_GAZE * away;
  }

  #onPress(press: WristPress): void {
    switch (press.kind) {
      case 'tab':
        this.#set({ tab: press.tab, asked: null, writing: null });
        break;
      case 'write':
        this.#set({ writing: press.name });
        break;
      case 'ask':
        this.#set({ asked: press.about });
        break;
      case 'keep':
        this.#set({ asked: null, writing: null });
        break;
      case 'close':
        this.#isOpen = false;
        break;
      default:
        this.#set({ asked: null, writing: null });
        // Not within a frame: the action may leave the room.
        queueMicrotask(() => this.#perform(press));
    }
  }

  #perform(action: WristAction): void {
    const handlers = this.#handlers;
    switch (action.kind) {
      case 'mute':
        return handlers.onMute(action.slot, action.muted);
      case 'name':
        return handlers.onName(action.name);
      case 'remove':
        return handlers.onRemove(action.slot);
      case 'make host':
        return handlers.onMakeHost(action.slot);
      case 'back':
        return handlers.onBack();
      case 'wave':
        return handlers.onWave();
      case 'voice':
        return handlers.onVoice(action.wish);
      case 'scene':
        return handlers.onScene(action.scene);
      case 'add':
        return handlers.onAdd(action.body);
      case 'remove last':
        return handlers.onRemoveLast();
      case 'remove all':
        return handlers.onRemoveAll();
      case 'lock':
        return handlers.onLock(action.locked);
      case 'reset':
        return handlers.onReset();
      case 'leave room':
        return handlers.onLeave();
      case 'leave headset':
        return handlers.onLeaveHeadset();
      case 'comfort':
        this.#player.comfort = action.comfort;
        this.#set({ comfort: action.comfort });
        saveComfort(action.comfort);
    }
  }
}

function face(mesh: PanelSurface['mesh'], { x, y, z }: ReadonlyVector, eye: ReadonlyVector): void {
  mesh.position.set(x, y, z);
  mesh.lookAt(eye.x, eye.y, eye.z);
}

function openerBoxes(): Box<'open'>[] {
  const { width, height } = OPENER_UNITS;
  return [
    button(rect(5, 5, width - 10, height - 10), { label: 'Menu', look: 'plain', size: 30, action: 'open' }),
  ];
}

/**
 * Returns whether the browser gives the microphone without asking. A browser that does not tell counts as
 * asking.
 */
async function microphoneGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state === 'granted';
  } catch {
    return false;
  }
}

const FORWARD: Readonly<Vector> = { x: 0, y: 0, z: -1 };
const place = vector();
const ahead = vector();
