import type { FingerGesture } from '../../core/hands/hand-gesture.ts';
import { copyFingers, fingerGesture } from '../../core/hands/hand-gesture.ts';

/**
 * The buttons of a hand in a headset: A or X, B or Y, and the thumbstick itself. A bare hand has the lower one alone: its
 * thumb on the tip of the middle finger.
 */
export type HeadsetButton = 'lower' | 'upper' | 'stick';
export const HEADSET_BUTTONS: readonly HeadsetButton[] = ['lower', 'upper', 'stick'];

/** The state of one hand's controls, in the same form for every device. */
export type HandControls = FingerGesture & {
  /** Thumbstick, -1 to 1: to the right, and forward. */
  right: number;
  forward: number;
  /** How firmly the thumb and the index finger of a bare hand pinch, 0 to 1; always 0 with a controller. */
  pinch: number;
  readonly down: Record<HeadsetButton, boolean>;
};

/** The controls of an open hand that touches nothing. */
export function handControls(): HandControls {
  return {
    ...fingerGesture(),
    right: 0,
    forward: 0,
    pinch: 0,
    down: { lower: false, upper: false, stick: false },
  };
}

/** Writes the state of an open hand that touches nothing. */
export function clearControls(out: HandControls): void {
  copyFingers(OPEN_HAND, out);
  out.right = 0;
  out.forward = 0;
  out.pinch = 0;
  for (const button of HEADSET_BUTTONS) out.down[button] = false;
}

const OPEN_HAND = fingerGesture();

/** Where WebXR's "xr-standard" mapping has things. */
const TRIGGER = 0;
const SQUEEZE = 1;
const STICK = 3;
const LOWER = 4;
const UPPER = 5;
const STICK_X = 2;
const STICK_Y = 3;
/** A hand with more grip than this may have its thumb up. */
const GRIPPING = 0.5;

/** The parts of a controller's Gamepad that are read here. */
export type ControllerPad = {
  readonly buttons: readonly Pick<GamepadButton, 'value' | 'pressed' | 'touched'>[];
  readonly axes: readonly (number | null)[];
};

/** Reads a controller. If it has only one button, that button is the grip. */
export function readController({ buttons, axes }: ControllerPad, out: HandControls): void {
  const pull = within(buttons[TRIGGER]?.value, 0);
  const hasSqueeze = buttons.length > SQUEEZE;
  out.grip = hasSqueeze ? within(buttons[SQUEEZE].value, 0) : pull;
  out.trigger = hasSqueeze ? pull : 0;
  out.right = within(axes[STICK_X], -1);
  // A Gamepad's y is positive towards the player.
  out.forward = 0 - within(axes[STICK_Y], -1);
  out.down.lower = buttons[LOWER]?.pressed ?? false;
  out.down.upper = buttons[UPPER]?.pressed ?? false;
  out.down.stick = buttons[STICK]?.pressed ?? false;
  out.pointing = !(buttons[TRIGGER]?.touched ?? false);
  out.thumbUp = out.grip > GRIPPING && !isThumbDown(buttons);
}

/**
 * Returns whether the thumb touches anything: the stick and the buttons listed after it belong to the thumb.
 */
function isThumbDown(buttons: ControllerPad['buttons']): boolean {
  for (let i = SQUEEZE + 1; i < buttons.length; i++) if (buttons[i]?.touched) return true;
  return false;
}

function within(value: number | null | undefined, low: -1 | 0): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(low, value ?? 0)) : 0;
}

/**
 * The fraction of an axis that moves nothing, because a thumb that pushes along the other axis is not exact.
 */
const DEAD_ZONE = 0.25;

/** Returns an axis of a stick without its dead zone: -1 to 1, continuous. */
export function pastDeadZone(axis: number): number {
  const size = (Math.abs(axis) - DEAD_ZONE) / (1 - DEAD_ZONE);
  return size > 0 ? Math.sign(axis) * size : 0;
}
