import type { Inspection } from '../../src/core/peer/diagnostics/inspect.ts';
import { inspect } from '../../src/core/peer/diagnostics/inspect.ts';
import type { NodePlayer } from './node-player.ts';

/** @returns all bodies at rest, as this player has them to the bit; empty while something moves, or is in a hand. */
export function restOf({ session }: NodePlayer): string {
  const peer = session.world?.peer;
  return peer === undefined ? '' : restIn(inspect(peer));
}

/** The same for the inspection of a player, which may be in a page. */
export function restIn({ bodies }: Pick<Inspection, 'bodies'>): string {
  const isAtRest = bodies.every(({ resting, authority }) => resting && authority === null);
  return isAtRest ? JSON.stringify(bodies.map(({ id, position, rotation }) => [id, position, rotation])) : '';
}
