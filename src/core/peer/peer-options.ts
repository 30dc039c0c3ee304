import type { Slot } from '../base/ids.ts';
import type { SendLimits } from '../link/send-budget.ts';
import type { SharedSchema } from '../shared/schema.ts';
import type { Level } from '../world/level.ts';
import type { Simulation } from '../world/simulation.ts';
import type { PeerRecorder } from './recording/recorder.ts';

/** The options of a new Peer. */
export type PeerOptions = {
  /** This player's slot; WATCHER_SLOT for a watcher, which has none [N5.1]. */
  readonly slot: Slot;
  /** The host's slot; the same as `slot` makes this peer the host. */
  readonly host: Slot;
  /** The same on every peer of the room; its bodies begin where the level has them. */
  readonly level: Level;
  /** An engine that holds the level's bodies; the peer is its only user from now on. */
  readonly simulation: Simulation;
  /** The player's name; cut to MAX_NAME_BYTES of UTF-8. */
  readonly name?: string;
  /**
   * [T1.4] False for a peer without head, hands and name: a dedicated host, a bot that acts without hands [A13], a
   * watcher. What `tick` is given does not count then. True if not given.
   */
  readonly avatar?: boolean;
  /** [W9] The most that it sends; 256 kbit/s to each peer and 1 Mbit/s in all if not given. */
  readonly limits?: Partial<SendLimits>;
  /** [V1] The schema of what players share besides bodies; the same on every peer. No schema if not given. */
  readonly schema?: SharedSchema | null;
  /** Gets everything that the peer is given, and what it sends. */
  readonly recorder?: PeerRecorder | null;
};
