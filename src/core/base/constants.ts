/**
 * Every constant that two modules share, with its unit and its reason. This file's test checks the relations between
 * them, so that a change of one cannot quietly break another.
 */

/** Physics steps (ticks) a second of a level that chooses no other rate, on every peer, whatever its display. */
export const TICK_RATE = 60;
/** Seconds in a tick at that rate. */
export const TICK_SECONDS = 1 / TICK_RATE;
/** Milliseconds in a tick at that rate. */
export const TICK_MS = 1000 / TICK_RATE;
/**
 * [B2.1] The least and the greatest rate of a level. Below, a solver with SOLVER_SUBSTEPS lets towers sway; above, no
 * headset shows more.
 */
export const MIN_TICK_RATE = 30;
export const MAX_TICK_RATE = 120;

/**
 * Whole ticks in a time. Constants of time are said in seconds, so that they do not depend on the rate.
 * @param rate ticks a second, of the level.
 */
export function ticksIn(seconds: number, rate: number): number {
  return Math.round(seconds * rate);
}

/**
 * [W8.8] Packets a second from one peer to another, at most: each has 80 to 100 bytes beside its payload, and more would not
 * be seen.
 */
const MOST_PACKETS_A_SECOND = 60;

/** [W8.8] Ticks between two packets at the full rate of packets: 1 up to MOST_PACKETS_A_SECOND ticks a second, else 2. */
export function ticksAPacket(rate: number): number {
  return Math.ceil(rate / MOST_PACKETS_A_SECOND);
}

/** Slots in core and on the wire: a slot fits five bits, and a set of slots a whole number of 32 bits. */
export const MAX_PLAYERS = 32;
/** The slots that cost less on the wire than those beyond: rooms mostly have no other. */
export const FIRST_SLOTS = 8;
/** People in a room that any of them may be host of. They have the first slots only. */
export const MAX_ROOM_PLAYERS = 8;
/** [N1] The slot of a dedicated host, which is nobody's colour. */
export const DEDICATED_SLOT = MAX_PLAYERS - 1;
/** [N8.1] People in a room of a dedicated host: they may have every slot but its own. */
export const MAX_SERVER_ROOM_PLAYERS = DEDICATED_SLOT;
/**
 * [N5.1] The number that a watcher has in its own peer, and that its host's stream has as a receiver: one past the last
 * slot, so no packet can name it.
 */
export const WATCHER_SLOT = MAX_PLAYERS;
/** Bodies in a world: an id fits twelve bits. */
export const MAX_BODIES = 4096;

/** Metres per second squared, downwards, as in Fiedler's sample project. */
export const GRAVITY = 9.8;
/** Per second: once a tick, velocities are divided by 1 + damping / rate. The sample project's drag. */
export const LINEAR_DAMPING = 0.1;
export const ANGULAR_DAMPING = 0.05;
/** Substeps into which the engine's solver divides a tick; the prediction of free flight divides it likewise. */
export const SOLVER_SUBSTEPS = 4;

/** [W2] Metres from the origin along x, y and z that positions on the wire reach, in every level. */
export const MAX_POSITION_METRES = 1024;
/** [W2] The greatest speeds in m/s and rad/s. A fall from 24 m reaches 20 m/s; tumbling cubes reached 47 rad/s. */
export const MAX_LINEAR_SPEED = 64;
export const MAX_ANGULAR_SPEED = 64;

/** [A7] Seconds at rest after which a body's authority returns to none. */
export const RETURN_AFTER_SECONDS = 1;
/**
 * [H5] Steps by which a guest's sequence may run ahead of the host's: in a claim, and summed over LEAD_INTERVAL_SECONDS.
 */
export const MAX_SEQUENCE_LEAD = 256;
/** [H5] Seconds over which a guest's leads on a body are summed. */
export const LEAD_INTERVAL_SECONDS = 1;
/** [H3] Seconds between two moves of the host's ownership sequence for one claimant. */
export const OVERRIDE_INTERVAL_SECONDS = 1;

/** [A12.7] Bodies that a player may keep at once: a vehicle and its load, but never all of a level. */
export const MAX_KEPT = 16;

/** [R1] Seconds for which a body must have been still to be at rest. */
export const REST_SECONDS = 0.27;
/** [R1] Metres that a still body may have moved within REST_SECONDS. */
export const REST_DISTANCE = 0.01;
/** [R1] Degrees that a still body may have turned within REST_SECONDS. */
export const REST_ANGLE_DEGREES = 0.8;
/** [R2] Metres between a rest record and the engine's pose up to which the engine's pose is not corrected. */
export const REST_TOLERANCE = 0.004;
/** [R2] The same for the rotation, as the least dot product of the two quaternions. */
export const REST_TOLERANCE_DOT = 0.99999;
/** A limit that every pair of rotations meets: by the nearer of the two signs, their dot product is 0 or more. */
export const ANY_DOT = 0;

/** [R5] m/s and rad/s below which a body stands: it is treated as not moving. */
export const STAND_SPEED = 0.03;
export const STAND_SPIN = 0.06;
/** [R5] Metres, and dot product of rotations (0.16 degrees), by which a standing body may differ from its record. */
export const STAND_TOLERANCE = 0.001;
export const STAND_TOLERANCE_DOT = 0.999999;

/** [T2] The least playout delay in seconds: received states wait so long, or longer if the network needs it. */
export const PLAYOUT_DELAY_SECONDS = 0.1;
/** [T2] The greatest playout delay in seconds. Beyond it, missing states disturb play less than more delay would. */
export const MAX_PLAYOUT_DELAY_SECONDS = 0.5;

/** [W5] The longest packet in bytes: it fits the smallest common path MTU, with room for DTLS, SCTP, UDP and IP. */
export const MAX_PACKET_BYTES = 1100;
/** Packets that each end stores as possible baselines: about a second at full rate. A power of 2. */
export const BASELINE_STORE_PACKETS = 64;
/**
 * [W4] Sent packets whose acks still count: four seconds at full rate, so that acks count even with a round trip of
 * that length.
 */
export const SENT_PACKETS = 256;
/**
 * [W4] The greatest age of a base in packets. The store has 17 packets more, so that 16 others may overtake a packet.
 */
export const MAX_BASELINE_AGE = 47;

/** [W5] The priority that a body gains in a tick: at least, and if it was thrown. */
export const PRIORITY_BASE = 1;
export const PRIORITY_THROWN = 1_000_000;
/** Metres per second of relative speed from which a collision is hard, and is logged. */
export const HARD_COLLISION_SPEED = 5;
/** [W5] Metres per second from which a body that another player has let go of counts as thrown. */
export const THROWN_SPEED = 1;
/** [W5] Seconds for which a throw counts. */
export const THROWN_SECONDS = 1;

/** [W7] Metres from a hand to the middle of the body that it holds, at most. */
export const MAX_HOLD_DISTANCE = 31;

/** Bytes of UTF-8 in a player's name, at most. */
export const MAX_NAME_BYTES = 32;
