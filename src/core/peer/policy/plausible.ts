import type { Slot } from '../../base/ids.ts';
import { STATE, STRIDE } from '../../base/state.ts';
import { dequantiseMotion, POSITION_STEPS, VELOCITY_STEPS } from '../../wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { isAstray } from '../../wire/bodies/astray.ts';
import type { PacketReader } from '../../wire/packet.ts';
import { MOST_TEAR } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';
import type { Doubt } from './claims/island-claims.ts';
import { isPartOf } from './claims/island-claims.ts';

/**
 * Metres a second: no body of an honest player is faster. A hand throws at 20, a fall from the highest pile ends
 * at 20, and bodies that were pushed into each other flew apart at 32.
 */
const MOST_SPEED = 48;
/** Metres that a body may be farther away than that speed allows: pushed out of other bodies, or put back [R4]. */
const SLACK = 2;
/** Metres by which a joint may be torn farther than a peer lets it be: rounding, and parts that come in two packets. */
const TEAR_SLACK = 0.5;

/**
 * [H9] Host: why a guest's state of its body is not believed; null if it is. It can't be true if the body is faster than
 * any body gets, outside of the level, or farther from the guest's last state than it could have moved, and not at its
 * start either; or if it would tear a joint. [H9.7] There is one answer for all states of an island in a packet.
 * @param index of the update in the packet, whose claim was accepted.
 */
export function doubtOf(peer: PeerState, packet: PacketReader, index: number, from: Slot): Doubt | null {
  const { doubts } = peer.islandClaims;
  const root = peer.bodies.records.islands.rootOf(packet.updates[index].body);
  const found = doubts[root];
  if (found !== undefined) return found;
  const doubt = judge(peer, packet, index, from);
  doubts[root] = doubt;
  return doubt;
}

/** [H9.7] Judges an island by its first state in the packet and those behind it. Other parts are where the host has them. */
function judge(peer: PeerState, packet: PacketReader, index: number, from: Slot): Doubt | null {
  const { relay, tears } = peer;
  const { records } = peer.bodies;
  const { islands } = records;
  const { body, claim, tick } = packet.updates[index];
  const parts = islands.parts[body];
  for (const part of parts) {
    // A single body's pose is in the packet.
    if (parts.length === 1) break;
    const isRelayed = relay.author[part] === from;
    // [H9.8] Else not all of the packet would count.
    if (isRelayed && relay.tick[part] >= tick) return 'J2';
    dequantiseMotion((isRelayed ? relay : records).state, part * STRIDE, tears.motion, part * STRIDE);
  }
  for (let i = index; i < packet.updateCount; i++) {
    const update = packet.updates[i];
    if (update.body > parts[parts.length - 1]) break;
    if (update.kind === 'record' || islands.rootOf(update.body) !== parts[0]) continue;
    // [J2.4] Its claim is rejected, and so its state would not count.
    if (i > index && !isPartOf(records, update, claim)) return 'J2';
    if (!isPossible(peer, update, from)) return 'H9';
    dequantiseMotion(update.state, 0, tears.motion, update.body * STRIDE);
  }
  for (const part of parts) if (tears.tearOf(part, tears.motion) > MOST_TEAR + TEAR_SLACK) return 'H9';
  return peer.crowds.admits(peer, parts, packet.updates[index], tears.motion) ? null : 'crowded';
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

/** True if a vector is at most this long, all in steps: whole numbers make no garbage when they are passed on. */
function isShort(x: number, y: number, z: number, most: number): boolean {
  return x * x + y * y + z * z <= most * most;
}

/** The same, in steps of position. */
const SLACK_STEPS = SLACK * POSITION_STEPS;
