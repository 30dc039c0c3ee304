/**
 * Every number that two rooms share, with its unit and its reason. The relations between them are checked
 * at the end of the file's test, so that a change of one can't quietly break another.
 */

/** Physics steps a second, on every peer and every display. */
export const TICK_RATE = 60;
/** Seconds in a tick. */
export const TICK_SECONDS = 1 / TICK_RATE;
/** Milliseconds in a tick. */
export const TICK_MS = 1000 / TICK_RATE;

/** Players in a room: a slot fits three bits. */
export const MAX_PLAYERS = 8;
/** Bodies in a world: an id fits eleven bits. */
export const MAX_BODIES = 2048;

/** Metres per second squared, downwards (the sample's). */
export const GRAVITY = 9.8;
/** Per second: velocities are divided by 1 + seconds * damping once a tick (the sample's drag). */
export const LINEAR_DAMPING = 0.1;
export const ANGULAR_DAMPING = 0.05;
/** Parts into which the engine's solver divides a tick; the ballistic predictor does likewise. */
export const SOLVER_SUBSTEPS = 4;

/** [W2] The world's box in metres: across (x and z), and in height. A body that leaves it is put back [R4]. */
export const BOUND_ACROSS = 64;
export const BOUND_LOW = -2;
export const BOUND_HIGH = 62;
/** [R4] Metres: a centre below this has fallen through the floor, which lies at 0. */
export const FALLEN_BELOW = -0.5;
/** [W2] Metres per second and radians per second: a fall from 24 m reaches 20, tumbling cubes reached 47. */
export const MAX_LINEAR_SPEED = 64;
export const MAX_ANGULAR_SPEED = 64;

/** [A7] Ticks at rest after which a body returns to none: one second. */
export const RETURN_AFTER_TICKS = TICK_RATE;
/** [H5] How far a guest's sequence may run ahead of the host's, in one claim and in all of LEAD_INTERVAL_TICKS. */
export const MAX_SEQUENCE_LEAD = 256;
/** [H5] Ticks over which a guest's leads on a body are summed: one second. */
export const LEAD_INTERVAL_TICKS = TICK_RATE;
/** [H3] Ticks between two moves of the host's ownership sequence for one claimant: one second. */
export const OVERRIDE_INTERVAL_TICKS = TICK_RATE;

/** [R1] Ticks over which a body must have kept still. */
export const REST_TICKS = 16;
/** [R1] Metres that a still body may have moved within REST_TICKS. */
export const REST_DISTANCE = 0.01;
/** [R1] Degrees that a still body may have turned within REST_TICKS. */
export const REST_ANGLE_DEGREES = 0.8;
/** [R2] Metres between a rest record and the engine's pose below which the engine is left alone. */
export const REST_TOLERANCE = 0.004;
/** [R2] The same for rotation, as the dot product of the two quaternions. */
export const REST_TOLERANCE_DOT = 0.99999;

/** [R5] Metres per second, and radians per second, below which a body stands. */
export const STAND_SPEED = 0.03;
export const STAND_SPIN = 0.06;
/** [R5] Metres, and the dot product of rotations (0.16 degrees), by which what stands may be off its record. */
export const STAND_TOLERANCE = 0.001;
export const STAND_TOLERANCE_DOT = 0.999999;

/** [T2] Ticks that received states wait unless the network asks for more: 100 ms. */
export const PLAYOUT_DELAY_TICKS = 6;
/** [T2] The most that the jitter buffer widens to: 0.5 s, past which play is better stale than slower still. */
export const MAX_PLAYOUT_DELAY_TICKS = 30;

/** [W5] The longest packet in bytes: fits the smallest common path with room for DTLS, SCTP, UDP and IP. */
export const MAX_PACKET_BYTES = 1100;
/** Packets whose states a receiver keeps as possible baselines: about a second at full rate. */
export const BASELINE_STORE_PACKETS = 64;
/**
 * [W4] Packets whose acks count: a ring of all that was sent lately. Four seconds at full rate, so that a round
 * trip of that length leaves no receiver unheard.
 */
export const SENT_PACKETS = 256;
/** [W4] The oldest baseline in packets: a packet may be overtaken by as many as the store has more. */
export const MAX_BASELINE_AGE = 47;

/** [W5] Priorities, per tick. */
export const PRIORITY_BASE = 1;
export const PRIORITY_THROWN = 1_000_000;
/** Metres per second of relative speed that make a collision a hard one, which is told in the log. */
export const HARD_COLLISION_SPEED = 5;
/** [W5] Metres per second at which what another player has let go of counts as thrown. */
export const THROWN_SPEED = 1;
/** [W5] Ticks for which a throw counts: one second. */
export const THROWN_TICKS = TICK_RATE;

/** [W7] Metres from a hand to the middle of what it holds, at the most. */
export const MAX_HOLD_DISTANCE = 31;

/** Bytes of UTF-8 in a player's name. */
export const MAX_NAME_BYTES = 32;
