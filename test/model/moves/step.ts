import type { BodyId, HandSide, Slot } from '../../../src/core/base/ids.ts';
import { HAND_SIDES, isInHand, KEPT, NO_BODY } from '../../../src/core/base/ids.ts';
import { pose } from '../../../src/core/base/math.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { giveAway } from '../../../src/core/peer/hands/giving.ts';
import { holdOfIsland } from '../../../src/core/world/record.ts';
import { grab, mayGrab, release, take } from '../../../src/core/world/authority.ts';
import type { Actor, Rules } from './actor.ts';
import { bringNear, createActor, isInThatHand, load, store, wishOf } from './actor.ts';
import type { Layout } from '../state/layout.ts';
import { AVATAR, DISPUTED, DOWN, HAND, KNOWN, OLDER, REST_KIND, TO_SAY, UP, WAITS } from '../state/layout.ts';
import { judge, judgeLoss } from './judge.ts';
import { neededIn, noteKnown } from './known.ts';
import type { Move } from './moves.ts';
import { hearDown, hearUp, KINDS, sayDown, sayUp, show } from './packets.ts';
import { speak } from './senders.ts';
import type { MoveContext } from './move-context.ts';

/** A pose that nobody has yet; the form of a state gives it its number. */
const NEW_POSE = 255;
const HOST = 0;

/*
 * Real are the policies of host and guest, with the rules and decisions behind them, as PeerState has them; the
 * host's giving; and the author that a body shows. The model replaces the rest:
 * - Hands (OwnPlayer) close and open here by the same few lines; there is no throwing.
 * - A tick is whole: after arrivals, hands let go of lost bodies and take given ones at once.
 * - A sender sends everything; with poses, only what it must once all is quiet, and acks are back at once.
 * - Only a few packets of an earlier state are in flight, and a packet arrives once, since acks reject it then.
 * - With poses, one of each author and body waits to be shown. A body returns only when nothing waits for it: a
 *   second is longer than any playout delay.
 * - A body comes to rest whenever it likes, or never. A reach is never too old, and any of several is nearest.
 * - There are no resets, no other terms, no budgets of [H5], and tables of players always name everybody.
 */

/** Performs moves on states. The states that it is given and returns need not be in their form. */
export type Stepper = {
  /** Reads a state, with the packets in it. Moves are performed from here. */
  readonly at: (cells: Uint8Array) => void;
  /** Every state that a move leads to: more than one if there is no room for all packets in flight. */
  readonly perform: (move: Move) => readonly Uint8Array[];
  /** The same, but senders send only what they must, nothing older arrives, and everything sent arrives. */
  readonly deliver: (guest: number, way: number) => Uint8Array;
  /** The fault of the last move, in words; or null. */
  readonly broken: () => string | null;
};

export function stepper(layout: Layout, rules: Rules): Stepper {
  const actors = Array.from({ length: layout.peers }, (_, slot) => createActor(layout, slot, rules));
  const saysUp = Array.from({ length: layout.peers }, () => new Uint8Array(layout.upSize));
  const saysDown = Array.from({ length: layout.peers }, () => new Uint8Array(layout.downSize));
  const context: MoveContext = {
    layout,
    rules,
    actors,
    says: [saysUp, saysDown],
    before: new Uint8Array(layout.cells),
    fault: null,
  };
  return {
    at(cells) {
      context.before.set(cells);
      for (const actor of actors) load(actor, layout, cells);
      for (let guest = 1; guest < layout.peers; guest++) {
        sayUp(actors[guest], layout, saysUp[guest]);
        sayDown(actors[HOST], layout, guest, saysDown[guest]);
      }
    },
    perform(move) {
      const next = begin(context);
      const who = act(context, next, move);
      if (who < 0) return [next];
      return finish(context, next, move, who);
    },
    deliver(guest, way) {
      const next = begin(context);
      const which = neededIn(context, guest, way);
      const move = { kind: 'arrive', guest, way, index: -1, nearest: -1 } as const;
      arrive(context, next, move, which);
      return finish(context, next, move, way === UP ? HOST : guest)[0];
    },
    broken: () => context.fault,
  };
}

function begin(context: MoveContext): Uint8Array {
  context.fault = null;
  return context.before.slice();
}

/**
 * Performs the move on one peer.
 * @returns that peer, or -1 if no peer takes part.
 */
function act(context: MoveContext, next: Uint8Array, move: Move): number {
  const { layout } = context;
  switch (move.kind) {
    case 'lose':
      for (let body = 0; body < layout.bodies; body++) {
        const at = layout.known(move.guest, move.way, body);
        if (next[at] === DISPUTED) next[at] = KNOWN;
      }
      return -1;
    case 'second':
      for (let guest = 1; guest < layout.peers; guest++) next[layout.avatar(guest) + AVATAR.overrode] = 0;
      return -1;
    case 'arrive':
      arrive(context, next, move, -1);
      return move.way === UP ? HOST : move.guest;
    case 'drop':
      drop(context, next, move.guest);
      return HOST;
    default: {
      const actor = context.actors[move.peer];
      load(actor, layout, context.before);
      onOnePeer(context, actor, next, move);
      return move.peer;
    }
  }
}

type OwnMove = Exclude<Move, { kind: 'lose' | 'second' | 'arrive' | 'drop' }>;

function onOnePeer(context: MoveContext, actor: Actor, next: Uint8Array, move: OwnMove): void {
  const { peer } = actor;
  const { records } = peer.bodies;
  switch (move.kind) {
    case 'grab':
      close(context, actor, next, move.body, move.side);
      break;
    case 'release':
      open(context, actor, next, move.side, move.nearest);
      break;
    case 'touch':
      take(records, move.body as BodyId, peer.self, peer.policy.isHost);
      peer.bodies.startSimulating(move.body as BodyId);
      if (move.moves) records.resting[move.body] = 0;
      break;
    case 'meet':
      meet(actor);
      break;
    case 'gather':
      context.rules.gatherBody(peer, move.body as BodyId);
      break;
    case 'keep':
      context.rules.keepOrNot(peer, move.body as BodyId, move.on);
      break;
    case 'spawn':
      context.rules.spawn(peer, wishOf(peer));
      break;
    case 'despawn':
      context.rules.despawn(peer, move.body as BodyId);
      break;
    case 'strike':
      context.rules.strikeBody(peer, move.body as BodyId);
      break;
    case 'due':
      showDue(context, actor, next, move.author);
      break;
    case 'carry':
      peer.bodies.kinematic.carry(move.body as BodyId, HERE, records.authority[move.body] as Slot);
      break;
    case 'rest':
      records.resting[move.body] = 1;
      records.state[move.body * STRIDE + STATE.position] = NEW_POSE;
      break;
    case 'return':
      for (const part of records.islands.parts[move.body]) records.resting[part] = 1;
      if (context.rules.mayReturn(records, move.body as BodyId))
        context.rules.giveBack(records, move.body as BodyId, peer.policy.isHost);
      break;
    case 'reached': {
      const hand = context.layout.hand(peer.self, move.side);
      const body = next[hand + HAND.reach] - 1;
      next[hand + HAND.reach] = 0;
      // A body that is no more is not touched.
      if (peer.bodies.has(body as BodyId)) close(context, actor, next, body, move.side);
    }
  }
}

/** [A6], [A9] A hand closes, as OwnPlayer has it. */
function close(
  { layout }: MoveContext,
  { peer }: Actor,
  next: Uint8Array,
  body: number,
  side: HandSide,
): void {
  const hand = layout.hand(peer.self, side);
  const other = layout.hand(peer.self, 1 - side);
  if (!mayGrab(peer.bodies.records, body as BodyId, peer.self)) {
    if (holdOfIsland(peer.bodies.records, body as BodyId) === KEPT) return;
    if (next[other + HAND.reach] !== body + 1) next[hand + HAND.reach] = body + 1;
    return;
  }
  if (next[other + HAND.held] === body + 1) next[other + HAND.held] = 0;
  grab(peer.bodies.records, body as BodyId, peer.self, side, peer.policy.isHost);
  peer.bodies.startSimulating(body as BodyId);
  next[hand + HAND.held] = body + 1;
  next[hand + HAND.reach] = 0;
}

/** [A7], [A9] A hand opens. */
function open(
  { layout }: MoveContext,
  actor: Actor,
  next: Uint8Array,
  side: HandSide,
  nearest: number,
): void {
  const { peer } = actor;
  const hand = layout.hand(peer.self, side);
  const body = next[hand + HAND.held] - 1;
  next[hand + HAND.held] = 0;
  next[hand + HAND.reach] = 0;
  if (body < 0) return;
  release(peer.bodies.records, body as BodyId);
  if (!peer.policy.isHost) return;
  bringNear(actor, nearest);
  giveAway(peer, body as BodyId, peer.self);
}

/** [A5] The bodies touch, for one tick. */
function meet({ peer, spread }: Actor): void {
  const { contacts } = peer.bodies.simulation;
  contacts.add(0 as BodyId, 1 as BodyId);
  spread.run(peer.bodies.records, contacts, peer.self, peer.policy.isHost, (body) => {
    peer.bodies.startSimulating(body);
    peer.bodies.records.resting[body] = 0;
  });
  contacts.remove(0 as BodyId, 1 as BodyId);
}

function showDue({ layout }: MoveContext, actor: Actor, next: Uint8Array, author: number): void {
  let oldest = Infinity;
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.waits(actor.peer.self, author, body);
    if (next[at + WAITS.kind] !== 0) oldest = Math.min(oldest, next[at + WAITS.tick]);
  }
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.waits(actor.peer.self, author, body);
    if (next[at + WAITS.kind] === 0 || next[at + WAITS.tick] !== oldest) continue;
    showWaiting(actor, next, at, author, body);
  }
}

function showWaiting(actor: Actor, next: Uint8Array, at: number, author: number, body: number): void {
  show(actor, author, body, next[at + WAITS.kind], next[at + WAITS.pose], next[at + WAITS.tick]);
  next.fill(0, at, at + WAITS.size);
}

type Arrival = Extract<Move, { kind: 'arrive' }>;

/** @param which the bodies in the packet, as bits; -1: all. */
function arrive(context: MoveContext, next: Uint8Array, move: Arrival, which: number): void {
  const { layout, actors } = context;
  const { guest, way, index, nearest } = move;
  const actor = actors[way === UP ? HOST : guest];
  load(actor, layout, next);
  actor.arrivals = 0;
  let words = context.says[way][guest];
  let number: number;
  if (index < 0) {
    const counter = way === UP ? layout.tick(guest) : layout.number(guest);
    number = ++next[counter];
  } else {
    const at = layout.packet(guest, way, index);
    number = next[at + OLDER.number];
    words = next.slice(at + OLDER.head, at + OLDER.head + layout.sizeOf(way));
  }
  noteKnown(context, next, move, which);
  if (way === UP) {
    bringNear(actor, nearest);
    hearUp(actor, layout, guest, words, number, which);
  } else hearDown(actor, layout, words, number, number, which);
  keepArrivals(context, actor, next);
}

/** One pose of each author and body waits; a second makes the older of the two due. */
function keepArrivals({ layout }: MoveContext, actor: Actor, next: Uint8Array): void {
  if (!layout.poses) return;
  for (let i = 0; i < actor.arrivals; i++) {
    const { author, update } = actor.arrived[i];
    const kind = KINDS.indexOf(update.kind);
    const restPose = kind === REST_KIND ? update.state[STATE.position] : 0;
    const at = layout.waits(actor.peer.self, author, update.body);
    if (next[at + WAITS.kind] !== 0) {
      if (update.tick <= next[at + WAITS.tick]) {
        if (update.tick < next[at + WAITS.tick])
          show(actor, author, update.body, kind, restPose, update.tick);
        continue;
      }
      showWaiting(actor, next, at, author, update.body);
    }
    next[at + WAITS.kind] = kind;
    next[at + WAITS.pose] = restPose;
    next[at + WAITS.tick] = update.tick;
  }
}

/** [H6] A new connection: the host frees what the guest had, and the guest lets go of it likewise. */
function drop({ layout, rules, actors }: MoveContext, next: Uint8Array, slot: number): void {
  const [host, guest] = [actors[HOST], actors[slot]];
  load(host, layout, next);
  load(guest, layout, next);
  rules.freeAllOf(host.peer, slot as Slot);
  rules.loseAll(guest.peer);
  for (let body = 0; layout.poses && body < layout.bodies; body++) {
    const at = layout.waits(HOST, slot, body);
    next.fill(0, at, at + WAITS.size);
    for (let author = 0; author < layout.peers; author++) {
      const waiting = layout.waits(slot, author, body);
      next.fill(0, waiting, waiting + WAITS.size);
    }
    for (const way of [UP, DOWN]) next[layout.known(slot, way, body)] = TO_SAY;
  }
  for (const way of [UP, DOWN]) {
    for (let i = 0; i < layout.older; i++) {
      const at = layout.packet(slot, way, i);
      next.fill(0, at, at + OLDER.head + layout.sizeOf(way));
    }
  }
  next.fill(0, layout.hand(slot, 0), layout.hand(slot, 0) + 2 * HAND.size);
  store(guest, layout, next);
  for (const hand of host.peer.authors[slot].avatar.hands) {
    hand.held = NO_BODY;
    hand.reach = NO_BODY;
  }
}

// --- After a move ---

/** The rest of the tick on the peer that has moved, and its packets from now on. */
function finish(context: MoveContext, next: Uint8Array, move: Move, who: number): readonly Uint8Array[] {
  const { layout, actors } = context;
  const actor = actors[who];
  reconcile(context, actor, next, move.kind === 'despawn');
  if (move.kind === 'arrive') answerRefusals(layout, actor, next, move);
  store(actor, layout, next);
  judge(context, next, move);
  let results: readonly Uint8Array[] = [next];
  const anew = move.kind === 'drop' ? move.guest : -1;
  if (anew > 0) results = speak(context, results, anew, UP, anew);
  if (who !== HOST) return speak(context, results, who, UP, anew);
  for (let guest = 1; guest < layout.peers; guest++) results = speak(context, results, guest, DOWN, anew);
  return results;
}

/** [G4], [A9] A body that the record took out of a hand leaves it, and a given body is in its new hand. */
function reconcile(context: MoveContext, { peer }: Actor, next: Uint8Array, isOwnWish: boolean): void {
  const { records } = peer.bodies;
  for (const side of HAND_SIDES) {
    const hand = context.layout.hand(peer.self, side);
    const [held, reach] = [next[hand + HAND.held] - 1, next[hand + HAND.reach] - 1];
    if (held >= 0 && !isInThatHand(records, held, peer.self, side)) {
      next[hand + HAND.held] = 0;
      const isPassed = records.authority[held] === peer.self && isInHand(records.hold[held]);
      if (!isPassed && !isOwnWish) judgeLoss(context, next, peer.self, held);
    }
    if (reach < 0 || records.authority[reach] !== peer.self || !isInHand(records.hold[reach])) continue;
    next[hand + HAND.reach] = 0;
    if (!isInThatHand(records, reach, peer.self, side)) continue;
    next[hand + HAND.held] = reach + 1;
    records.resting[reach] = 0;
    peer.bodies.following.stop(reach as BodyId);
  }
}

function answerRefusals(
  layout: Layout,
  { disputed }: Actor,
  next: Uint8Array,
  { guest, way }: Arrival,
): void {
  if (!layout.poses) return;
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.known(guest, way === UP ? DOWN : UP, body);
    if (disputed[body] === 1 && next[at] === KNOWN) next[at] = DISPUTED;
  }
}

const HERE = pose();
