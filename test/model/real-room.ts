import { expect } from 'vitest';
import type { BodyId, ConnectionId, HandSide, Slot } from '../../src/core/base/ids.ts';
import { HAND_SIDES, NO_BODY, NO_SLOT } from '../../src/core/base/ids.ts';
import { OVERRIDE_INTERVAL_SECONDS, TICK_RATE, ticksIn } from '../../src/core/base/constants.ts';
import { copyPose } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import type { PlayerInput } from '../../src/core/hands/hand-input.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { keepOrNot } from '../../src/core/peer/actions/actions.ts';
import { strikeBody } from '../../src/core/peer/bodies/blows.ts';
import { gatherBody } from '../../src/core/peer/bodies/gathering.ts';
import type { PeerState } from '../../src/core/peer/peer-state.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import type { Level } from '../../src/core/world/level.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { floatingSimulation } from '../support/bodiless.ts';
import type { Layout } from './state/layout.ts';
import { HAND, RECORD, UP } from './state/layout.ts';
import type { Move } from './moves/moves.ts';

const OVERRIDE_INTERVAL_TICKS = ticksIn(OVERRIDE_INTERVAL_SECONDS, TICK_RATE);

/**
 * Real peers that do the model's moves, one by one: they tick, encode, send and receive real packets. Time is
 * the model's: a peer ticks only when a move is its own. Nothing rests, and no second passes, before the model
 * says so.
 */
export type RealRoom = {
  /** Does a move; `then` is the model's state after it. */
  readonly perform: (move: Move, then: Uint8Array) => void;
  /** The peers' beliefs, as one text for each peer and body. */
  readonly beliefs: () => string[];
};

type Player = { readonly peer: Peer; readonly input: PlayerInput; readonly out: Map<Slot, Uint8Array> };
type Room = { readonly layout: Layout; readonly players: readonly Player[]; connection: number };

const HOST = 0 as Slot;
/** Ticks within which a body that nobody holds has rested and was given back, or will not be. */
const LONG = 250;
/** Ticks after letting go in which a hand takes nothing. */
const COOLDOWN = 16;

export function realRoom(layout: Layout): RealRoom {
  const scene = sceneOf(layout.bodies);
  const players = Array.from({ length: layout.peers }, (_, slot) => playerOf(scene, slot as Slot));
  const room: Room = { layout, players, connection: 1 };
  for (let guest = 1; guest < layout.peers; guest++) connect(room, guest as Slot);
  settle(room);
  return {
    perform: (move, then) => {
      act(room, move);
      openHands(room, then);
    },
    beliefs: () => players.flatMap(({ peer }) => beliefsOf(peer)),
  };
}

function sceneOf(count: number): Level {
  const grid = createLevel({ id: 'grid', seed: 1, count: 1 });
  const { rotation } = grid.bodies[0].start;
  return {
    ...grid,
    bodies: Array.from({ length: count }, (_, i) => ({
      ...grid.bodies[0],
      start: { position: { x: 2 * i, y: 0.25, z: 0 }, rotation },
    })),
  };
}

function playerOf(scene: Level, slot: Slot): Player {
  const input = playerInput();
  for (const hand of input.hands) hand.tracked = true;
  const peer = new Peer({ slot, host: HOST, level: scene, simulation: floatingSimulation(scene) });
  return { peer, input, out: new Map() };
}

function connect({ players, connection }: Room, guest: Slot): void {
  players[HOST].peer.connect(guest, connection as ConnectionId);
  players[guest].peer.connect(HOST, connection as ConnectionId);
}

/** Everything comes to rest, and all know it. */
function settle({ players }: Room): void {
  for (let tick = 0; tick < 40; tick++) {
    for (const { peer, input, out } of players) {
      peer.tick(input);
      peer.poll(0, (to, bytes) => out.set(to, bytes.slice()));
    }
    for (const { peer, out } of players)
      for (const [to, bytes] of out) players[to].peer.receive(0, peer.state.self, bytes);
  }
  for (const { peer } of players) expect([...peer.state.bodies.records.resting]).not.toContain(0);
}

/** One tick of one peer, in which only `body` comes to rest. */
function tick({ players }: Room, slot: number, body: number = NO_BODY): void {
  const { peer, input, out } = players[slot];
  const { state } = peer;
  for (let other = 0; other < state.bodies.count; other++)
    if (other !== body) state.bodies.rest.detector.restart(other as BodyId);
  peer.tick(input);
  if (slot === HOST) for (let i = 0; i < state.lastOverride.length; i++) state.lastOverride[i]++;
  for (const author of state.authors) author.receivedTick = state.tick;
  // All is said, as in a model without poses, and in every tick: of still hands, too, since most packets are lost.
  for (const link of state.links) {
    if (link === null) continue;
    link.owesAck = true;
    for (const player of link.receiver.players) player.pace.markActive(state.tick);
    for (let each = 0; each < state.bodies.count; each++) link.receiver.dispute(each as BodyId);
  }
  peer.poll(0, (to, bytes) => out.set(to, bytes.slice()));
}

function act(room: Room, move: Move): void {
  const { players } = room;
  switch (move.kind) {
    case 'arrive': {
      const [from, to] = move.way === UP ? [move.guest, HOST] : [HOST, move.guest];
      tick(room, from);
      const bytes = players[from].out.get(to as Slot);
      if (bytes !== undefined) players[to].peer.receive(0, from as Slot, bytes);
      tick(room, to);
      return;
    }
    case 'drop':
      for (const hand of players[move.guest].input.hands) hand.grip = 0;
      room.connection++;
      connect(room, move.guest as Slot);
      tick(room, HOST);
      tick(room, move.guest);
      return;
    case 'second': {
      const { state } = players[HOST].peer;
      state.lastOverride.fill(state.tick - OVERRIDE_INTERVAL_TICKS);
      return;
    }
    case 'grab':
      grab(room, move.peer, move.body, move.side);
      return;
    case 'release':
      players[move.peer].input.hands[move.side].grip = 0;
      tick(room, move.peer);
      return;
    case 'meet':
      meet(room, move.peer);
      return;
    case 'gather':
      gatherBody(players[HOST].peer.state, move.body as BodyId);
      tick(room, HOST);
      return;
    case 'keep': {
      const { state } = players[move.peer].peer;
      keepOrNot(state, move.body as BodyId, move.on);
      wake(state, move.body as BodyId);
      tick(room, move.peer);
      return;
    }
    case 'strike': {
      const { state } = players[move.peer].peer;
      strikeBody(state, move.body as BodyId);
      wake(state, move.body as BodyId);
      tick(room, move.peer);
      return;
    }
    case 'return':
      giveBack(room, move.peer, move.body);
      return;
    case 'reached':
      for (let i = 0; i < LONG && players[move.peer].peer.player.hands[move.side].reach !== NO_BODY; i++)
        tick(room, move.peer);
      return;
    default:
      throw new Error(`no ${move.kind} without poses`);
  }
}

function grab(room: Room, slot: number, body: number, side: HandSide): void {
  const { peer, input } = room.players[slot];
  for (let i = 0; i < COOLDOWN; i++) tick(room, slot);
  const hand = input.hands[side];
  copyPose(poseIn(peer.state.bodies.motion, body as BodyId, hand.pose), hand.pose);
  hand.grip = 1;
  tick(room, slot);
}

function meet(room: Room, slot: number): void {
  const { state } = room.players[slot].peer;
  const { contacts } = state.bodies.simulation;
  contacts.add(0 as BodyId, 1 as BodyId);
  tick(room, slot);
  contacts.remove(0 as BodyId, 1 as BodyId);
  // A grabbed body moves from now on.
  for (let body = 0; body < state.bodies.count; body++) {
    if (state.bodies.records.authority[body] === slot) wake(state, body as BodyId);
  }
}

/** In a model without poses, what a player has is awake. */
function wake({ bodies }: PeerState, body: BodyId): void {
  if (bodies.records.resting[body] === 1) bodies.rest.wakeRecord(body);
}

function giveBack(room: Room, slot: number, body: number): void {
  const { records } = room.players[slot].peer.state.bodies;
  for (let i = 0; i < LONG && records.authority[body] === slot; i++) tick(room, slot, body);
}

/** A hand that is empty in the model opens: otherwise it would grab again what it has lost. */
function openHands({ layout, players }: Room, then: Uint8Array): void {
  for (let slot = 0; slot < layout.peers; slot++) {
    for (const side of HAND_SIDES) {
      const at = layout.hand(slot, side);
      if (then[at + HAND.held] + then[at + HAND.reach] === 0) players[slot].input.hands[side].grip = 0;
    }
  }
}

function beliefsOf({ state, player }: Peer): string[] {
  const { records } = state.bodies;
  const lines = Array.from({ length: records.count }, (_, body) =>
    line(state.self, body, {
      authority: records.authority[body],
      hold: records.hold[body],
      ownership: records.ownershipSequence[body],
      sequence: records.authoritySequence[body],
      confirmed: records.confirmed[body],
      pending: records.pendingCommit[body],
      accepted: records.acceptedOwnership[body],
      stale: records.stale[body],
    }),
  );
  return [
    ...lines,
    hands(
      state.self,
      player.hands.map(({ held, reach }) => [held, reach]),
    ),
  ];
}

/** The same for the model. */
export function beliefsIn(layout: Layout, cells: Uint8Array): string[] {
  return Array.from({ length: layout.peers }, (_, peer) => {
    const lines = Array.from({ length: layout.bodies }, (_each, body) => {
      const at = layout.record(peer, body);
      return line(peer, body, {
        authority: cells[at + RECORD.authority] - 1,
        hold: cells[at + RECORD.hold],
        ownership: cells[at + RECORD.ownership],
        sequence: cells[at + RECORD.sequence],
        confirmed: cells[at + RECORD.confirmed],
        pending: cells[at + RECORD.pending],
        accepted: cells[at + RECORD.accepted],
        stale: cells[at + RECORD.stale],
      });
    });
    const held = HAND_SIDES.map((side) => {
      const at = layout.hand(peer, side);
      return [cells[at + HAND.held] - 1, cells[at + HAND.reach] - 1];
    });
    return [...lines, hands(peer, held)];
  }).flat();
}

type Belief = Record<
  'authority' | 'hold' | 'ownership' | 'sequence' | 'confirmed' | 'pending' | 'accepted' | 'stale',
  number
>;

/** A peer's packet, without the parts that it does not read. */
function line(peer: number, body: number, b: Belief): string {
  const parts = [`${peer} on ${body}: ${b.authority} holds ${b.hold}, ${b.ownership}/${b.sequence}`];
  if (b.authority === peer && b.confirmed === 1) parts.push('confirmed');
  if (b.pending === 1) parts.push('pending');
  if (b.stale === 1) parts.push('stale');
  if (peer === HOST && b.authority > HOST && b.authority !== NO_SLOT) parts.push(`accepted ${b.accepted}`);
  return parts.join(', ');
}

function hands(peer: number, each: readonly (readonly number[])[]): string {
  return `${peer} has in its hands ${each.map(([held, reach]) => `${held}, reaching ${reach}`).join('; ')}`;
}
