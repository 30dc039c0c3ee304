import { whole } from '../core/room/fields.ts';

/** [N9.9] The last protocol version whose processes, pages and snapshots did not name it. */
export const UNNAMED_PROTOCOL = 16;
/** A protocol version, at most: more is nonsense. */
const MOST_PROTOCOL = 1_000_000;

/** Reads the version that a process or a page names. @returns null if that is no version. */
export function readProtocolVersion(value: unknown): number | null {
  return whole(value ?? UNNAMED_PROTOCOL, 0, MOST_PROTOCOL);
}
