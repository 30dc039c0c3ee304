import { NO_SLOT, NOT_HELD } from '../../src/core/base/ids.ts';
import { CLAIM, HAND, OLDER, RECORD, UP, UP_CLAIMS } from './layout.ts';
import type { Move } from './moves.ts';
import { bodyMark, peerMark } from './words.ts';
import type { Work } from './work.ts';

/** What must hold in every state: [I2], [I6], and as far as the host can say, [I3]. */

const HOST = 0;

/** [I6] A hand has lost a body: not if the host agrees that it holds it. */
export function judgeLoss(work: Work, next: Uint8Array, self: number, body: number): void {
  const at = work.l.record(HOST, body);
  const agrees = next[at + RECORD.authority] === self + 1 && next[at + RECORD.hold] !== NOT_HELD;
  if (agrees || self === HOST)
    work.fault = `[I6] ${peerMark(self)} loses ${bodyMark(body)} out of its hand, though the host has it there`;
}

/** [I2], [I3] What must hold in every state. */
export function judge(work: Work, next: Uint8Array, move: Move): void {
  const { l, before } = work;
  for (let peer = 0; peer < l.peers; peer++) {
    const [left, right] = [next[l.hand(peer, 0) + HAND.held], next[l.hand(peer, 1) + HAND.held]];
    if (left > 0 && left === right)
      work.fault = `[I2] ${bodyMark(left - 1)} is in both hands of ${peerMark(peer)}`;
  }
  for (let body = 0; body < l.bodies; body++) {
    const at = l.record(HOST, body);
    const holder = before[at + RECORD.hold] === NOT_HELD ? NO_SLOT : before[at + RECORD.authority] - 1;
    const keeps = next[at + RECORD.hold] !== NOT_HELD && next[at + RECORD.authority] - 1 === holder;
    if (holder >= 0 && !keeps && whoseMove(move) !== holder)
      work.fault = `[I2] ${bodyMark(body)} leaves the hand of ${peerMark(holder)}, who did not let go`;
    if (l.poses) judgeRest(work, next, body, move);
  }
}

/** [I3] Once the host has a body at rest under nobody, it lies where the last authority saw it rest. */
function judgeRest(work: Work, next: Uint8Array, body: number, move: Move): void {
  const { l, before } = work;
  const at = l.record(HOST, body);
  const lawful = l.lawful(body);
  const isSame = [RECORD.authority, RECORD.ownership, RECORD.sequence].every(
    (i) => next[at + i] === before[at + i],
  );
  const isFree = next[at + RECORD.authority] === 0;
  if (!isSame || !isFree) next[lawful] = 0;
  if (!isFree) return;
  if (!isSame) next[lawful] = returnedAt(work, move, body);
  if (next[lawful] === 0) next[lawful] = next[at + RECORD.pose];
  else if (next[lawful] !== next[at + RECORD.pose])
    work.fault = `[I3] ${bodyMark(body)} rested under nobody, and the host has it elsewhere now`;
}

/** The pose with which a guest has just given a body back; 0: nobody has. */
function returnedAt({ l, says, before }: Work, move: Move, body: number): number {
  if (move.kind !== 'arrive' || move.way !== UP) return 0;
  const { guest, index } = move;
  const older = l.packet(guest, UP, Math.max(0, index)) + OLDER.head;
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
