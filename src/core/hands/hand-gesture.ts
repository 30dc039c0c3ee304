/** The parts of a gesture that are either true or false. */
export type GestureFlags = {
  /** The index finger is stretched out. */
  pointing: boolean;
  /** The thumb is up. */
  thumbUp: boolean;
};

/** The gesture of a hand's fingers, from the device that reads them to the hand that is drawn. */
export type FingerGesture = GestureFlags & {
  /** How firmly the hand is closed, 0 to 1. */
  grip: number;
  /** How far the index finger pulls, 0 to 1. */
  trigger: number;
};

/** The gesture of a hand that may be lost: the base of every type of a hand that is not quantised. */
export type HandGesture = FingerGesture & {
  /** False while the hand's device is lost or absent: the hand lets go gently and is not shown. */
  tracked: boolean;
};

/** An open hand. */
export function fingerGesture(): FingerGesture {
  return { grip: 0, trigger: 0, pointing: false, thumbUp: false };
}

/** An open hand that is not tracked. */
export function handGesture(): HandGesture {
  return { tracked: false, ...fingerGesture() };
}

/** Copies the flags of a gesture; of a quantised hand, too. */
export function copyFlags(from: Readonly<GestureFlags>, out: GestureFlags): void {
  out.pointing = from.pointing;
  out.thumbUp = from.thumbUp;
}

/** True if two gestures have the same flags; of quantised hands, too. */
export function sameFlags(a: Readonly<GestureFlags>, b: Readonly<GestureFlags>): boolean {
  return a.pointing === b.pointing && a.thumbUp === b.thumbUp;
}

/** Copies what the fingers do. */
export function copyFingers(from: Readonly<FingerGesture>, out: FingerGesture): void {
  copyFlags(from, out);
  out.grip = from.grip;
  out.trigger = from.trigger;
}

/** Copies a whole gesture. */
export function copyGesture(from: Readonly<HandGesture>, out: HandGesture): void {
  out.tracked = from.tracked;
  copyFingers(from, out);
}
