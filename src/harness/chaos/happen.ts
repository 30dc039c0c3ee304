import type { BodyId, Slot } from '../../core/base/ids.ts';
import { NOT_HELD, NO_SLOT } from '../../core/base/ids.ts';
import type { Vector } from '../../core/base/math.ts';
import { distance, lerpVector, quaternion, vector } from '../../core/base/math.ts';
import { MOTION, STRIDE } from '../../core/base/state.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { madeIn } from '../../core/world/joints/making.ts';
import type { LinkConditions } from '../../netsim/network-simulator.ts';
import type { RoomHarness } from '../room.ts';
import type { Happening } from './happening.ts';

const HOST = 0 as Slot;

/**
 * A network that delivers: it loses nothing and delays nothing for long. Packets already sent keep their time of
 * arrival.
 */
const CALM: Partial<LinkConditions> = { loss: 0, burst: null, duplicate: 0, reorder: 0, bandwidthKbps: 0 };

/** Carries out one happening in a room. */
export function happen(room: RoomHarness, happening: Happening): void {
  switch (happening.kind) {
    case 'reset':
      room.peers[HOST].reset();
      break;
    case 'stall':
      room.stall(happening.slot, happening.steps);
      break;
    case 'act':
      room.peers.find(({ diagnostics }) => diagnostics.slot === happening.slot)?.act(happening.action);
      break;
    case 'spawn':
      spawn(room, happening);
      break;
    case 'despawn':
      despawn(room, happening);
      break;
    case 'joint':
      changeJoint(room, happening);
      break;
    case 'hold up':
      room.loopback.link(happening.from, happening.to)?.stall(room.now + happening.ms);
      break;
    case 'weather':
      Object.assign(room.loopback.link(happening.from, happening.to)?.conditions ?? {}, happening.conditions);
      break;
    default:
      happenTo(room, happening.kind, happening.slot);
  }
}

/** [S2] The player may have left, or may not spawn it now. */
function spawn(room: RoomHarness, { slot, template, at, linear, angular }: Of<'spawn'>): void {
  const peer = room.peers.find(({ diagnostics }) => diagnostics.slot === slot);
  const { templates } = (peer === undefined ? room.level : room.levelOf(slot)).spawning;
  const pose = { position: at, rotation: quaternion() };
  peer?.spawn({ template: templates[template % templates.length], pose, linear, angular });
}

/** [S3] The player may have left, or may not despawn it. */
function despawn(room: RoomHarness, { slot, which, pick }: Of<'despawn'>): void {
  const peer = room.peers.find(({ diagnostics }) => diagnostics.slot === slot);
  if (peer === undefined) return;
  const { bodies } = peer.diagnostics;
  const { authority, hold } = bodies.records;
  const ids = Array.from({ length: bodies.count }, (_, id) => id as BodyId).filter((body) => {
    if (which === 'any id') return true;
    const isBusy = authority[body] !== NO_SLOT || hold[body] !== NOT_HELD;
    return bodies.exists(body) && (which === 'here' || isBusy);
  });
  if (ids.length > 0) peer.despawn(ids[Math.floor(pick * ids.length)]);
}

/** [J4] [J6] Does nothing if the player has left. If it may change no joint, it takes the bodies of one instead. */
function changeJoint(room: RoomHarness, { slot, deed, joint: first }: Of<'joint'>): void {
  const peer = room.peers.find(({ diagnostics }) => diagnostics.slot === slot);
  if (peer === undefined) return;
  const { joints } = room.level;
  const { ends } = joints[first];
  const body = (ends[0].body ?? ends[1].body) as BodyId;
  if (deed === 'overload') {
    peer.act({ kind: 'impulse', body, push: vector(0, 25, 10), at: null });
    return;
  }
  if (deed === 'make') {
    makeJoint(peer, first);
    return;
  }
  const count = joints.length + (deed === 'remove' ? madeIn(room.level) : 0);
  for (let i = 0; i < count; i++) {
    const joint = (first + i) % count;
    if (peer.joints.has(joint) === (deed === 'remove') && peer.joints[deed](joint) === null) return;
  }
  for (const end of ends) if (end.body !== null) peer.act({ kind: 'take', body: end.body as BodyId });
}

/** [J5] Ties two of the bodies that a player simulates, near one another, half way between them. */
function makeJoint({ joints, diagnostics }: Peer, first: number): void {
  const { bodies, slot } = diagnostics;
  const own = Array.from({ length: bodies.count }, (_, id) => id as BodyId).filter(
    (body) => bodies.exists(body) && diagnostics.simulatorOf(body) === slot,
  );
  const placeOf = (body: BodyId): Vector => {
    const at = body * STRIDE;
    return vector(bodies.motion[at], bodies.motion[at + 1], bodies.motion[at + 2]);
  };
  for (let i = 0; i < own.length; i++) {
    const a = own[(first + i) % own.length];
    const b = own.find((body) => body !== a && distance(placeOf(body), placeOf(a)) < NEAR);
    if (b === undefined) continue;
    joints.make({ kind: first % 3, a, b, at: lerpVector(placeOf(a), placeOf(b), 0.5, vector()) });
    return;
  }
}

/** Metres between the middles of bodies that are tied. */
const NEAR = 1.5;

type Of<Kind extends Happening['kind']> = Extract<Happening, { readonly kind: Kind }>;
type OfGuest = Exclude<
  Extract<Happening, { readonly slot: Slot }>['kind'],
  'act' | 'spawn' | 'despawn' | 'joint'
>;

function happenTo(room: RoomHarness, kind: Exclude<OfGuest, 'stall'>, slot: Slot): void {
  switch (kind) {
    case 'leave':
      room.loopback.disconnect(HOST, slot);
      room.miss(slot);
      room.exit(slot);
      break;
    case 'come':
    case 'reload':
      room.loopback.connect(HOST, slot);
      room.enter(slot);
      room.join(slot);
      break;
    case 'lose line':
      room.loopback.disconnect(HOST, slot);
      break;
    case 'find line':
      if (room.loopback.link(HOST, slot) === null) room.loopback.connect(HOST, slot);
      break;
    case 'miss':
      room.miss(slot);
      break;
    case 'admit':
      room.admit(slot);
      break;
    case 'greet':
      room.greet(slot);
  }
}

/** Ends all keeping, because a kept body never returns to none. */
export function endKeeping(room: RoomHarness): void {
  for (const peer of room.peers)
    for (let body = 0 as BodyId; body < peer.diagnostics.bodies.count; body++)
      peer.act({ kind: 'keep', body, on: false });
}

/** Everybody brakes the jointed bodies that it simulates and that swing: a pendulum would swing for minutes. */
export function endSwinging(room: RoomHarness): void {
  for (const peer of room.peers) {
    const { bodies, slot } = peer.diagnostics;
    const { records, motion } = bodies;
    for (let body = 0 as BodyId; body < bodies.count; body++) {
      const isOwn = peer.diagnostics.simulatorOf(body) === slot && records.resting[body] === 0;
      const v = body * STRIDE + MOTION.linear;
      const speed = Math.hypot(motion[v], motion[v + 1], motion[v + 2]);
      if (!isOwn || records.islands.isJointed[body] === 0 || speed < SWINGS) continue;
      const linear = vector(motion[v] * BRAKED, motion[v + 1] * BRAKED, motion[v + 2] * BRAKED);
      const angular = vector(motion[v + 3] * BRAKED, motion[v + 4] * BRAKED, motion[v + 5] * BRAKED);
      peer.act({ kind: 'velocity', body, linear, angular });
    }
  }
}

/** Metres a second above which what is jointed swings, and the share of its speed that is left when it is braked. */
const SWINGS = 0.03;
const BRAKED = 0.7;

/**
 * From now on the network delivers. A data channel that has given up for a while, up to a minute, is replaced,
 * as a guest's page would do.
 */
export function calm(room: RoomHarness): void {
  room.loopback.setConditions(CALM);
  for (const { diagnostics } of room.peers.slice(1)) {
    const { slot } = diagnostics;
    const [up, down] = [room.loopback.link(slot, HOST), room.loopback.link(HOST, slot)];
    const isStuck = up?.ready(room.now) === false || down?.ready(room.now) === false;
    if (isStuck) room.loopback.connect(HOST, slot);
  }
}
