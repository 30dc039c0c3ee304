import type { HandSide } from '../../../core/base/ids.ts';
import { HAND_SIDES } from '../../../core/base/ids.ts';
import type { Vector } from '../../../core/base/math.ts';
import { addScaled, rotate, setVector, vector } from '../../../core/base/math.ts';
import type { HeadsetPlayer } from '../../../input/headset/headset-player.ts';
import { PanelPointers } from '../../../view/headset/panel/panel-pointer.ts';
import { PanelSurface } from '../../../view/headset/panel/panel-surface.ts';
import { FINGER } from '../../../view/headset/lines/pointer.ts';
import type { Box } from './panel-boxes.ts';
import { actionOf, buttonAt } from './panel-boxes.ts';
import { isTouching, PanelHand } from './panel-hand.ts';
import type { ButtonState } from './panel-paint.ts';
import { paintPanel } from './panel-paint.ts';

/** The parts of a headset's player that a panel needs. */
export type PanelPlayer = Pick<HeadsetPlayer, 'drawn' | 'devices' | 'joints' | 'pulse'>;

/** Least milliseconds between two drawings: each one sends the whole picture to the GPU. */
const DRAW_EVERY_MS = 100;
/** Strength, 0 to 1, and milliseconds of the pulses when a hand comes onto a button and when it presses. */
const OVER = [0.1, 8] as const;
const PRESS = [0.4, 20] as const;
/**
 * Index of the position of the index finger's tip: each joint has 16 numbers, and its position starts at
 * number 12.
 */
const INDEX_TIP_POSITION = 9 * 16 + 12;

/** A panel in the world. Hands use it by pointing at it and closing, or by touching it with the fingertip. */
export class HandPanel<Action> {
  readonly surface: PanelSurface;
  readonly #pointers: PanelPointers;
  readonly #hands = [new PanelHand(), new PanelHand()] as const;
  /** The index of the button under each hand; -1 for none. */
  readonly #over: [number, number] = [-1, -1];
  readonly #tip = vector();
  readonly #along = vector();
  /** The end of each hand's pointing line. */
  readonly #ends = [vector(), vector()] as const;
  readonly #metres: { readonly width: number; readonly height: number };
  /** Pixels of the picture per unit of the boxes. */
  readonly #scale: number;
  #boxes: readonly Box<Action>[] = [];
  #drawnAt = -Infinity;
  #drawn = '';

  /**
   * @param metres the panel's size.
   * @param units its width in the units of its boxes.
   * @param dotRadius metres of the dot where a hand points.
   * @param density pixels per metre; more for a panel that is seen from nearby.
   */
  constructor(
    metres: { readonly width: number; readonly height: number },
    units: number,
    dotRadius: number,
    density?: number,
  ) {
    this.#metres = metres;
    this.surface = new PanelSurface(metres.width, metres.height, density);
    this.#scale = this.surface.width / units;
    this.#pointers = new PanelPointers(dotRadius);
    this.surface.mesh.add(this.#pointers.group);
  }

  /** The hand does not use the panel in this frame. */
  leave(side: HandSide): void {
    this.#hands[side].leave();
    this.#pointers.hide(side);
    this.#over[side] = -1;
  }

  /**
   * Updates one hand; call it once per frame, before the ticks and after the panel was moved. A hand at the
   * panel grips nothing else: its grip and trigger are set to 0 in the player's input.
   * @param may false if the hand is busy elsewhere; it keeps its grip then.
   * @returns the action that the hand has just pressed, or null.
   */
  point(side: HandSide, player: PanelPlayer, may: boolean): Action | null {
    const hand = player.drawn().hands[side];
    if (!may || !hand.tracked) {
      this.leave(side);
      return null;
    }
    const at = this.#hands[side];
    const { position, rotation } = hand.pose;
    rotate(rotation, FORWARD, this.#along);
    const finger = this.surface.touch(this.#findTip(side, player));
    const way = finger !== null && isTouching(finger) ? 'finger' : 'ray';
    const hit = way === 'finger' ? finger : this.surface.ray(position, this.#along);
    const begins = at.update(performance.now(), Math.max(hand.trigger, hand.grip), way, hit);
    if (hit !== null && !at.isAimKept) addScaled(position, this.#along, hit.distance, this.#ends[side]);
    if (at.busy) hand.grip = hand.trigger = 0;
    hand.busy ||= at.busy;
    this.#show(side);
    const before = this.#over[side];
    this.#over[side] = at.way === 'none' ? -1 : buttonAt(this.#boxes, at.x / this.#scale, at.y / this.#scale);
    const action = begins ? actionOf(this.#boxes, this.#over[side]) : null;
    if (action !== null) player.pulse(side, ...PRESS);
    else if (this.#over[side] !== before && this.#over[side] >= 0) player.pulse(side, ...OVER);
    return action;
  }

  /** Draws the panel if it has changed, at most ten times per second. */
  draw(boxes: () => readonly Box<Action>[]): void {
    const now = performance.now();
    if (now - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = now;
    this.#boxes = boxes();
    const states = this.#boxes.map((_, i) => this.#stateOf(i));
    const drawn = JSON.stringify([this.#boxes, states]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.surface.redraw((context) => paintPanel(context, this.#scale, this.surface, this.#boxes, states));
  }

  dispose(): void {
    this.#pointers.dispose();
    this.surface.dispose();
  }

  #stateOf(index: number): ButtonState {
    const over = HAND_SIDES.filter((side) => this.#over[side] === index);
    if (over.some((side) => this.#hands[side].pressing)) return 'pressed';
    return over.length > 0 ? 'over' : 'rest';
  }

  #findTip(side: HandSide, player: PanelPlayer): Vector {
    if (player.devices[side] !== 'hand') {
      return addScaled(player.drawn().hands[side].pose.position, this.#along, FINGER, this.#tip);
    }
    const joints = player.joints[side];
    return setVector(
      this.#tip,
      joints[INDEX_TIP_POSITION],
      joints[INDEX_TIP_POSITION + 1],
      joints[INDEX_TIP_POSITION + 2],
    );
  }

  #show(side: HandSide): void {
    const { x, y, way, pressing } = this.#hands[side];
    if (way === 'none') {
      this.#pointers.hide(side);
      return;
    }
    const { width, height } = this.#metres;
    const right = (x / this.surface.width - 0.5) * width;
    const up = (0.5 - y / this.surface.height) * height;
    this.#pointers.point(side, right, up, pressing);
    if (way === 'ray') this.#pointers.line(side, this.#tip, this.#ends[side]);
  }
}

const FORWARD = vector(0, 0, -1);
