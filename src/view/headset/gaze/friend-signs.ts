import type { Mesh } from 'three';
import { CanvasTexture, LinearMipmapLinearFilter, Vector3 } from 'three';
import { MAX_ROOM_PLAYERS } from '../../../core/base/constants.ts';
import type { ReadonlyPose } from '../../../core/base/math.ts';
import { conjugate, quaternion, rotate, setVector, vector } from '../../../core/base/math.ts';
import type { AvatarView, PeerView } from '../../../core/peer/shown/peer-view.ts';
import { NO_SLOT } from '../../../core/base/ids.ts';
import { flowFraction } from '../../bodies/colour-flow.ts';
import { DROP, DROP_BOX, edgePlace } from '../../players/edge-place.ts';
import { MARK_BOX, FIRST_LOOKS } from '../../slots.ts';
import type { SheetRect } from '../labels/label-sheet.ts';
import { Quads } from '../labels/quads.ts';

/** Metres: hands, and what they hold, are nearer than this; they are seen in front of the signs. */
const ARMS_LENGTH = 0.75;
/** Tangents of half the angles within which a friend is in sight: a headset shows a little more. */
const SEEN_ACROSS = Math.tan(0.72);
const SEEN_UP = Math.tan(0.62);
/** Tangents of the angles from the gaze to the edge where arrows are: eyes get there without a turn of the head. */
const EDGE_ACROSS = Math.tan(0.44);
const EDGE_UP = Math.tan(0.3);
/** Metres from the eyes, half an arrow's size, half its mark's, and the least from one arrow to another. */
const AWAY = 1.3;
const HALF = 0.052;
const MARK_HALF = 0.0215;
const APART = 0.115;
/** Fraction of the remaining way that an arrow appears, fades and moves in one frame of 1/90 s. */
const FLOW = 0.18;
const INVISIBLE = 0.01;

/** Pixels of a cell, cells per row, and the rows: two of drops, two of marks. */
const CELL = 128;
const COLUMNS = 4;
const ROWS = 4;
/** The share of a cell that is drawn on, so that a small drawing of it shows nothing of the next. */
const FILL = 0.88;
/** The width of an arrow's white edge, of which half is seen; in units of DROP_BOX. */
const EDGE = 2.6;

/** Where an arrow is and points, in the head's space. */
type Sign = { x: number; y: number; angle: number; opacity: number };

/**
 * Arrows in a headset, near the edge of comfortable sight: one for each friend of the first slots that is out of sight. They
 * are one draw call.
 */
export class FriendSigns {
  /** The caller adds it to the world. */
  readonly mesh: Mesh;
  readonly #texture = drawSigns();
  readonly #quads = new Quads(2 * MAX_ROOM_PLAYERS, this.#texture, ARMS_LENGTH);
  readonly #signs = Array.from({ length: MAX_ROOM_PLAYERS }, (): Sign => ({
    x: 0,
    y: 0,
    angle: 0,
    opacity: 0,
  }));
  readonly #toHead = quaternion();
  readonly #local = vector();
  readonly #right = new Vector3();
  readonly #up = new Vector3();
  readonly #ahead = new Vector3();
  readonly #place = new Vector3();
  readonly #across = new Vector3();
  readonly #upwards = new Vector3();

  constructor() {
    this.mesh = this.#quads.mesh;
  }

  /** How much each slot's arrow is seen, 0 to 1. */
  get opacities(): readonly number[] {
    return this.#signs.map(({ opacity }) => opacity);
  }

  /**
   * Places all arrows.
   * @param seconds since the last call.
   */
  update(view: PeerView, seconds: number): void {
    this.#quads.clear();
    if (view.self === NO_SLOT) return;
    const { head } = view.avatars[view.self];
    conjugate(head.rotation, this.#toHead);
    this.#right.set(1, 0, 0).applyQuaternion(head.rotation);
    this.#up.set(0, 1, 0).applyQuaternion(head.rotation);
    this.#ahead.set(0, 0, -1).applyQuaternion(head.rotation);
    const flow = flowFraction(FLOW, seconds);
    for (const avatar of view.avatars) {
      if (avatar.slot >= MAX_ROOM_PLAYERS) continue;
      this.#aim(avatar, avatar.slot !== view.self && avatar.present, head, flow);
      if (this.#signs[avatar.slot].opacity > INVISIBLE) this.#add(avatar.slot, head);
    }
    this.#quads.commit();
  }

  dispose(): void {
    this.#quads.dispose();
    this.#texture.dispose();
  }

  /** Finds where the arrow to a friend is. @param isFriend false hides it. */
  #aim({ slot, head: { position } }: AvatarView, isFriend: boolean, from: ReadonlyPose, flow: number): void {
    const sign = this.#signs[slot];
    const local = setVector(
      this.#local,
      position.x - from.position.x,
      position.y - from.position.y,
      position.z - from.position.z,
    );
    rotate(this.#toHead, local, local);
    const edge = isFriend ? edgePlace(local, SEEN_UP, SEEN_ACROSS / SEEN_UP) : null;
    const isNew = sign.opacity < INVISIBLE;
    sign.opacity += ((edge === null ? 0 : 1) - sign.opacity) * flow;
    if (edge === null) return;
    const [x, y] = [edge.x * EDGE_ACROSS * AWAY, edge.y * EDGE_UP * AWAY];
    const share = isNew ? 1 : flow;
    sign.x += (x - sign.x) * share;
    sign.y += (this.#freeHeight(slot, x, y) - sign.y) * share;
    sign.angle = Math.atan2(y, x);
  }

  /** Where an arrow lies below those of lower slots, if two friends are out of sight at one place. */
  #freeHeight(slot: number, x: number, y: number): number {
    const isTaken = this.#signs.some(
      (other, i) =>
        i < slot &&
        other.opacity > INVISIBLE &&
        Math.abs(other.x - x) < APART &&
        Math.abs(other.y - y) < APART * 0.98,
    );
    return isTaken ? this.#freeHeight(slot, x, y - APART) : y;
  }

  #add(slot: number, { position }: ReadonlyPose): void {
    const { x, y, angle, opacity } = this.#signs[slot];
    this.#place.copy(position).addScaledVector(this.#ahead, AWAY);
    this.#place.addScaledVector(this.#right, x).addScaledVector(this.#up, y);
    const [sin, cos] = [Math.sin(angle) * HALF, Math.cos(angle) * HALF];
    this.#across.copy(this.#right).multiplyScalar(cos).addScaledVector(this.#up, sin);
    this.#upwards.copy(this.#right).multiplyScalar(-sin).addScaledVector(this.#up, cos);
    this.#quads.add(this.#place, this.#across, this.#upwards, cellOf(slot), opacity);
    // The mark stays upright, however the drop is turned.
    this.#across.copy(this.#right).multiplyScalar(MARK_HALF);
    this.#upwards.copy(this.#up).multiplyScalar(MARK_HALF);
    this.#quads.add(this.#place, this.#across, this.#upwards, cellOf(MAX_ROOM_PLAYERS + slot), opacity);
  }
}

/** The part of a cell that is drawn on. */
function cellOf(index: number): SheetRect {
  const margin = (1 - FILL) / 2;
  const left = ((index % COLUMNS) + margin) / COLUMNS;
  const bottom = (ROWS - 1 - Math.floor(index / COLUMNS) + margin) / ROWS;
  return [left, bottom, FILL / COLUMNS, FILL / ROWS];
}

/** Returns a drop that points to the right for each slot, in its colour, and each slot's mark, in white. */
function drawSigns(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = COLUMNS * CELL;
  canvas.height = ROWS * CELL;
  const context = canvas.getContext('2d');
  const draw = (index: number, path: string, box: number, colour: string, edge = 0): void => {
    if (context === null) return;
    const scale = (CELL * FILL) / box;
    const margin = (CELL * (1 - FILL)) / 2;
    const [x, y] = [(index % COLUMNS) * CELL + margin, Math.floor(index / COLUMNS) * CELL + margin];
    context.setTransform(scale, 0, 0, scale, x, y);
    const shape = new Path2D(path);
    context.lineWidth = edge;
    context.strokeStyle = '#ffffff';
    if (edge > 0) context.stroke(shape);
    context.fillStyle = colour;
    context.fill(shape);
  };
  FIRST_LOOKS.forEach(({ colour, mark }, slot) => {
    draw(slot, DROP, DROP_BOX, colour, EDGE);
    draw(MAX_ROOM_PLAYERS + slot, mark.path, MARK_BOX, '#ffffff');
  });
  const texture = new CanvasTexture(canvas);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.premultiplyAlpha = true;
  return texture;
}
