import type { PlayerInput } from './hands/hand-input.ts';
import { playerInput } from './hands/hand-input.ts';
import type { Transport } from './link/transport.ts';
import type { Peer } from './peer/peer.ts';

/** The input of a player without hands. */
const HANDLESS = playerInput();

/**
 * One tick of a peer over a transport: it takes in what has arrived, ticks, and sends. The owner calls it as many times
 * a second as the level's rate says.
 * @param nowMs any clock that does not go back.
 * @param input of the player; of one without hands if not given.
 */
export function runTick(
  peer: Peer,
  transport: Transport,
  nowMs: number,
  input: Readonly<PlayerInput> = HANDLESS,
): void {
  transport.receive(nowMs, (from, bytes) => peer.receive(nowMs, from, bytes));
  peer.tick(input);
  peer.poll(
    nowMs,
    (to, bytes) => transport.send(to, bytes),
    (to) => transport.ready(to),
  );
}
