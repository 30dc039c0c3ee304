import type { BodyId, Slot } from '../../base/ids.ts';
import { holdOf, isInHand, KEPT, LEFT } from '../../base/ids.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import type { Peer } from '../peer.ts';
import type { RecordsDiagnostics } from './bodies-diagnostics.ts';

/** One peer's record of a body, and where it draws it, as plain data. */
export type BodyInspection = {
  readonly id: number;
  /** [S1] False for an id without a body; the rest means nothing then. */
  readonly exists: boolean;
  /** As drawn after the last tick: metres. */
  readonly position: readonly [number, number, number];
  /** A unit quaternion: x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** A slot; null if no player has authority. */
  readonly authority: number | null;
  readonly ownershipSequence: number;
  readonly authoritySequence: number;
  /** True if the host has agreed to this peer's authority. */
  readonly confirmed: boolean;
  /** True if this guest has given the body back and the host has not yet taken it. */
  readonly pendingCommit: boolean;
  /** The hand that holds it; null if none does. */
  readonly holder: { readonly slot: number; readonly hand: 'left' | 'right' } | null;
  /** True if the player with authority keeps it without a hand [A12]. */
  readonly kept: boolean;
  /** True if its record is at rest. */
  readonly resting: boolean;
  /** True if it rests and the engine has put it to sleep. */
  readonly asleep: boolean;
};

/** The beliefs and measurements of one peer as plain data: for demos, tests and curious people. */
export type Inspection = {
  readonly slot: number;
  readonly role: 'host' | 'guest';
  readonly name: string;
  readonly tick: number;
  readonly term: number;
  readonly reset: number;
  /** One for each peer with which this one exchanges packets. */
  readonly links: readonly {
    readonly slot: number;
    /** Milliseconds there and back; 0 before the first ack. */
    readonly roundTripMs: number;
    /** Milliseconds for which poses of this slot wait before they are shown. */
    readonly playoutDelayMs: number;
    /** Bits sent since the beginning. */
    readonly sentBits: { readonly bodies: number; readonly avatars: number; readonly headers: number };
    readonly packetsSent: number;
    readonly packetsReceived: number;
  }[];
  /** Rejected packets and claims by reason, since the beginning. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly bodies: readonly BodyInspection[];
};

/** Inspects a peer. @returns a copy; it costs garbage, so don't call it in every frame. */
export function inspect(peer: Peer): Inspection {
  const { diagnostics } = peer;
  const { slot, tick, term, reset, bodies } = diagnostics;
  return {
    slot,
    role: peer.isHost ? 'host' : 'guest',
    name: diagnostics.nameOf(slot),
    tick,
    term,
    reset,
    links: diagnostics.linkedSlots().map((other) => inspectLink(peer, other)),
    rejected: { ...diagnostics.rejections },
    bodies: Array.from({ length: bodies.count }, (_, body) => inspectBody(peer, body as BodyId)),
  };
}

function inspectLink(peer: Peer, slot: Slot): Inspection['links'][number] {
  const traffic = peer.traffic(slot);
  return {
    slot,
    roundTripMs: peer.roundTripMs(slot),
    playoutDelayMs: (peer.diagnostics.playout(slot).delay * 1000) / peer.state.rate,
    sentBits: { bodies: traffic.bodies, avatars: traffic.avatars, headers: traffic.headers },
    packetsSent: traffic.packetsSent,
    packetsReceived: traffic.packetsReceived,
  };
}

/** Inspects one body of a peer. @returns a copy. */
export function inspectBody(peer: Peer, body: BodyId): BodyInspection {
  const { bodies } = peer.diagnostics;
  const { records, drawn } = bodies;
  const at = body * POSE_STRIDE;
  const resting = records.resting[body] === 1;
  return {
    id: body,
    exists: bodies.exists(body),
    position: [drawn[at], drawn[at + 1], drawn[at + 2]],
    rotation: [drawn[at + 3], drawn[at + 4], drawn[at + 5], drawn[at + 6]],
    authority: records.authority[body] < 0 ? null : records.authority[body],
    ownershipSequence: records.ownershipSequence[body],
    authoritySequence: records.authoritySequence[body],
    confirmed: records.confirmed[body] === 1,
    pendingCommit: records.pendingCommit[body] === 1,
    holder: holderOf(records, body),
    kept: records.hold[body] === KEPT,
    resting,
    asleep: resting && bodies.isAsleep(body),
  };
}

function holderOf(records: RecordsDiagnostics, body: BodyId): BodyInspection['holder'] {
  if (!isInHand(records.hold[body])) return null;
  return { slot: records.authority[body], hand: records.hold[body] === holdOf(LEFT) ? 'left' : 'right' };
}
