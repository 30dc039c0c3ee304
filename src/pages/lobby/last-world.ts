import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LeftRoom } from '../../storage/left-room.ts';
import { sceneTitle } from '../room/sentences.ts';

/** The last world of this browser, as the lobby describes it. */
export type LastWorld = Pick<SavedWorld, 'level' | 'savedAt'>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns, for example, "in a new room: Tower, 5 minutes ago".
 * @param now seconds since the beginning of 1970.
 */
export function describeLastWorld({ level, savedAt }: LastWorld, now: number): string {
  return `in a new room: ${sceneTitle(level)}, ${ago(now - savedAt)}`;
}

/** If the clock was set back, the result is "just now". */
function ago(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${counted(Math.floor(seconds / MINUTE), 'minute')} ago`;
  if (seconds < DAY) return `${counted(Math.floor(seconds / HOUR), 'hour')} ago`;
  return `${counted(Math.floor(seconds / DAY), 'day')} ago`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * Returns, for example, "Ada and Ben were there".
 * @param room its players are those who were there as this page left. Without any, the room is on the server.
 */
export function describeLeftRoom({ players }: Pick<LeftRoom, 'players'>): string {
  const last = players[players.length - 1];
  if (players.length === 0) return 'on the server, which keeps it for a few minutes';
  if (players.length === 1) return `${last} was there`;
  return `${players.slice(0, -1).join(', ')} and ${last} were there`;
}
