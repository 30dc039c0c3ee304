import type { Slot, Tick } from '../base/ids.ts';
import type { BallisticCache } from '../wire/bodies/flights.ts';
import type { HeldBounds } from '../hands/clamp-held.ts';
import type { Author } from './author.ts';
import type { BlowState } from './bodies/blow-state.ts';
import type { Bodies } from './bodies/bodies.ts';
import type { Yielding } from './bodies/yielding.ts';
import type { EventLog } from './diagnostics/event-log.ts';
import type { GivingState } from './hands/giving-state.ts';
import type { Link } from './link.ts';
import type { DecisionContext } from './policy/decision-context.ts';
import type { Tears } from '../world/joints/tears.ts';
import type { Crowds } from './policy/crowds.ts';
import type { IslandClaims } from './policy/claims/island-claims.ts';
import type { Policy } from './policy/policy.ts';
import type { RejectedClaims } from './policy/rejected-claims.ts';
import type { Relay } from './policy/relay.ts';
import type { SequenceBudget } from './policy/sequence-budget.ts';
import type { SpawnBudget } from './policy/spawn-budget.ts';
import type { SharedWorld } from './shared/shared-world.ts';

/** The whole state of one peer, for the functions that are its rules. */
export type PeerState = {
  readonly self: Slot;
  /** Ticks a second, of the level. */
  readonly rate: number;
  /** The slot of the host; this peer's own if it is the host. */
  host: Slot;
  /** The rules of a host or a guest. */
  policy: Policy<PeerState>;
  /** Ticks since this peer began. */
  tick: Tick;
  /** [H8] The number of the present host; -1 on a guest until its host's first packet. */
  term: number;
  /** The number of the present level; -1 on a guest until its host's first packet. */
  reset: number;
  readonly bodies: Bodies;
  /** Where bodies may be held, in any player's hand. */
  readonly heldBounds: HeldBounds;
  /** The flights that were predicted for the bodies in packets, both ways. */
  readonly flights: BallisticCache;
  /** For each slot the player in it. */
  readonly authors: readonly Author[];
  /** For each slot the link to its peer, or null. A guest has one link, to the host. */
  readonly links: (Link | null)[];
  /** [N5.2] The link to all that watch this host; null before somebody did. */
  broadcast: Link | null;
  /** Host: the guests' states that it relays. */
  readonly relay: Relay;
  /** [A9] The bodies on their way from hand to hand. */
  readonly giving: GivingState;
  /** [A10] The bodies that give way. */
  readonly yielding: Yielding;
  /** [A14] */
  readonly blows: BlowState;
  readonly log: EventLog;
  /** For each reason how many packets and claims were rejected. */
  readonly rejections: Record<string, number>;
  /** Host, [H3]: for each claimant the tick in which the host last moved its ownership sequence past a claim. */
  readonly lastOverride: Int32Array;
  /** Host, [H9.5]. */
  readonly crowds: Crowds;
  /** [J2.8] [H9.7] */
  readonly tears: Tears;
  /** Host, [H5]. */
  readonly sequenceBudget: SequenceBudget;
  /** [S5] The spawns that are left: to all players on the host, to its own player on a guest. */
  readonly spawnBudget: SpawnBudget;
  /** Host: the rejected claims that were logged. */
  readonly rejectedClaims: RejectedClaims;
  /** Host, [J2.4]. */
  readonly islandClaims: IslandClaims;
  /** Guest: for each body the newest packet with a ruling on it; older rulings are passed over. */
  readonly lastRuling: Int32Array;
  /** For each body the tick until which a throw makes it urgent [W5]. */
  readonly thrownUntil: Int32Array;
  /** [J4] The words of joints, as islands and the engine follow them. */
  readonly jointWords: Int32Array;
  /** [V], [E] Shared state and events; null without a schema. */
  readonly shared: SharedWorld | null;
  /** The decision that is being made. */
  readonly decision: DecisionContext;
};
