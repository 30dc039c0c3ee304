import type { BodyId, Hold, Sequence, Slot } from '../../../src/core/base/ids.ts';
import { HAND_SIDES, KEPT, NO_BODY, NOT_HELD } from '../../../src/core/base/ids.ts';
import { STATE } from '../../../src/core/base/state.ts';
import { applyDue } from '../../../src/core/peer/simulator.ts';
import type { BodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../src/core/wire/bodies/update.ts';
import type { Actor } from './actor.ts';
import { NEWEST } from './actor.ts';
import type { Layout } from '../state/layout.ts';
import { cellOf, existenceIn } from '../state/existence.ts';
import { CLAIM, HELD, RECORD_KIND, UP_CLAIMS, WORD } from '../state/layout.ts';

/** The packets of peers, as cells, and how peers receive them: through their policies. */

const HOST = 0 as Slot;

/** Writes a guest's packet: its hands, and its claims. */
export function sayUp({ peer }: Actor, layout: Layout, out: Uint8Array): void {
  const { records } = peer.bodies;
  out.fill(0);
  for (const side of HAND_SIDES) {
    const at = side * HELD.size;
    const { held, reach } = peer.authors[peer.self].avatar.hands[side];
    out[at + HELD.body] = held + 1;
    out[at + HELD.reach] = reach + 1;
    if (held === NO_BODY) continue;
    out[at + HELD.ownership] = records.ownershipSequence[held];
    out[at + HELD.sequence] = records.authoritySequence[held];
  }
  for (let body = 0; body < layout.bodies; body++) {
    if (!peer.policy.describe(peer, body as BodyId, HOST, said)) continue;
    const at = UP_CLAIMS + body * CLAIM.size;
    out[at + CLAIM.said] = 1;
    out[at + CLAIM.authority] = said.claim.authority + 1;
    out[at + CLAIM.ownership] = said.claim.ownershipSequence;
    out[at + CLAIM.sequence] = said.claim.authoritySequence;
    out[at + CLAIM.kept] = said.claim.hold === KEPT ? 1 : 0;
    out[at + CLAIM.existence] = cellOf(said.claim.existence);
    out[at + CLAIM.kind] = KINDS.indexOf(said.kind);
    out[at + CLAIM.pose] = said.kind === 'rest' ? said.state[STATE.position] : 0;
  }
}

/** Writes the host's packet to a guest. */
export function sayDown({ peer }: Actor, layout: Layout, guest: number, out: Uint8Array): void {
  out.fill(0);
  for (let body = 0; body < layout.bodies; body++) {
    if (!peer.policy.describe(peer, body as BodyId, guest as Slot, said)) continue;
    const at = body * WORD.size;
    const isOwn = said.claim.authority < 1;
    out[at + WORD.authority] = said.claim.authority + 1;
    out[at + WORD.hold] = said.claim.hold;
    out[at + WORD.ownership] = said.claim.ownershipSequence;
    out[at + WORD.sequence] = said.claim.authoritySequence;
    out[at + WORD.existence] = cellOf(said.claim.existence);
    out[at + WORD.kind] = 1 + (layout.poses ? KINDS.indexOf(said.kind) : RECORD_KIND);
    if (!layout.poses) continue;
    out[at + WORD.pose] = said.kind === 'rest' ? said.state[STATE.position] : 0;
    out[at + WORD.tick] = said.kind === 'record' || isOwn ? 0 : said.tick;
  }
}

/** The host receives a guest's packet of this tick; only the bodies in `which` count. */
export function hearUp(
  actor: Actor,
  layout: Layout,
  guest: number,
  words: Uint8Array,
  tick: number,
  which: number,
): void {
  const { packet, peer } = actor;
  const entry = packet.authors[0];
  packet.authorCount = 1;
  entry.slot = guest as Slot;
  entry.tick = tick;
  entry.hasAvatar = true;
  entry.avatar.age = 0;
  for (const side of HAND_SIDES) {
    const at = side * HELD.size;
    const hand = entry.avatar.hands[side];
    hand.tracked = true;
    hand.held = (words[at + HELD.body] - 1) as BodyId;
    hand.reach = (words[at + HELD.reach] - 1) as BodyId;
    hand.ownershipSequence = words[at + HELD.ownership] as Sequence;
    hand.authoritySequence = words[at + HELD.sequence] as Sequence;
    hand.pose.set(peer.authors[guest].avatar.hands[side].pose);
  }
  packet.updateCount = 0;
  for (let body = 0; body < layout.bodies; body++) {
    const at = UP_CLAIMS + body * CLAIM.size;
    if (words[at + CLAIM.said] === 0 || ((which >> body) & 1) === 0) continue;
    const update = packet.updates[packet.updateCount++];
    update.claim.authority = (words[at + CLAIM.authority] - 1) as Slot;
    update.claim.hold = words[at + CLAIM.kept] === 1 ? KEPT : NOT_HELD;
    update.claim.ownershipSequence = words[at + CLAIM.ownership] as Sequence;
    update.claim.authoritySequence = words[at + CLAIM.sequence] as Sequence;
    update.claim.existence = existenceIn(words[at + CLAIM.existence]);
    fill(update, body, words[at + CLAIM.kind], words[at + CLAIM.pose], tick);
  }
  peer.policy.receive(peer, packet, guest as Slot, tick);
}

/** A guest receives the host's packet; only the bodies in `which` count. */
export function hearDown(
  actor: Actor,
  layout: Layout,
  words: Uint8Array,
  number: number,
  tick: number,
  which: number,
): void {
  const { packet, peer } = actor;
  packet.authorCount = 0;
  for (let slot = 0; slot < layout.peers; slot++) {
    if (slot === peer.self) continue;
    const entry = packet.authors[packet.authorCount++];
    entry.slot = slot as Slot;
    entry.tick = NEWEST;
    entry.hasAvatar = false;
  }
  packet.updateCount = 0;
  for (let body = 0; body < layout.bodies; body++) {
    const at = body * WORD.size;
    if (words[at + WORD.kind] === 0 || ((which >> body) & 1) === 0) continue;
    const update = packet.updates[packet.updateCount++];
    update.claim.authority = (words[at + WORD.authority] - 1) as Slot;
    update.claim.hold = words[at + WORD.hold] as Hold;
    update.claim.ownershipSequence = words[at + WORD.ownership] as Sequence;
    update.claim.authoritySequence = words[at + WORD.sequence] as Sequence;
    update.claim.existence = existenceIn(words[at + WORD.existence]);
    const own = words[at + WORD.tick] === 0;
    fill(update, body, words[at + WORD.kind] - 1, words[at + WORD.pose], own ? tick : words[at + WORD.tick]);
  }
  peer.policy.receive(peer, packet, HOST, number);
}

function fill(update: BodyUpdate, body: number, kind: number, restPose: number, tick: number): void {
  update.body = body as BodyId;
  update.kind = KINDS[kind];
  update.state[STATE.position] = restPose;
  update.tick = tick;
}

/** A pose is due: it shows, or it does not. */
export function show(
  actor: Actor,
  author: number,
  body: number,
  kind: number,
  at: number,
  tick: number,
): void {
  fill(due, body, kind, at, tick);
  applyDue(actor.peer, author as Slot, due);
}

export const KINDS = ['record', 'motion', 'rest'] as const satisfies readonly BodyUpdate['kind'][];
const said = bodyUpdate();
const due = bodyUpdate();
