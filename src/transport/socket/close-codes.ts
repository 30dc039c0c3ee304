/** Why a server closed a WebSocket at once. A browser writes no error into its console, as it does for a refused one. */

/** [N2.3] There is no such room here. */
export const NO_SUCH_ROOM = 4404;
/** [N5.6] The room is locked. */
export const LOCKED = 4403;
/** [N5.6] Too many watch, or this network has asked too often. */
export const FULL = 4429;
