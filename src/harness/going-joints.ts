import { lerpVector, vector } from '../core/base/math.ts';
import { MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { Joint, Making } from '../core/world/joints/joint.ts';
import { jointEnd } from '../core/world/joints/joint.ts';
import type { Level, Template } from '../core/world/level.ts';

/** Newtons: more than the weight of any machine, less than a hard blow, or two hands that pull. */
const BREAKS_AT = 600;
/** Metres: pieces of machines that lie about come to rest. */
const ROLLING_FRICTION = 0.005;

/** [J5] The joints that players make. */
const MAKING: Making = {
  perPlayer: 3,
  slots: MAX_ROOM_PLAYERS,
  kinds: [
    { kind: 'fixed', collides: true },
    { kind: 'ball', collides: true, breaksAt: BREAKS_AT },
    { kind: 'rope', length: 1, collides: true },
  ],
};
/** Bodies that are tied to a chain in a level without joints, at most. */
const CHAINED = 6;

/**
 * [J4] [J6] The level with joints that players may remove; every other one that can breaks, too. In a level without
 * joints the first bodies are a chain. Players make others.
 */
export function withGoingJoints(level: Level): Level {
  const joints = (level.joints.length > 0 ? level.joints : chainOf(level)).map((joint, i): Joint => {
    const breaks = i % 2 === 0 && joint.kind !== 'rope';
    return { ...joint, removable: true, ...(breaks ? { breaksAt: BREAKS_AT } : {}) };
  });
  const slowing = new Map(
    level.templates.map((template): [Template, Template] => [template, slow(template)]),
  );
  const slowed = (template: Template): Template => slowing.get(template) ?? template;
  const bodies = level.bodies.map(({ template, start }) => ({ template: slowed(template), start }));
  const spawning = { ...level.spawning, templates: level.spawning.templates.map(slowed) };
  return { ...level, templates: [...slowing.values()], bodies, joints, spawning, making: MAKING };
}

function chainOf({ bodies }: Level): readonly Joint[] {
  return bodies.slice(1, CHAINED).map(({ start: { position } }, i): Joint => {
    const at = lerpVector(bodies[i].start.position, position, 0.5, vector());
    const ends = [jointEnd(bodies, i, at), jointEnd(bodies, i + 1, at)] as const;
    return { kind: 'ball', ends, collides: true };
  });
}

function slow(template: Template): Template {
  return { ...template, rollingFriction: Math.max(template.rollingFriction, ROLLING_FRICTION) };
}
