import type { RoomCode } from '../core/room/code.ts';
import { DOOR_PREFIX } from '../core/room/code.ts';

declare const process: unique symbol;
/** One process of a cluster, from its beginning to its end: another one after a restart. */
export type ProcessId = string & { readonly [process]: true };

/** Everything in Redis begins with this, so that others may use the same one. */
const PREFIX = 'handover:';

/** All processes that have announced themselves, dead ones among them until somebody looks. */
export const PROCESSES = `${PREFIX}processes`;
/** Followed by the id of a process: what it says of itself. It expires soon after its death. */
export const PROCESS = `${PREFIX}process:`;
/** It is there while any process announces itself, and expires soon after the last announcement. */
export const BEAT = `${PREFIX}beat`;
/** [N9.7] It is there for a moment after announcements have begun again: nobody counts as dead. */
export const GRACE = `${PREFIX}grace`;
/** Followed by an id at the broker: the process to which that id belongs. */
export const LEASE = `${PREFIX}id:`;
/** Followed by an id of a process: a channel with messages for its clients. */
export const CHANNEL = `${PREFIX}to:`;
/** The codes of all kept rooms. */
export const ROOMS = `${PREFIX}rooms`;
/** Followed by a room's code: its snapshot. */
export const ROOM = `${PREFIX}room:`;
/** Followed by a room's code: a snapshot that could not be read. */
export const UNREADABLE = `${PREFIX}unreadable:`;
/** The secret by which networks are named in kept rooms. */
export const NETWORKS_SECRET = `${PREFIX}networks.secret`;

/** [N9.2] Milliseconds for which an id that nobody uses any more belongs to its process. */
export const LEASE_MS = 60_000;

/** The lease of the door of a room. */
export function doorLease(code: RoomCode): string {
  return LEASE + DOOR_PREFIX + code;
}

/**
 * A piece of the scripts: `living` returns the process to which a lease with this text belongs, or false if it is dead.
 * [N9.7] In the time of grace every process counts as living: it may not have announced itself again yet.
 */
export const LIVING_OWNER = `
local isGrace = redis.call('EXISTS', '${GRACE}') == 1
local function living(held)
  local owner = held and string.match(held, '^%S+')
  return owner and (isGrace or redis.call('EXISTS', '${PROCESS}' .. owner) == 1) and owner
end`;
