import type { BodyId } from '../core/base/ids.ts';
import type { Level } from '../core/world/level.ts';
import type { LevelRecipe, LevelSource } from '../core/world/level-reference.ts';
import type { Engine, RigidBody, World } from '../physics/engine-types.ts';
import { createSimulation } from '../physics/index.ts';
import type { AdoptOptions } from '../physics/lent/adopt.ts';
import { shareWorld } from '../physics/lent/adopt.ts';
import type { Game } from '../session/world.ts';

/** A project's own world, and the bodies of it that the room shares: see `adopt` of handover/rapier. */
export type OwnWorld<Body extends RigidBody = RigidBody> = {
  /** The module of Rapier that made the world, 0.19 to 0.21, of any build, after its `init`. */
  readonly engine: Engine;
  /** From now on the room steps it. */
  readonly world: World;
  /** Dynamic, enabled, at rest. The body `bodies[i]` has the id i. */
  readonly bodies: readonly Body[];
  readonly adopt?: AdoptOptions;
};

/** A level as data, in a world of the room's own. */
export type OneLevel = { readonly engine: Engine; readonly level: Level };

/** Levels as data: the host chooses among them. */
export type ManyLevels = {
  readonly engine: Engine;
  readonly levels: LevelSource;
  /** The level with which a room opens. */
  readonly start?: LevelRecipe;
};

/** The world or the levels of a room; the same on all its members. */
export type Played<Body extends RigidBody = RigidBody> = OwnWorld<Body> | OneLevel | ManyLevels;

/** The same, as a session needs it. */
export type SharedGame<Body> = {
  readonly game: Game;
  /** The level with which a room opens; null if it was not said. */
  readonly start: LevelRecipe | null;
  /** The engine's body of an id in an own world; null if there is none now, and for levels. */
  readonly bodyOf: (id: BodyId) => Body | null;
};

/** @throws RangeError with a sentence for everything that can't be shared [B1.4]. */
export function sharedGameOf<Body extends RigidBody>(played: Played<Body>): SharedGame<Body> {
  if ('world' in played) {
    const { engine, world, bodies, adopt } = played;
    const { level, simulate, bodyOf } = shareWorld(engine, world, bodies, adopt);
    return { ...onlyLevel(level, simulate), bodyOf };
  }
  const { engine } = played;
  const simulate = (level: Level): ReturnType<Game['simulate']> => createSimulation(engine, level);
  if ('level' in played) return { ...onlyLevel(played.level, simulate), bodyOf: noBody };
  const { levels, start = null } = played;
  return { game: { levels, simulate }, start, bodyOf: noBody };
}

function onlyLevel(level: Level, simulate: Game['simulate']): Omit<SharedGame<never>, 'bodyOf'> {
  const start = { id: level.id, seed: 0 };
  const levels: LevelSource = ({ id, seed, count }) =>
    id === start.id && seed === start.seed && count === undefined ? level : null;
  return { game: { levels, simulate }, start };
}

const noBody = (): null => null;
