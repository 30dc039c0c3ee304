import type { HandSide, Slot } from '../core/base/ids.ts';
import { HAND_SIDES, LEFT, RIGHT } from '../core/base/ids.ts';
import { MAX_PLAYERS, MAX_POSITION_METRES } from '../core/base/constants.ts';
import type { ReadonlyQuaternion, ReadonlyVector } from '../core/base/math.ts';
import { copyPose, copyVector, normalize } from '../core/base/math.ts';
import { copyGesture } from '../core/hands/hand-gesture.ts';
import type { HandInput, PlayerInput } from '../core/hands/hand-input.ts';
import { handInput, playerInput } from '../core/hands/hand-input.ts';
import { copyTrail } from './hand-trail.ts';

export type HandName = 'left' | 'right';

/** A hand as a script sets it. Defaults: an open, level hand, with the stick at rest. */
export type ScriptedHand = {
  /** Metres, within the world's bounds. */
  readonly position: ReadonlyVector;
  /** A quaternion of any length; the hand points along its -z. */
  readonly rotation?: ReadonlyQuaternion;
  /** 0 to 1. */
  readonly grip?: number;
  /** 0 to 1. */
  readonly trigger?: number;
  /** -1 to 1 on each axis. */
  readonly stick?: { readonly x: number; readonly y: number };
};

type Hands = { readonly set: [boolean, boolean]; readonly hands: readonly [HandInput, HandInput] };

/**
 * Hands that a script moves, from the console or a test. Each replaces the player's own hand while it is set.
 */
export class ScriptedHands {
  readonly #slots: readonly Hands[];
  readonly #inputs: readonly PlayerInput[];

  /** @param players slots 0 to `players` - 1 can be scripted. */
  constructor(players: number = MAX_PLAYERS) {
    this.#slots = Array.from({ length: players }, () => ({
      set: [false, false],
      hands: [handInput(), handInput()],
    }));
    this.#inputs = Array.from({ length: players }, () => playerInput());
  }

  /**
   * Sets a hand until the next call; null gives it back to the player.
   * @throws TypeError with one sentence that says what is wrong; nothing has changed then.
   */
  hand(slot: number, name: HandName, command: ScriptedHand | null): void {
    const hands = this.#slots[slot];
    if (hands === undefined) {
      throw new TypeError(
        `The slot is a whole number from 0 to ${this.#slots.length - 1}, not ${shown(slot)}.`,
      );
    }
    const side = sideOf(name);
    if (command === null) {
      hands.set[side] = false;
      return;
    }
    check(command);
    fill(command, hands.hands[side]);
    hands.set[side] = true;
  }

  /** Returns the player's own input with the scripted hands in place of theirs. `own` is not changed. */
  over(slot: Slot, own: PlayerInput): PlayerInput {
    const hands = this.#slots[slot];
    if (hands === undefined || !hands.set.includes(true)) return own;
    const input = this.#inputs[slot];
    copyPose(own.head, input.head);
    input.age = own.age;
    input.voice = own.voice;
    for (const side of HAND_SIDES) {
      copyHand(hands.set[side] ? hands.hands[side] : own.hands[side], input.hands[side]);
    }
    return input;
  }
}

function sideOf(name: HandName): HandSide {
  if (name === 'left') return LEFT;
  if (name === 'right') return RIGHT;
  throw new TypeError(`The hand is 'left' or 'right', not ${shown(name)}.`);
}

function check(command: ScriptedHand): void {
  if (typeof command !== 'object') {
    throw new TypeError(`A hand is an object with a position, or null, not ${shown(command)}.`);
  }
  const { position, rotation, grip, trigger, stick } = command;
  if (typeof position !== 'object' || position === null) {
    throw new TypeError(`A hand needs a position { x, y, z } in metres, not ${shown(position)}.`);
  }
  for (const axis of ['x', 'y', 'z'] as const)
    checkRange(`position.${axis}`, position[axis], -MAX_POSITION_METRES, MAX_POSITION_METRES);
  if (rotation !== undefined) checkRotation(rotation);
  if (grip !== undefined) checkRange('grip', grip, 0, 1);
  if (trigger !== undefined) checkRange('trigger', trigger, 0, 1);
  if (stick !== undefined) {
    if (typeof stick !== 'object' || stick === null) {
      throw new TypeError(`The stick is { x, y }, each from -1 to 1, not ${shown(stick)}.`);
    }
    checkRange('stick.x', stick.x, -1, 1);
    checkRange('stick.y', stick.y, -1, 1);
  }
}

function checkRotation(rotation: ReadonlyQuaternion): void {
  if (typeof rotation !== 'object' || rotation === null) {
    throw new TypeError(`The rotation is a quaternion { x, y, z, w }, not ${shown(rotation)}.`);
  }
  const { x, y, z, w } = rotation;
  checkRange('rotation.x', x, -1, 1);
  checkRange('rotation.y', y, -1, 1);
  checkRange('rotation.z', z, -1, 1);
  checkRange('rotation.w', w, -1, 1);
  if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w)) < SHORTEST_ROTATION) {
    throw new TypeError('The rotation is a quaternion { x, y, z, w }, whose numbers are not all 0.');
  }
}

function checkRange(name: string, value: number, low: number, high: number): void {
  if (typeof value === 'number' && value >= low && value <= high) return;
  throw new TypeError(`${name} is a number from ${low} to ${high}, not ${shown(value)}.`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function fill(command: ScriptedHand, out: HandInput): void {
  out.tracked = true;
  out.busy = false;
  copyVector(command.position, out.pose.position);
  normalize(command.rotation ?? LEVEL, out.pose.rotation);
  out.grip = command.grip ?? 0;
  out.trigger = command.trigger ?? 0;
  out.stick.x = command.stick?.x ?? 0;
  out.stick.y = command.stick?.y ?? 0;
  out.pointing = out.grip === 0;
}

function copyHand(from: HandInput, out: HandInput): void {
  copyPose(from.pose, out.pose);
  copyGesture(from, out);
  out.busy = from.busy;
  out.stick.x = from.stick.x;
  out.stick.y = from.stick.y;
  out.tilt = from.tilt;
  copyTrail(from.trail, out.trail);
}

/** A shorter quaternion has no usable direction. */
const SHORTEST_ROTATION = 1e-3;

const LEVEL: ReadonlyQuaternion = { x: 0, y: 0, z: 0, w: 1 };
