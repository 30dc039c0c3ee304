import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import { SCENE_TITLES } from '../room/sentences.ts';

/** What a player is told of the world that can be continued. */
export type KeptWorld = Pick<SavedWorld, 'scene' | 'savedAt'> & { readonly cubes: number };

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * "Tower, 20 cubes, 5 minutes ago"
 * @param now seconds since the beginning of 1970.
 */
export function describeKept({ scene, cubes, savedAt }: KeptWorld, now: number): string {
  return `${SCENE_TITLES[scene.name]}, ${counted(cubes, 'cube')}, ${ago(now - savedAt)}`;
}

/** A clock that was set back makes it just now. */
function ago(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${counted(Math.floor(seconds / MINUTE), 'minute')} ago`;
  if (seconds < DAY) return `${counted(Math.floor(seconds / HOUR), 'hour')} ago`;
  return `${counted(Math.floor(seconds / DAY), 'day')} ago`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
