import type { ReadonlyPose, Vector } from '../../core/base/math.ts';
import { rotate, vector, wrapAngle } from '../../core/base/math.ts';

/** Metres from the eyes down and back to the top of the spine, with the head. */
const TO_NECK = vector(0, -0.1, 0.09);
/** Metres: a body whose eyes are higher than this leaves the floor. */
const TALLEST = 1.85;
/** Radians that the head turns before the shoulders must follow. */
const NECK_TURN = 0.7;
/** The rate at which the shoulders turn, per second: in one second they go 95 % of the way to where the head looks. */
const FOLLOW = 3;
/** The head's forward must be so far from vertical to have a direction on the floor. */
const LEVEL = 0.25;

const FORWARD = vector(0, 0, -1);
const UP = vector(0, 1, 0);

/** How a player's body stands below its head: only the head and the hands are known. */
export class Stance {
  /** The top of the spine, in metres. */
  readonly neck: Vector = vector();
  /** Radians to the left from -z: where the chest points. */
  yaw = 0;
  /** Metres: where the body ends; above 0, it hovers. */
  floor = 0;
  readonly #ahead = vector();
  #isNew = true;

  /** @param seconds since the last call. */
  update(head: ReadonlyPose, seconds: number): void {
    const neck = rotate(head.rotation, TO_NECK, this.neck);
    neck.x += head.position.x;
    neck.y += head.position.y;
    neck.z += head.position.z;
    this.floor = Math.max(0, head.position.y - TALLEST);

    const looks = this.#headYaw(head);
    if (looks === null) return;
    if (this.#isNew) this.yaw = looks;
    this.#isNew = false;
    const turn = wrapAngle(looks - this.yaw);
    const eased = turn * (1 - Math.exp(-FOLLOW * seconds));
    const least = Math.abs(turn) - NECK_TURN;
    this.yaw = wrapAngle(this.yaw + (Math.abs(eased) < least ? Math.sign(turn) * least : eased));
  }

  /** The direction of the face on the floor; of the crown if the face looks straight down or up. Null without any. */
  #headYaw({ rotation }: ReadonlyPose): number | null {
    const ahead = rotate(rotation, FORWARD, this.#ahead);
    if (Math.hypot(ahead.x, ahead.z) > LEVEL) return Math.atan2(-ahead.x, -ahead.z);
    const isDown = ahead.y < 0;
    const crown = rotate(rotation, UP, this.#ahead);
    if (Math.hypot(crown.x, crown.z) < LEVEL) return null;
    return isDown ? Math.atan2(-crown.x, -crown.z) : Math.atan2(crown.x, crown.z);
  }
}
