import type { Slot, Tick } from '../base/ids.ts';
import { MAX_PLAYERS, OVERRIDE_INTERVAL_SECONDS, ticksIn } from '../base/constants.ts';
import { BallisticCache } from '../wire/bodies/flights.ts';
import { HeldBounds } from '../hands/clamp-held.ts';
import type { Level } from '../world/level.ts';
import type { SharedSchema } from '../shared/schema.ts';
import type { Simulation } from '../world/simulation.ts';
import { Author } from './author.ts';
import { BlowState } from './bodies/blow-state.ts';
import { Bodies } from './bodies/bodies.ts';
import { Yielding } from './bodies/yielding.ts';
import { EventLog } from './diagnostics/event-log.ts';
import { GivingState } from './hands/giving-state.ts';
import type { PeerState } from './peer-state.ts';
import { Crowds } from './policy/crowds.ts';
import { decisionContext } from './policy/decision-context.ts';
import { IslandClaims } from './policy/claims/island-claims.ts';
import { RejectedClaims } from './policy/rejected-claims.ts';
import { Tears } from '../world/joints/tears.ts';
import { Relay } from './policy/relay.ts';
import { SequenceBudget } from './policy/sequence-budget.ts';
import { announce, applyDue } from './simulator.ts';
import { SpawnBudget } from './policy/spawn-budget.ts';
import { jointWordsIn, sharedLayout, SharedWorld } from './shared/shared-world.ts';
import { refuseFaulty } from '../world/level-faults.ts';
import { capacityOf } from '../world/existence.ts';

/** A peer at its first tick: every body at its start under nobody, no links, term and reset 0. */
export function createPeerState(
  self: Slot,
  host: Slot,
  policy: PeerState['policy'],
  level: Level,
  simulation: Simulation,
  schema: SharedSchema | null = null,
): PeerState {
  refuseFaulty(level);
  const { rate } = level;
  const count = capacityOf(level);
  if (simulation.count !== count)
    throw new RangeError(
      `The simulation has ${simulation.count} ids, and the level ${count}: it is of another level.`,
    );
  const bodies = new Bodies(level, simulation);
  const layout = sharedLayout(level, schema);
  const authors = Array.from(
    // [N5.1] A watcher is an author beyond those that packets can name.
    { length: Math.max(MAX_PLAYERS, self + 1) },
    (_, slot) =>
      new Author(
        (due) => applyDue(peer, slot as Slot, due),
        (waiting, ticks, interval) => announce(peer, slot as Slot, waiting, ticks, interval),
        rate,
      ),
  );
  const peer: PeerState = {
    self,
    rate,
    host,
    policy,
    tick: 0 as Tick,
    term: 0,
    reset: 0,
    bodies,
    heldBounds: new HeldBounds(level, bodies.templates),
    spawnBudget: new SpawnBudget(level.spawning.perSecond, rate),
    flights: new BallisticCache(bodies.laws),
    authors,
    links: Array.from({ length: MAX_PLAYERS }, () => null),
    broadcast: null,
    relay: new Relay(count),
    crowds: new Crowds(level, count),
    tears: new Tears(bodies.records.islands),
    giving: new GivingState(count, rate),
    yielding: new Yielding(count, rate),
    blows: new BlowState(count, rate),
    log: new EventLog(),
    rejections: {},
    lastOverride: new Int32Array(MAX_PLAYERS).fill(-ticksIn(OVERRIDE_INTERVAL_SECONDS, rate)),
    sequenceBudget: new SequenceBudget(count, rate),
    islandClaims: new IslandClaims(bodies.records),
    rejectedClaims: new RejectedClaims(count),
    lastRuling: new Int32Array(count).fill(-1),
    thrownUntil: new Int32Array(count),
    jointWords: new Int32Array(layout === null ? 0 : jointWordsIn(layout)),
    shared: layout === null ? null : new SharedWorld(layout, authors, rate),
    decision: decisionContext(),
  };
  return peer;
}
