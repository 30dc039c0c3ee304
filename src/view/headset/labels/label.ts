import type { Camera, Mesh } from 'three';
import { Vector3 } from 'three';
import type { HandSide } from '../../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_SLOT } from '../../../core/base/ids.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import { flowFraction } from '../../bodies/colour-flow.ts';
import type { ControllerButton } from '../hands/controller-model.ts';
import { CONTROLLER_BUTTONS } from '../hands/controller-model.ts';
import { HintPlace } from './in-gaze.ts';
import type { SheetRect } from './label-sheet.ts';
import { LabelSheet } from './label-sheet.ts';
import { Quads } from './quads.ts';

/** Seconds that a text above a hand stays. */
const WORD_SECONDS = 2;
/** Metres: half the height of a text and of a hint, and the height of a text above the hand. */
const WORD_HALF = 0.013;
const HINT_HALF = 0.0085;
const WORD_ABOVE = 0.1;
/** Metres: from the hand to the near ends of its hints, and between two hints. */
const HINTS_BESIDE = 0.075;
const HINT_SPACING = 0.023;
/** Metres: half the width of the line from a hint to its button, and of the dot on the button. */
const LEADER_HALF = 0.0006;
const DOT_HALF = 0.0026;
/** Fraction of the remaining way that labels appear, fade and move up in one frame of 1/90 s. */
const FLOW = 0.14;
const INVISIBLE = 0.01;
const NOTHING: SheetRect = [0, 0, 0, 0];

/** A text at a button. */
export type Hint = { readonly button: ControllerButton; readonly text: string };

/** The positions of the buttons in the world; `OwnHands` has them. */
export type ButtonPlaces = {
  buttonPlace(side: HandSide, button: ControllerButton, out: Vector3): boolean;
};

type Label = { text: string; rect: SheetRect; aspect: number; wanted: boolean; opacity: number };
type HintLabel = Label & { readonly button: ControllerButton; readonly sheetRow: number; row: number };
type Word = Label & { left: number };
type Hand = { readonly word: Word; readonly hints: readonly HintLabel[]; readonly place: HintPlace };

/**
 * A text above each hand, and hints at the buttons of its controller; all face the eye. If the button is not
 * drawn, for example with a bare hand, the hint is at the hand. Hints of a hand that is out of the gaze come into it.
 */
export class HandLabels {
  /** The caller adds it to the world. */
  readonly mesh: Mesh;
  readonly #sheet = new LabelSheet(HAND_SIDES.length * (1 + CONTROLLER_BUTTONS.length));
  readonly #quads: Quads;
  readonly #hands: readonly Hand[] = HAND_SIDES.map(handLabels);
  readonly #eye = new Vector3();
  readonly #right = new Vector3();
  readonly #up = new Vector3();
  readonly #toEye = new Vector3();
  readonly #hand = new Vector3();
  readonly #ahead = new Vector3();
  readonly #level = new Vector3();
  readonly #place = new Vector3();
  readonly #button = new Vector3();
  readonly #across = new Vector3();
  readonly #upwards = new Vector3();

  constructor() {
    // One text per hand; and text, line and dot of each hint.
    this.#quads = new Quads(HAND_SIDES.length * (1 + 3 * CONTROLLER_BUTTONS.length), this.#sheet.texture);
    this.mesh = this.#quads.mesh;
  }

  /** Shows a text above a hand for two seconds, for example "Bo has this cube now". */
  showText(side: HandSide, text: string): void {
    const { word } = this.#hands[side];
    this.#write(word, side, text);
    word.left = WORD_SECONDS;
  }

  /** Sets the hints at a hand's buttons. Hints that are not in the list fade away. */
  hints(side: HandSide, list: readonly Hint[]): void {
    for (const label of this.#hands[side].hints) {
      const hint = list.find(({ button }) => button === label.button);
      label.wanted = hint !== undefined;
      if (hint !== undefined) this.#write(label, label.sheetRow, hint.text);
    }
  }

  /**
   * Places all labels.
   * @param seconds since the last call.
   */
  update(view: PeerView, buttons: ButtonPlaces, camera: Camera, seconds: number): void {
    this.#quads.clear();
    if (view.self === NO_SLOT) return;
    camera.getWorldPosition(this.#eye);
    camera.getWorldDirection(this.#ahead);
    this.#level.setFromMatrixColumn(camera.matrixWorld, 0);
    const flow = flowFraction(FLOW, seconds);
    for (const side of HAND_SIDES) {
      const { tracked, pose } = view.avatars[view.self].hands[side];
      this.#hand.copy(pose.position);
      this.#face(this.#hand);
      this.#updateWord(this.#hands[side].word, tracked, flow, seconds);
      const { place } = this.#hands[side];
      place.find(this.#eye, this.#ahead, this.#level, this.#hand);
      this.#face(place.anchor);
      this.#updateHints(side, buttons, tracked, flow);
    }
    this.#quads.commit();
  }

  dispose(): void {
    this.#quads.dispose();
    this.#sheet.dispose();
  }

  #write(label: Label, row: number, text: string): void {
    if (label.text === text) return;
    label.text = text;
    ({ rect: label.rect, aspect: label.aspect } = this.#sheet.write(row, text));
  }

  /** Finds the directions right and up for labels at a place: they face the eye and are never rolled. */
  #face(place: Vector3): void {
    this.#toEye.subVectors(this.#eye, place).normalize();
    this.#right.set(this.#toEye.z, 0, -this.#toEye.x);
    if (this.#right.lengthSq() < 1e-4) this.#right.set(1, 0, 0);
    this.#right.normalize();
    this.#up.crossVectors(this.#toEye, this.#right);
  }

  #updateWord(word: Word, tracked: boolean, flow: number, seconds: number): void {
    word.left -= seconds;
    word.wanted = word.left > 0 && tracked;
    word.opacity += ((word.wanted ? 1 : 0) - word.opacity) * flow;
    if (word.opacity < INVISIBLE || !tracked) return;
    this.#place.copy(this.#hand).addScaledVector(this.#up, WORD_ABOVE);
    this.#addText(word, WORD_HALF);
  }

  #updateHints(side: HandSide, buttons: ButtonPlaces, tracked: boolean, flow: number): void {
    const { hints, place } = this.#hands[side];
    let wanted = 0;
    for (const hint of hints) if (hint.wanted) wanted++;
    let row = (1 - wanted) / 2;
    for (const hint of hints) {
      if (hint.wanted) {
        if (hint.opacity < INVISIBLE) hint.row = row;
        hint.row += (row - hint.row) * flow;
        row++;
      }
      hint.opacity += ((hint.wanted && tracked ? 1 : 0) - hint.opacity) * flow;
      if (!tracked || hint.opacity < INVISIBLE) continue;
      if (!buttons.buttonPlace(side, hint.button, this.#button)) this.#button.copy(this.#hand);
      this.#addHint(hint, place);
    }
  }

  #addHint(hint: HintLabel, { anchor, outwards }: HintPlace): void {
    this.#place
      .copy(anchor)
      .addScaledVector(this.#right, outwards * HINTS_BESIDE)
      .addScaledVector(this.#up, -hint.row * HINT_SPACING);
    this.#addLeader(hint.opacity);
    this.#across.copy(this.#right).multiplyScalar(DOT_HALF);
    this.#upwards.copy(this.#up).multiplyScalar(DOT_HALF);
    this.#quads.add(this.#button, this.#across, this.#upwards, this.#sheet.dot, hint.opacity);
    this.#place.addScaledVector(this.#right, outwards * HINT_HALF * hint.aspect);
    this.#addText(hint, HINT_HALF);
  }

  /** Adds a line from the button to the hint. */
  #addLeader(opacity: number): void {
    this.#across.subVectors(this.#place, this.#button).multiplyScalar(0.5);
    this.#upwards.crossVectors(this.#toEye, this.#across).setLength(LEADER_HALF);
    this.#button.add(this.#across);
    this.#quads.add(this.#button, this.#across, this.#upwards, this.#sheet.plain, opacity);
    this.#button.sub(this.#across);
  }

  #addText({ rect, aspect, opacity }: Label, half: number): void {
    this.#across.copy(this.#right).multiplyScalar(half * aspect);
    this.#upwards.copy(this.#up).multiplyScalar(half);
    this.#quads.add(this.#place, this.#across, this.#upwards, rect, opacity);
  }
}

/** Each text has its own row of the sheet; the texts above the hands come first. */
function handLabels(side: HandSide): Hand {
  const label = (): Label => ({ text: '', rect: NOTHING, aspect: 0, wanted: false, opacity: 0 });
  const first = HAND_SIDES.length + side * CONTROLLER_BUTTONS.length;
  return {
    word: { ...label(), left: 0 },
    place: new HintPlace(side === LEFT ? -1 : 1),
    hints: CONTROLLER_BUTTONS.map((button, i) => ({ ...label(), button, sheetRow: first + i, row: 0 })),
  };
}
