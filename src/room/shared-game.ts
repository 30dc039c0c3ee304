import type { BodyId } from '../core/base/ids.ts';
import type { SharedSchema } from '../core/shared/schema.ts';
import type { Level } from '../core/world/level.ts';
import type { LevelRecipe, LevelSource } from '../core/world/level-reference.ts';
import type { Engine, RigidBody, World } from '../physics/engine-types.ts';
import { createSimulation } from '../physics/index.ts';
import type { AdoptOptions } from '../physics/lent/adopt.ts';
import { shareWorld } from '../physics/lent/adopt.ts';
import type { Game } from '../session/world.ts';
import { assertInNoRoom } from './own-worlds.ts';

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

/** [V1] The values and events that players share besides bodies. */
export type SharedValues = {
  /** Made by `sharedSchema`; `room.peer.shared(schema)` reads and writes its values. Nothing more is shared if left out. */
  readonly schema?: SharedSchema;
};

/** The world or the levels of a room, and its schema; the same on all its members. */
export type Played<Body extends RigidBody = RigidBody> = (OwnWorld<Body> | OneLevel | ManyLevels) &
  SharedValues;

/** The same, as a session needs it. */
export type SharedGame<Body> = {
  readonly game: Game;
  /** The level with which a room opens; null if it was not said. */
  readonly start: LevelRecipe | null;
  /** The engine's body of an id in an own world; null if there is none now, and for levels. */
  readonly bodyOf: (id: BodyId) => Body | null;
  /** The project's own world; null for levels. */
  readonly world: World | null;
};

/** @throws RangeError with a sentence for everything that can't be shared [B1.4]. */
export function sharedGameOf<Body extends RigidBody>(played: Played<Body>): SharedGame<Body> {
  const { start, bodyOf, ...worlds } = worldsOf(played);
  const { schema } = played;
  const world = 'world' in played ? played.world : null;
  return { game: schema === undefined ? worlds : { ...worlds, schema }, start, bodyOf, world };
}

type Worlds = Pick<Game, 'levels' | 'simulate'>;

function worldsOf<Body extends RigidBody>(
  played: Played<Body>,
): Worlds & Pick<SharedGame<Body>, 'start' | 'bodyOf'> {
  if ('world' in played) {
    const { engine, world, bodies, adopt } = played;
    assertInNoRoom(world);
    const { level, simulate, bodyOf } = shareWorld(engine, world, bodies, adopt);
    return { ...onlyLevel(level), simulate, bodyOf };
  }
  const { engine } = played;
  const simulate = (level: Level): ReturnType<Game['simulate']> => createSimulation(engine, level);
  if ('level' in played) return { ...onlyLevel(played.level), simulate, bodyOf: noBody };
  const { levels, start = null } = played;
  return { levels, start, simulate, bodyOf: noBody };
}

function onlyLevel(level: Level): { readonly levels: LevelSource; readonly start: LevelRecipe } {
  const start = { id: level.id, seed: 0 };
  const levels: LevelSource = ({ id, seed, count }) =>
    id === start.id && seed === start.seed && count === undefined ? level : null;
  return { levels, start };
}

const noBody = (): null => null;
