import type { Slot } from '../base/ids.ts';
import { MOTION, STRIDE } from '../base/state.ts';
import { TICK_SECONDS } from '../base/constants.ts';
import { dequantiseMotion } from '../wire/quantise.ts';
import type { BodyUpdate } from '../wire/update.ts';
import type { PeerState } from './peer-state.ts';

/**
 * Metres a second: no body of an honest player is faster. A hand throws at 20, a fall from the highest pile ends
 * at 20, and bodies that were pushed into each other flew apart at 32.
 */
const MOST_SPEED = 48;
/** Metres that a body may be off its way beside that: pushed out of others, or put where it began [R4]. */
const SLACK = 2;

/**
 * [H9] Whether a guest's state of a body that it has can be true: not if it is faster than anything gets, or
 * further from the guest's last state of it than it could have come.
 */
export function isPlausible(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot): boolean {
  const { body } = update;
  dequantiseMotion(update.state, 0, said, 0);
  if (lengthAt(said, MOTION.linear) > MOST_SPEED) return false;
  const { relay } = peer;
  if (relay.author[body] !== from) return true;
  dequantiseMotion(relay.state, body * STRIDE, known, 0);
  const most = SLACK + Math.abs(update.tick - relay.tick[body]) * TICK_SECONDS * MOST_SPEED;
  if (distanceTo(known[0], known[1], known[2]) <= most) return true;
  const { x, y, z } = peer.bodies.scene.bodies[body].start.position;
  return distanceTo(x, y, z) <= SLACK;
}

function lengthAt(motion: Float32Array, at: number): number {
  return Math.sqrt(motion[at] ** 2 + motion[at + 1] ** 2 + motion[at + 2] ** 2);
}

/** From where the update says that the body is. */
function distanceTo(x: number, y: number, z: number): number {
  return Math.sqrt((said[0] - x) ** 2 + (said[1] - y) ** 2 + (said[2] - z) ** 2);
}

const said = new Float32Array(STRIDE);
const known = new Float32Array(STRIDE);
