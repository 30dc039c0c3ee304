import type { BodyId } from '../../base/ids.ts';
import type { ReadonlyVector, Vector } from '../../base/math.ts';
import { pose, vector } from '../../base/math.ts';
import type { ByteCoder } from '../../wire/files/bytes.ts';
import type { BodyAction } from '../actions/body-action.ts';
import type { Spawn } from '../actions/spawning.ts';

/** The kinds of actions, by their numbers in a recording. */
const KINDS = [
  'take',
  'impulse',
  'force',
  'velocity',
  'teleport',
  'keep',
] as const satisfies readonly BodyAction['kind'][];

/** For readers, which pass over what they are given. */
export const NO_ACTION: BodyAction = { kind: 'take', body: 0 as BodyId };

/** Codes an action exactly. @returns it, as it was read. */
export function codeAction(c: ByteCoder, action: BodyAction): BodyAction {
  const kind = KINDS[c.u8(KINDS.indexOf(action.kind), KINDS.length - 1)];
  const body = c.u16(action.body) as BodyId;
  switch (kind) {
    case 'take':
      return { kind, body };
    case 'keep':
      return { kind, body, on: c.u8(action.kind === 'keep' && action.on ? 1 : 0, 1) === 1 };
    case 'impulse':
    case 'force': {
      const given = action.kind === 'impulse' || action.kind === 'force' ? action : NO_PUSH;
      const push = codeVector(c, given.push);
      const hasPoint = c.u8(given.at === null ? 0 : 1, 1) === 1;
      return { kind, body, push, at: hasPoint ? codeVector(c, given.at ?? ZERO) : null };
    }
    case 'velocity': {
      const given = action.kind === 'velocity' ? action : NO_VELOCITY;
      return { kind, body, linear: codeVector(c, given.linear), angular: codeVector(c, given.angular) };
    }
    case 'teleport': {
      const { position, rotation } = action.kind === 'teleport' ? action.pose : NOWHERE;
      const place = codeVector(c, position);
      const { x, y, z } = codeVector(c, rotation);
      return { kind, body, pose: { position: place, rotation: { x, y, z, w: c.f64(rotation.w) } } };
    }
  }
}

/** Codes a body to be spawned, but for its template. @returns the index of the template, and the motion. */
export function codeSpawn(
  c: ByteCoder,
  template: number,
  { pose: { position, rotation }, linear, angular }: Omit<Spawn, 'template'>,
): { readonly index: number; readonly motion: Omit<Spawn, 'template'> } {
  const index = c.u8(template);
  const place = codeVector(c, position);
  const { x, y, z } = codeVector(c, rotation);
  const pose = { position: place, rotation: { x, y, z, w: c.f64(rotation.w) } };
  return { index, motion: { pose, linear: codeVector(c, linear), angular: codeVector(c, angular) } };
}

/** For readers, which pass over what they are given. */
export const NO_SPAWN: Omit<Spawn, 'template'> = { pose: pose(), linear: vector(), angular: vector() };

function codeVector(c: ByteCoder, { x, y, z }: ReadonlyVector): Vector {
  return { x: c.f64(x), y: c.f64(y), z: c.f64(z) };
}

const ZERO = vector();
const NO_PUSH = { push: ZERO, at: null };
const NO_VELOCITY = { linear: ZERO, angular: ZERO };
const NOWHERE = pose();
