import type { Mesh } from 'three';
import { Vector3 } from 'three';
import type { ReadonlyPose } from '../../../core/base/math.ts';
import { flowFraction } from '../../bodies/colour-flow.ts';
import type { SheetRect } from '../labels/label-sheet.ts';
import { LabelSheet } from '../labels/label-sheet.ts';
import { Quads } from '../labels/quads.ts';
import { LazyGaze } from './lazy-gaze.ts';

/** Seconds for which a sentence stays, as on a screen, and how many are shown at once. */
const STAYS = 4.5;
const MOST = 3;
/** Metres from the eyes; half the height of a line; and from one line to the next. */
const AWAY = 1.5;
const HALF = 0.036;
const SPACING = 0.083;
/** Radians from the gaze down to the lowest line. */
const BELOW = 0.27;
/** Metres: only what is nearer than this hides the lines. A held cube is farther away, so it does not. */
const BEHIND = 0.2;
/** Pixels: a long sentence needs a wide sheet. */
const SHEET_WIDTH = 1216;
/** Fraction of the remaining way that a line appears, fades and moves up in one frame of 1/90 s. */
const FLOW = 0.14;
const INVISIBLE = 0.01;
const NOTHING: SheetRect = [0, 0, 0, 0];

type Line = {
  readonly sheetRow: number;
  rect: SheetRect;
  aspect: number;
  /** Seconds that are left. */
  left: number;
  opacity: number;
  /** Lines above the lowest place. */
  height: number;
};

/** News in a headset: up to three lines below the gaze. They follow the head lazily, and are in front of held cubes. */
export class GazeNews {
  /** The caller adds it to the world. */
  readonly mesh: Mesh;
  readonly #sheet = new LabelSheet(MOST, SHEET_WIDTH);
  readonly #quads = new Quads(MOST, this.#sheet.texture, BEHIND);
  readonly #lines = Array.from({ length: MOST }, (_, row) => emptyLine(row));
  readonly #gaze = new LazyGaze();
  readonly #middle = new Vector3();
  readonly #right = new Vector3();
  readonly #up = new Vector3();
  readonly #place = new Vector3();
  readonly #across = new Vector3();
  readonly #upwards = new Vector3();

  constructor() {
    this.mesh = this.#quads.mesh;
  }

  /** The seconds for which each line that is shown stays, the oldest first. */
  get left(): readonly number[] {
    return this.#lines.map(({ left }) => left).filter((left) => left > 0);
  }

  /** Shows a sentence for a moment, in place of the oldest if there are three. */
  say(sentence: string): void {
    if (this.#lines.every(({ opacity, left }) => opacity < INVISIBLE && left <= 0)) this.#gaze.restart();
    // The oldest is the first.
    const line = this.#lines.find(({ left }) => left <= 0) ?? this.#lines[0];
    this.#lines.splice(this.#lines.indexOf(line), 1);
    this.#lines.push(line);
    Object.assign(line, this.#sheet.write(line.sheetRow, sentence), { left: STAYS, opacity: 0, height: 0 });
  }

  /**
   * Places the lines.
   * @param head of the player, in the world.
   * @param seconds since the last call.
   */
  update(head: ReadonlyPose, seconds: number): void {
    this.#quads.clear();
    const flow = flowFraction(FLOW, seconds);
    this.#gaze.update(head.rotation, seconds);
    this.#findPlace(head);
    let height = this.#lines.filter(({ left }) => left > 0).length;
    for (const line of this.#lines) {
      const isWanted = line.left > 0;
      line.left -= seconds;
      line.opacity += ((isWanted ? 1 : 0) - line.opacity) * flow;
      if (isWanted) line.height += (--height - line.height) * flow;
      if (line.opacity > INVISIBLE) this.#add(line);
    }
    this.#quads.commit();
  }

  dispose(): void {
    this.#quads.dispose();
    this.#sheet.dispose();
  }

  #findPlace({ position }: ReadonlyPose): void {
    const { yaw } = this.#gaze;
    const pitch = this.#gaze.pitch - BELOW;
    const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
    const level = Math.cos(pitch);
    this.#middle.set(-sin * level, Math.sin(pitch), -cos * level);
    this.#right.set(cos, 0, -sin);
    this.#up.crossVectors(this.#right, this.#middle);
    this.#middle.multiplyScalar(AWAY).add(position);
  }

  #add({ rect, aspect, opacity, height }: Line): void {
    this.#place.copy(this.#middle).addScaledVector(this.#up, height * SPACING);
    this.#across.copy(this.#right).multiplyScalar(HALF * aspect);
    this.#upwards.copy(this.#up).multiplyScalar(HALF);
    this.#quads.add(this.#place, this.#across, this.#upwards, rect, opacity);
  }
}

function emptyLine(sheetRow: number): Line {
  return { sheetRow, rect: NOTHING, aspect: 0, left: 0, opacity: 0, height: 0 };
}
