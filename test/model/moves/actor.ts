import type { BodyId, ConnectionId, Existence, HandSide, Slot, Tick } from '../../../src/core/base/ids.ts';
import { HAND_SIDES, holdOf, NO_BODY, NO_SLOT } from '../../../src/core/base/ids.ts';
import {
  MAX_ROOM_PLAYERS,
  OVERRIDE_INTERVAL_SECONDS,
  RETURN_AFTER_SECONDS,
  TICK_RATE,
  ticksIn,
} from '../../../src/core/base/constants.ts';
import { pose, vector } from '../../../src/core/base/math.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { keepOrNot } from '../../../src/core/peer/actions/actions.ts';
import type { Spawn } from '../../../src/core/peer/actions/spawning.ts';
import { despawn, spawn } from '../../../src/core/peer/actions/spawning.ts';
import { strikeBody } from '../../../src/core/peer/bodies/blows.ts';
import { gatherBody } from '../../../src/core/peer/bodies/gathering.ts';
import { guestPolicy, loseAll } from '../../../src/core/peer/policy/guest-policy.ts';
import { freeAllOf, hostPolicy } from '../../../src/core/peer/policy/host-policy.ts';
import { createPeerState } from '../../../src/core/peer/create-peer-state.ts';
import { Link } from '../../../src/core/peer/link.ts';
import type { PeerState } from '../../../src/core/peer/peer-state.ts';
import type { Policy } from '../../../src/core/peer/policy/policy.ts';
import { PacketReader } from '../../../src/core/wire/packet.ts';
import { quantisePose } from '../../../src/core/wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import { copyUpdate } from '../../support/updates.ts';
import { AuthoritySpread, giveBack, mayReturn } from '../../../src/core/world/authority.ts';
import { generationOf, templateOf } from '../../../src/core/world/existence.ts';
import type { Records } from '../../../src/core/world/record.ts';
import { jointEnd } from '../../../src/core/world/joints/joint.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import type { Layout } from '../state/layout.ts';
import { cellOf, existenceIn } from '../state/existence.ts';
import { AVATAR, HAND, RECORD, RELAY, SPAWNED } from '../state/layout.ts';

const RETURN_AFTER_TICKS = ticksIn(RETURN_AFTER_SECONDS, TICK_RATE);
const OVERRIDE_INTERVAL_TICKS = ticksIn(OVERRIDE_INTERVAL_SECONDS, TICK_RATE);

/** The rules that are checked. A mutation replaces one of them. */
export type Rules = {
  /** Called once for each peer, before the model begins. */
  prepare(peer: PeerState): void;
  readonly host: Policy<PeerState>;
  readonly guest: Policy<PeerState>;
  freeAllOf(peer: PeerState, slot: Slot): void;
  loseAll(peer: PeerState): void;
  mayReturn(records: Records, body: BodyId): boolean;
  giveBack(records: Records, body: BodyId, isHost: boolean): void;
  gatherBody(peer: PeerState, body: BodyId): void;
  strikeBody(peer: PeerState, body: BodyId): void;
  keepOrNot(peer: PeerState, body: BodyId, on: boolean): void;
  spawn(peer: PeerState, wish: Spawn): void;
  despawn(peer: PeerState, body: BodyId): void;
};

export const REAL: Rules = {
  prepare: () => undefined,
  host: hostPolicy,
  guest: guestPolicy,
  freeAllOf,
  loseAll,
  mayReturn: (records, body) => mayReturn(records, body, RETURN_AFTER_TICKS),
  giveBack,
  gatherBody,
  strikeBody,
  keepOrNot,
  spawn: (peer, wish) => void spawn(peer, wish),
  despawn: (peer, body) => void despawn(peer, body),
};

const HOST = 0 as Slot;
/** The tick of every peer. Time stands still; the model chooses what happens. */
const NOW = 1000 as Tick;
/** More than any tick in the model: a guest's table always has everybody. */
export const NEWEST = 10_000;

/**
 * A real peer's state, on which its policy acts. Its records are read from a state of the model and written
 * back. There is no engine and no clock behind it.
 */
export type Actor = {
  readonly peer: PeerState;
  readonly packet: PacketReader;
  readonly spread: AuthoritySpread;
  /** Updates for the authors' streams, in the order of arrival. */
  readonly arrived: { author: number; readonly update: BodyUpdate }[];
  arrivals: number;
  /** For each body 1 if a claim or a ruling on it was rejected, so that it has to be answered. */
  readonly disputed: Uint8Array;
  /** For each body the last tick that it shows of its author. */
  readonly followed: Uint16Array;
};

export function createActor(layout: Layout, slot: number, rules: Rules): Actor {
  const scene = sceneFor(layout);
  const policy = slot === HOST ? rules.host : rules.guest;
  const peer = createPeerState(slot as Slot, HOST, policy, scene, floatingSimulation(scene));
  const actor: Actor = {
    peer,
    packet: new PacketReader(layout.bodies, peer.flights),
    spread: new AuthoritySpread(layout.bodies),
    arrived: Array.from({ length: 2 * layout.bodies }, () => ({ author: 0, update: bodyUpdate() })),
    arrivals: 0,
    disputed: new Uint8Array(layout.bodies),
    followed: new Uint16Array(layout.bodies),
  };
  peer.tick = NOW;
  peer.log.add = () => undefined;
  peer.sequenceBudget.spend = () => undefined;
  peer.spawnBudget.spend = () => undefined;
  peer.spawnBudget.allows = () => slot !== HOST || acceptsSpawn(layout, peer);
  for (let body = 0; body < layout.bodies; body++) actor.packet.updates.push(bodyUpdate());
  for (let i = 0; i < layout.peers; i++) tieAuthor(actor, i);
  for (let other = 0; other < layout.peers; other++) {
    if (other === slot || (slot !== HOST && other !== HOST)) continue;
    const link = new Link(other as Slot, 1 as ConnectionId, layout.bodies, peer.flights, peer.rate);
    link.receiver.dispute = (body) => void (actor.disputed[body] = 1);
    peer.links[other] = link;
  }
  tieFollowing(actor);
  rules.prepare(peer);
  return actor;
}

/** Poses that arrive for an author go to the model, which decides when they are due. */
function tieAuthor(actor: Actor, slot: number): void {
  const author = actor.peer.authors[slot];
  author.newestTick = NEWEST;
  author.receivedTick = NOW;
  author.avatarTime = 0;
  author.stream.clock.arrive = () => undefined;
  author.stream.restart = () => undefined;
  author.stream.addAvatar = () => undefined;
  author.stream.addUpdate = (update) => {
    const arrival = actor.arrived[actor.arrivals++];
    arrival.author = slot;
    copyUpdate(update, arrival.update);
  };
  for (const hand of author.avatar.hands) hand.tracked = true;
}

/** A carried body does not move here. Only the author of its poses is kept, and since when. */
function tieFollowing({ peer: { bodies }, followed }: Actor): void {
  const { following } = bodies;
  const advance = following.advance.bind(following);
  following.advance = (body, author, tick) => {
    const step = advance(body, author, tick);
    if (step !== 'older') followed[body] = tick;
    return step;
  };
  bodies.kinematic.carry = (body, _pose, author) => {
    if (!following.isOf(body, author)) followed[body] = 0;
    following.followHand(body, author);
    bodies.records.resting[body] = 0;
  };
}

function sceneFor({ bodies, spawns, jointed }: Layout): Level {
  if (spawns !== undefined) return spawningScene();
  const scene = sceneOf(bodies);
  if (jointed !== true) return scene;
  const rope = { kind: 'rope', length: 1, collides: true } as const;
  const joints = scene.bodies.slice(1).map((_, i) => {
    return { ...rope, ends: [jointEnd(scene.bodies, i, HERE), jointEnd(scene.bodies, i + 1, HERE)] } as const;
  });
  return { ...scene, joints };
}

/** One body, and one id for each slot: see Size. */
function spawningScene(): Level {
  const scene = sceneOf(1);
  return {
    ...scene,
    spawning: { slots: MAX_ROOM_PLAYERS, perPlayer: 1, perSecond: 20, templates: [scene.templates[0]] },
  };
}

/** [S5] Stands for the budget of the first guest. */
function acceptsSpawn({ spawns }: Layout, { bodies: { records } }: PeerState): boolean {
  return (generationOf(records.existence[SPAWNED] as Existence) & 1) === (spawns === 'odd' ? 1 : 0);
}

/** A body to be spawned, of the level's template. */
export function wishOf({ bodies: { level } }: PeerState): Spawn {
  const { template, start } = level.bodies[0];
  return { template, pose: start, linear: vector(), angular: vector() };
}

function sceneOf(count: number): Level {
  const grid = createLevel({ id: 'grid', seed: 1, count: 1 });
  return { ...grid, bodies: Array.from({ length: count }, () => grid.bodies[0]) };
}

/** Makes the peer believe the state. */
export function load({ peer, followed, disputed }: Actor, layout: Layout, cells: Uint8Array): void {
  const { records } = peer.bodies;
  for (let i = 0; i < layout.bodies; i++) {
    const body = i as BodyId;
    const at = layout.record(peer.self, i);
    records.authority[i] = cells[at + RECORD.authority] - 1;
    records.hold[i] = cells[at + RECORD.hold];
    records.ownershipSequence[i] = cells[at + RECORD.ownership];
    records.authoritySequence[i] = cells[at + RECORD.sequence];
    records.confirmed[i] = cells[at + RECORD.confirmed];
    records.pendingCommit[i] = cells[at + RECORD.pending];
    records.acceptedOwnership[i] = cells[at + RECORD.accepted];
    records.stale[i] = cells[at + RECORD.stale];
    records.resting[i] = cells[at + RECORD.resting];
    records.existence[i] = existenceIn(cells[at + RECORD.existence]);
    peer.bodies.templates[i] = templateOf(peer.bodies.level, body, records.existence[i]);
    records.restTicks[i] = RETURN_AFTER_TICKS;
    records.state[i * STRIDE + STATE.position] = cells[at + RECORD.pose];
    disputed[i] = 0;
    if (layout.poses) loadFollowing(peer, followed, at, body, cells);
    if (peer.self > 0) peer.lastRuling[i] = cells[layout.heard(peer.self, i)];
  }
  loadHands(peer, peer.self, layout.hand(peer.self, 0), cells);
  peer.giving.clear();
  if (peer.self === HOST) loadHost(peer, layout, cells);
}

function loadFollowing(
  { bodies: { following } }: PeerState,
  followed: Uint16Array,
  at: number,
  body: BodyId,
  cells: Uint8Array,
): void {
  const author = (cells[at + RECORD.follows] - 1) as Slot;
  followed[body] = cells[at + RECORD.followed];
  following.stop(body);
  if (author < 0) return;
  following.followHand(body, author);
  if (followed[body] > 0) following.advance(body, author, followed[body]);
}

/** The contents of a player's hands. */
export function loadHands(peer: PeerState, slot: number, at: number, cells: Uint8Array): void {
  for (const side of HAND_SIDES) {
    const hand = peer.authors[slot].avatar.hands[side];
    hand.held = (cells[at + side * HAND.size + HAND.held] - 1) as BodyId;
    hand.reach = (cells[at + side * HAND.size + HAND.reach] - 1) as BodyId;
  }
}

function loadHost(peer: PeerState, layout: Layout, cells: Uint8Array): void {
  for (let guest = 1; guest < layout.peers; guest++) {
    const at = layout.avatar(guest);
    const author = peer.authors[guest];
    author.avatarTime = cells[at + AVATAR.tick];
    for (const side of HAND_SIDES) {
      author.avatar.hands[side].held = NO_BODY;
      author.avatar.hands[side].reach = (cells[at + AVATAR.reach + side] - 1) as BodyId;
    }
    const since = cells[at + AVATAR.overrode] === 1 ? 0 : OVERRIDE_INTERVAL_TICKS;
    peer.lastOverride[guest] = NOW - since;
  }
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    const at = layout.relay(body);
    peer.relay.author[body] = cells[at + RELAY.author] - 1;
    peer.relay.tick[body] = cells[at + RELAY.tick];
    peer.relay.resting[body] = cells[at + RELAY.resting];
    peer.relay.state[body * STRIDE + STATE.position] = cells[at + RELAY.pose];
  }
}

/** Writes the peer's belief to the state. */
export function store({ peer, followed }: Actor, layout: Layout, cells: Uint8Array): void {
  const { records, following } = peer.bodies;
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.record(peer.self, body);
    const rests = layout.poses ? records.resting[body] === 1 : records.authority[body] === NO_SLOT;
    cells[at + RECORD.authority] = records.authority[body] + 1;
    cells[at + RECORD.hold] = records.hold[body];
    cells[at + RECORD.ownership] = records.ownershipSequence[body];
    cells[at + RECORD.sequence] = records.authoritySequence[body];
    cells[at + RECORD.confirmed] = records.confirmed[body];
    cells[at + RECORD.pending] = records.pendingCommit[body];
    cells[at + RECORD.accepted] = records.acceptedOwnership[body];
    cells[at + RECORD.stale] = records.stale[body];
    cells[at + RECORD.existence] = cellOf(records.existence[body]);
    cells[at + RECORD.resting] = rests ? 1 : 0;
    cells[at + RECORD.pose] = rests && layout.poses ? records.state[body * STRIDE + STATE.position] : 0;
    if (peer.self > 0) cells[layout.heard(peer.self, body)] = Math.max(0, peer.lastRuling[body]);
    if (!layout.poses) continue;
    let author = layout.peers - 1;
    while (author >= 0 && !following.isOf(body as BodyId, author as Slot)) author--;
    cells[at + RECORD.follows] = author + 1;
    cells[at + RECORD.followed] = author < 0 ? 0 : followed[body];
  }
  if (peer.self === HOST) storeHost(peer, layout, cells);
}

function storeHost(peer: PeerState, layout: Layout, cells: Uint8Array): void {
  for (let guest = 1; guest < layout.peers; guest++) {
    const at = layout.avatar(guest);
    const author = peer.authors[guest];
    cells[at + AVATAR.tick] = Math.max(0, author.avatarTime);
    for (const side of HAND_SIDES) {
      const { held, reach } = author.avatar.hands[side];
      cells[at + AVATAR.reach + side] = held === NO_BODY ? reach + 1 : 0;
    }
    cells[at + AVATAR.overrode] = NOW - peer.lastOverride[guest] < OVERRIDE_INTERVAL_TICKS ? 1 : 0;
  }
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    const at = layout.relay(body);
    cells[at + RELAY.author] = peer.relay.author[body] + 1;
    cells[at + RELAY.tick] = peer.relay.tick[body];
    cells[at + RELAY.resting] = peer.relay.resting[body];
    cells[at + RELAY.pose] =
      peer.relay.resting[body] === 1 ? peer.relay.state[body * STRIDE + STATE.position] : 0;
  }
}

/** [A9] This player's hand is the nearest of the reaching hands of others. */
export function bringNear({ peer }: Actor, nearest: number): void {
  for (let slot = 0; slot < peer.authors.length; slot++) {
    for (const hand of peer.authors[slot].avatar.hands) hand.pose.set(slot === nearest ? NEAR : FAR);
  }
}

/** The record has a body in this hand. */
export function isInThatHand(records: Records, body: number, self: number, side: HandSide): boolean {
  return records.authority[body] === self && records.hold[body] === holdOf(side);
}

const HERE = vector(0, 1, 0);
const NEAR = handAt(0);
const FAR = handAt(1);

/** A hand this many metres away from the place of every body. */
function handAt(metres: number): Int32Array {
  const at = pose();
  const { position } = sceneOf(1).bodies[0].start;
  Object.assign(at.position, { x: position.x + metres, y: position.y, z: position.z });
  const out = new Int32Array(7);
  quantisePose(at, out, 0);
  return out;
}
