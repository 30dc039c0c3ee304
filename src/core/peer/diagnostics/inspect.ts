import type { BodyId, HandSide } from '../../base/ids.ts';
import { LEFT, RIGHT } from '../../base/ids.ts';
import { MAX_PLAYERS, TICK_MS } from '../../base/constants.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import type { Peer } from '../peer.ts';

/** What one peer believes of a body, as plain data. */
export type BodyInspection = {
  readonly id: number;
  /** As drawn: metres. */
  readonly position: readonly [number, number, number];
  /** A unit quaternion: x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** A slot, or null for none. */
  readonly authority: number | null;
  readonly ownershipSequence: number;
  readonly authoritySequence: number;
  readonly confirmed: boolean;
  readonly pendingCommit: boolean;
  /** The hand that holds it, or null. */
  readonly holder: { readonly slot: number; readonly hand: 'left' | 'right' } | null;
  /** True if its record is at rest. */
  readonly resting: boolean;
  /** True if it rests and the engine has put it to sleep. */
  readonly asleep: boolean;
};

/** What one peer knows, as plain data: for demos, tests and curious people. */
export type Inspection = {
  readonly slot: number;
  readonly role: 'host' | 'guest';
  readonly name: string;
  readonly tick: number;
  readonly term: number;
  readonly reset: number;
  /** For each peer that this one exchanges packets with. */
  readonly links: readonly {
    readonly slot: number;
    /** Milliseconds there and back; 0 before the first ack. */
    readonly roundTripMs: number;
    /** Milliseconds that this slot's poses wait before they are shown. */
    readonly playoutDelayMs: number;
    /** Bits sent from the beginning on. */
    readonly sentBits: { readonly bodies: number; readonly avatars: number; readonly headers: number };
    readonly packetsSent: number;
    readonly packetsReceived: number;
  }[];
  /** Refused packets and claims by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly bodies: readonly BodyInspection[];
};

/** A copy of what a peer knows; it costs garbage, so don't call it every frame. */
export function inspect(peer: Peer): Inspection {
  const { state } = peer;
  return {
    slot: state.self,
    role: peer.isHost ? 'host' : 'guest',
    name: state.authors[state.self].name,
    tick: state.tick,
    term: state.term,
    reset: state.reset,
    links: inspectLinks(peer),
    rejected: { ...state.rejections },
    bodies: Array.from({ length: state.bodies.count }, (_, body) => inspectBody(peer, body as BodyId)),
  };
}

function inspectLinks(peer: Peer): Inspection['links'] {
  const links: Inspection['links'][number][] = [];
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    const link = peer.state.links[slot];
    if (link === null) continue;
    const traffic = peer.traffic(link.slot);
    links.push({
      slot,
      roundTripMs: peer.roundTripMs(link.slot),
      playoutDelayMs: peer.state.authors[slot].stream.clock.delay * TICK_MS,
      sentBits: { bodies: traffic.bodies, avatars: traffic.avatars, headers: traffic.headers },
      packetsSent: traffic.packetsSent,
      packetsReceived: traffic.packetsReceived,
    });
  }
  return links;
}

/** What a peer believes of one body. */
export function inspectBody(peer: Peer, body: BodyId): BodyInspection {
  const { bodies } = peer.state;
  const { records, drawn } = bodies;
  const shown = drawn.poses;
  const at = body * POSE_STRIDE;
  const resting = records.resting[body] === 1;
  return {
    id: body,
    position: [shown[at], shown[at + 1], shown[at + 2]],
    rotation: [shown[at + 3], shown[at + 4], shown[at + 5], shown[at + 6]],
    authority: records.authority[body] < 0 ? null : records.authority[body],
    ownershipSequence: records.ownershipSequence[body],
    authoritySequence: records.authoritySequence[body],
    confirmed: records.confirmed[body] === 1,
    pendingCommit: records.pendingCommit[body] === 1,
    holder: holderOf(peer, body),
    resting,
    asleep: resting && bodies.simulation.isAsleep(body),
  };
}

function holderOf(peer: Peer, body: BodyId): BodyInspection['holder'] {
  const { records } = peer.state.bodies;
  if (records.hold[body] === 0) return null;
  const side: HandSide = records.hold[body] === 1 ? LEFT : RIGHT;
  return { slot: records.authority[body], hand: side === LEFT ? 'left' : 'right' };
}
