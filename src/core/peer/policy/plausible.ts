import type { BodyId, Slot } from '../../base/ids.ts';
import { STATE, STRIDE } from '../../base/state.ts';
import { dequantiseMotion, POSITION_STEPS, VELOCITY_STEPS } from '../../wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { isAstray } from '../../wire/bodies/astray.ts';
import type { PacketReader } from '../../wire/packet.ts';
import { MOST_TEAR } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * Metres a second: no body of an honest player is faster. A hand throws at 20, a fall from the highest pile ends
 * at 20, and bodies that were pushed into each other flew apart at 32.
 */
const MOST_SPEED = 48;
/** Metres that a body may be farther away than that speed allows: pushed out of other bodies, or put back [R4]. */
const SLACK = 2;
/** Metres by which a joint may be torn farther than a peer lets it be: rounding, and parts that come in two packets. */
const TEAR_SLACK = 0.5;

/** Why the host does not believe a state: it can't be true, or there are too many bodies in its place. */
export type Doubt = 'H9' | 'crowded';

/**
 * [H9] Host: why a guest's state of its body is not believed; null if it is. It can't be true if the body is faster than
 * any body gets, outside of the level, or farther from the guest's last state than it could have moved, and not at its
 * start either; or if it would tear a joint.
 */
export function doubtOf(
  peer: PeerState,
  packet: PacketReader,
  update: Readonly<BodyUpdate>,
  from: Slot,
): Doubt | null {
  const { body, claim, state } = update;
  if (!isPossible(peer, update, from) || isTorn(peer, packet, update, from)) return 'H9';
  return peer.crowds.admits(peer, body, claim.existence, state) ? null : 'crowded';
}

function isPossible(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot): boolean {
  const { body, state } = update;
  const v = STATE.linear;
  if (!isShort(state[v], state[v + 1], state[v + 2], MOST_SPEED * VELOCITY_STEPS)) return false;
  if (isAstray(peer.bodies.level.bounds, state, 0)) return false;
  const { relay } = peer;
  if (relay.author[body] !== from) return true;
  const known = body * STRIDE;
  const x = state[0] - relay.state[known];
  const y = state[1] - relay.state[known + 1];
  const z = state[2] - relay.state[known + 2];
  const ticks = Math.abs(update.tick - relay.tick[body]);
  const aTick = Math.ceil(MOST_SPEED * (1 / peer.rate) * POSITION_STEPS);
  if (isShort(x, y, z, SLACK_STEPS + ticks * aTick)) return true;
  if (body >= peer.bodies.level.bodies.length) return false;
  const start = peer.bodies.level.bodies[body].start.position;
  return isShort(
    state[0] - Math.round(start.x * POSITION_STEPS),
    state[1] - Math.round(start.y * POSITION_STEPS),
    state[2] - Math.round(start.z * POSITION_STEPS),
    SLACK_STEPS,
  );
}

/**
 * [H9.7] True if a joint of the body's island would be torn. Each part is where the packet says, or else in the newest state
 * that the host has. An island is believed whole or not at all.
 */
function isTorn(peer: PeerState, packet: PacketReader, { body }: Readonly<BodyUpdate>, from: Slot): boolean {
  const { tears, relay, bodies } = peer;
  const { islands } = bodies.records;
  if (islands.isJointed[body] === 0) return false;
  const island = islands.rootOf(body);
  const found = tears.verdictOn(island);
  if (found !== null) return found;
  for (const part of islands.parts[body]) {
    const said = stateIn(packet, part);
    const known = relay.author[part] === from ? relay.state : bodies.records.state;
    dequantiseMotion(said ?? known, said === null ? part * STRIDE : 0, tears.motion, part * STRIDE);
  }
  return tears.judge(island, islands.parts[body], MOST_TEAR + TEAR_SLACK);
}

/** The state of a body in a packet; null if it has none. */
function stateIn(packet: PacketReader, body: BodyId): Int32Array | null {
  for (let i = 0; i < packet.updateCount; i++) {
    const { body: other, kind, state } = packet.updates[i];
    if (other === body && kind !== 'record') return state;
  }
  return null;
}

/** True if a vector is at most this long, all in steps: whole numbers make no garbage when they are passed on. */
function isShort(x: number, y: number, z: number, most: number): boolean {
  return x * x + y * y + z * z <= most * most;
}

/** The same, in steps of position. */
const SLACK_STEPS = SLACK * POSITION_STEPS;
