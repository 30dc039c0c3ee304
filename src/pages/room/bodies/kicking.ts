import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../../core/base/ids.ts';
import type { ReadonlyVector } from '../../../core/base/math.ts';
import { setVector, vector } from '../../../core/base/math.ts';
import { POSE_STRIDE } from '../../../core/base/state.ts';
import type { Peer } from '../../../core/peer/peer.ts';
import type { Level } from '../../../core/world/level.ts';
import { templateOf } from '../../../core/world/existence.ts';

/** The most metres along the floor from the eye to the middle of a body that can be kicked. */
const REACH = 4;
/** Metres per second that a kick gives to a light body; and the most newton-seconds along the floor for a heavy one. */
const SPEED = 6;
const MOST_PUSH = 30;
/** The upward part of a kick's impulse, as a share of its part along the floor. */
const RISE = 0.25;

/**
 * [A13] Kicks a body away from an eye: an impulse through its centre, along the floor and a little upwards.
 * @param nameOf the name of another player.
 * @returns a sentence that says why not; null if it was kicked, or if there is nothing to kick.
 */
export function kick(
  { peer, level }: { readonly peer: Peer; readonly level: Level },
  eye: ReadonlyVector,
  body: BodyId,
  nameOf: (slot: Slot) => string,
): string | null {
  if (body === NO_BODY) return null;
  const { records, drawn } = peer.diagnostics.bodies;
  const template = templateOf(level, body, records.existence[body]);
  if (template === null) return null;
  const [x, z] = [drawn[body * POSE_STRIDE], drawn[body * POSE_STRIDE + 2]];
  const [across, along] = [x - eye.x, z - eye.z];
  const far = Math.hypot(across, along);
  if (far > REACH) return 'It is too far away to kick.';
  const push = Math.min(SPEED * template.mass, MOST_PUSH) / Math.max(far, 1e-3);
  setVector(impulse, across * push, far * RISE * push, along * push);
  const refusal = peer.act({ kind: 'impulse', body, push: impulse, at: null });
  if (refusal !== 'taken') return null;
  const has = records.authority[body] as Slot;
  return has === NO_SLOT ? null : `${nameOf(has)} has it. Wait until it lies still.`;
}

const impulse = vector();
