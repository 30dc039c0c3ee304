import { NO_SLOT, NOT_HELD } from '../../../src/core/base/ids.ts';
import { generationIn, isBodyIn } from '../state/existence.ts';
import { CLAIM, HAND, LEDGER, OLDER, RECORD, UP, UP_CLAIMS } from '../state/layout.ts';
import type { Move } from './moves.ts';
import { bodyMark, peerMark } from '../state/words.ts';
import type { MoveContext } from './move-context.ts';

/** The invariants of every state: [I2], [I6], and as far as the host can tell, [I3]. */

const HOST = 0;

/** [I6] A hand has lost a body. That is no fault if the host does not agree that it holds it. */
export function judgeLoss(context: MoveContext, next: Uint8Array, self: number, body: number): void {
  const at = context.layout.record(HOST, body);
  const agrees = next[at + RECORD.authority] === self + 1 && next[at + RECORD.hold] !== NOT_HELD;
  if (agrees || self === HOST)
    context.fault = `[I6] ${peerMark(self)} loses ${bodyMark(body)} out of its hand, though the host has it there`;
}

/** [I2], [I3] The invariants of every state. */
export function judge(context: MoveContext, next: Uint8Array, move: Move): void {
  const { layout, before } = context;
  for (let peer = 0; peer < layout.peers; peer++) {
    const [left, right] = [next[layout.hand(peer, 0) + HAND.held], next[layout.hand(peer, 1) + HAND.held]];
    if (left > 0 && left === right)
      context.fault = `[I2] ${bodyMark(left - 1)} is in both hands of ${peerMark(peer)}`;
  }
  for (let body = 0; body < layout.bodies; body++) {
    const at = layout.record(HOST, body);
    const holder = before[at + RECORD.hold] === NOT_HELD ? NO_SLOT : before[at + RECORD.authority] - 1;
    const keeps = next[at + RECORD.hold] !== NOT_HELD && next[at + RECORD.authority] - 1 === holder;
    if (holder >= 0 && !keeps && whoseMove(move) !== holder && move.kind !== 'despawn')
      context.fault = `[I2] ${bodyMark(body)} leaves the hand of ${peerMark(holder)}, who did not let go`;
    if (layout.poses) judgeRest(context, next, body, move);
    if (layout.spawns !== undefined) judgeExistence(context, next, body, move);
    if (layout.jointed === true) judgeIsland(context, next, body);
  }
}

/** [I9] On the host all bodies of the island have one claim. */
function judgeIsland(context: MoveContext, next: Uint8Array, body: number): void {
  const [root, at] = [context.layout.record(HOST, 0), context.layout.record(HOST, body)];
  for (const field of [RECORD.authority, RECORD.ownership, RECORD.sequence])
    if (next[at + field] !== next[root + field])
      context.fault = `[I9] ${bodyMark(body)} has another claim than its island`;
}

/** [I8] On the host a body begins once in each generation, and goes only if somebody has despawned it. */
function judgeExistence(context: MoveContext, next: Uint8Array, body: number, move: Move): void {
  const { layout, before } = context;
  const ledger = layout.ledger(body);
  if (move.kind === 'despawn' && move.body === body) {
    const was = before[layout.record(move.peer, body) + RECORD.existence];
    next[ledger + LEDGER.despawned] = Math.max(next[ledger + LEDGER.despawned], generationIn(was) + 1);
  }
  const at = layout.record(HOST, body) + RECORD.existence;
  const [was, is] = [before[at], next[at]];
  if (was === is) return;
  if (isBodyIn(was)) {
    const isAsked = next[ledger + LEDGER.despawned] > generationIn(was);
    if (isBodyIn(is) || !isAsked) context.fault = `[I8] ${bodyMark(body)} is lost on the host`;
  }
  if (!isBodyIn(is)) return;
  if (next[ledger + LEDGER.accepted] > generationIn(is))
    context.fault = `[I8] ${bodyMark(body)} is spawned twice on the host`;
  next[ledger + LEDGER.accepted] = generationIn(is) + 1;
}

/** [I3] Once the host has a body at rest under none, it lies where the last authority saw it rest. */
function judgeRest(context: MoveContext, next: Uint8Array, body: number, move: Move): void {
  const { layout, before } = context;
  const at = layout.record(HOST, body);
  const lawful = layout.lawful(body);
  const isSame = [RECORD.authority, RECORD.ownership, RECORD.sequence].every(
    (i) => next[at + i] === before[at + i],
  );
  const isFree = next[at + RECORD.authority] === 0;
  if (!isSame || !isFree) next[lawful] = 0;
  if (!isFree) return;
  if (!isSame) next[lawful] = returnedAt(context, move, body);
  if (next[lawful] === 0) next[lawful] = next[at + RECORD.pose];
  else if (next[lawful] !== next[at + RECORD.pose])
    context.fault = `[I3] ${bodyMark(body)} rested under nobody, and the host has it elsewhere now`;
}

/** The pose with which a guest has just given a body back; 0: none. */
function returnedAt({ layout, says, before }: MoveContext, move: Move, body: number): number {
  if (move.kind !== 'arrive' || move.way !== UP) return 0;
  const { guest, index } = move;
  const older = layout.packet(guest, UP, Math.max(0, index)) + OLDER.head;
  const words = index < 0 ? says[UP][guest] : before.subarray(older);
  const claim = UP_CLAIMS + body * CLAIM.size;
  const isReturn = words[claim + CLAIM.said] === 1 && words[claim + CLAIM.authority] === 0;
  return isReturn ? words[claim + CLAIM.pose] : 0;
}

function whoseMove(move: Move): number {
  switch (move.kind) {
    case 'arrive':
    case 'drop':
      return move.guest;
    case 'second':
    case 'lose':
      return -1;
    default:
      return move.peer;
  }
}
