import type { BodyId } from '../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import type { Spawn } from '../../../src/core/peer/actions/spawning.ts';
import type { Player, Stage, StageOptions } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

export const [first] = CUBES;
export const PER_PLAYER = 3;

export function stageOf(options: Partial<StageOptions> = {}): Promise<Stage> {
  const spawning = { perPlayer: PER_PLAYER, perSecond: 20 };
  return setStage({ guests: 2, cubes: [[4, 0.25, 4]], spawning, ...options });
}

/** A ball at a place, without velocity. */
export function ballAt(stage: Stage, x: number, y = 2, z = 0): Spawn {
  const [, template] = stage.level.spawning.templates;
  const pose = { position: vector(x, y, z), rotation: quaternion() };
  return { template, pose, linear: vector(), angular: vector() };
}

/** The id of a body that a player spawns. */
export function spawned(player: Player, wish: Spawn): BodyId {
  const body = player.peer.spawn(wish);
  if (typeof body === 'string') throw new Error(body);
  return body;
}

export function existsFor({ peer }: Player, body: BodyId): boolean {
  return peer.state.bodies.has(body);
}
