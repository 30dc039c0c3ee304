import type { Rate } from '../../visitors/token-buckets.ts';

/** Why the broker has refused something: a label of a metric, and a word in the security log. */
export type Refusal =
  /** An upgrade while the broker is stopped. */
  | 'stopped'
  /** An upgrade without a well-formed id, token and key. */
  | 'address'
  /** A door, beyond those that one network may ask for. */
  | 'doors'
  /** A door that is kept for a room of this server. */
  | 'reserved'
  /** An id that waits for the client that had it. */
  | 'left'
  /** A client whose id belongs to another process of the cluster. */
  | 'elsewhere'
  /** Upgrades of one network that come too fast. */
  | 'upgrades'
  /** An upgrade for which nobody gives way. */
  | 'full'
  /** A socket that has given way to a newcomer. */
  | 'gave way'
  /** A client that has not answered pings: it is gone, or it does not read. */
  | 'silent'
  /** A client for which too many bytes wait, or for too long. */
  | 'unread'
  /** A message that no page of ours sends. */
  | 'form'
  /** A client that sends too much, too often, or to too many. */
  | 'flood'
  /** A message beyond what one network may send. */
  | 'network flood'
  /** An OFFER too many, from one client or network, or to one id. */
  | 'offers'
  /** A message to somebody with whom the sender has exchanged no OFFER. */
  | 'stranger'
  /** A message to an id that nobody has, for which too many wait already. */
  | 'waiting';

/** The limits of a broker. Times are in milliseconds. */
export type BrokerLimits = {
  /** Sockets in all; each costs some tens of kilobytes, and a host needs two. */
  readonly sockets: number;
  /** Sockets of one network: enough for the rooms of a whole school. */
  readonly socketsOfNetwork: number;
  /** A socket that has made progress since then does not give way. */
  readonly graceMs: number;
  /** Upgrades of one network. */
  readonly upgrades: Rate;
  /** Bytes of one network's messages. */
  readonly bytes: Rate;
  /** Messages of one network to the brokers of other processes, where they may wait. */
  readonly relays: Rate;
  /** Doors that one network may ask for. */
  readonly doors: Rate;
  /** OFFERs of one client to one id; a page tries again every two seconds. */
  readonly offersOfClient: Rate;
  /** OFFERs of one network to one id, and to all ids. */
  readonly offersOfNetwork: Rate;
  readonly offersOfNetworkInAll: Rate;
  /** OFFERs to one id, from everywhere. */
  readonly offersToId: Rate;
  /** Bytes that wait for one client that reads slowly, and for all of them. */
  readonly unreadBytes: number;
  readonly unreadBytesInAll: number;
  /** Time in which a client must read something of what waits for it. */
  readonly unreadMs: number;
  /** Bytes that may wait for ids that nobody has: for one id, from one network, and in all. */
  readonly waitingBytes: number;
  readonly waitingBytesOfNetwork: number;
  readonly waitingBytesInAll: number;
};

const KB = 1024;
const MB = 1024 * KB;

/**
 * The limits unless a test says otherwise. Doors: 2,980 of 3.2 million codes in a day, a chance of one in a
 * thousand to find a given room. That is enough for a school where all pupils start rooms at once.
 */
export const LIMITS: BrokerLimits = {
  sockets: 2000,
  socketsOfNetwork: 400,
  graceMs: 5000,
  upgrades: { atOnce: 400, anotherMs: 100 },
  bytes: { atOnce: 16 * MB, anotherMs: 1000 / MB },
  relays: { atOnce: 4000, anotherMs: 1 },
  doors: { atOnce: 100, anotherMs: 30_000 },
  offersOfClient: { atOnce: 8, anotherMs: 2000 },
  offersOfNetwork: { atOnce: 32, anotherMs: 250 },
  offersOfNetworkInAll: { atOnce: 400, anotherMs: 25 },
  offersToId: { atOnce: 64, anotherMs: 100 },
  unreadBytes: 256 * KB,
  unreadBytesInAll: 16 * MB,
  unreadMs: 10_000,
  waitingBytes: 256 * KB,
  waitingBytesOfNetwork: MB,
  waitingBytesInAll: 8 * MB,
};

/**
 * [N9.3] Milliseconds that a message to an unknown id waits, because the page with that id may be loading again. Within
 * one more second the sender learns that nobody is there.
 */
export const UNCLAIMED_MS = 1500;

/** Bytes that a message costs besides its text, while it waits. */
export const MESSAGE_OVERHEAD = 512;
