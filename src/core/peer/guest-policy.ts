import type { BodyId, Sequence, Slot } from '../base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../base/ids.ts';
import { newer } from '../base/sequence.ts';
import { STRIDE } from '../base/state.ts';
import type { PacketReader } from '../wire/packet.ts';
import type { BodyUpdate } from '../wire/update.ts';
import { authorOf } from '../wire/update.ts';
import { claimPast } from '../world/authority.ts';
import type { Decision } from '../world/decide.ts';
import { decideAsGuest } from '../world/decide.ts';
import type { Claim } from '../world/record.ts';
import { claim, readClaim, writeClaim } from '../world/record.ts';
import { hearAvatar } from './hear.ts';
import type { PeerState, Policy } from './peer-state.ts';
import { note, refuse } from './peer-state.ts';
import { restartScene } from './restart.ts';

/** A guest: it claims, and takes the host's word. */
export const guestPolicy: Policy = {
  isHost: false,

  admit(peer, header) {
    if (peer.term >= 0 && header.term !== peer.term && !isNewer(header.term, peer.term)) return 'old term';
    const knownReset = peer.reset >= 0 && header.reset !== peer.reset;
    return knownReset && !isNewer(header.reset, peer.reset) ? 'old reset' : null;
  },

  adopt(peer, link, header) {
    if (peer.term >= 0 && header.term !== peer.term) adoptAll(peer);
    peer.term = header.term;
    if (peer.reset < 0) peer.reset = header.reset;
    else if (header.reset !== peer.reset) {
      restartScene(peer, header.reset);
      link.forget();
    }
  },

  check: () => null,

  hear(peer, packet, from, sequence) {
    for (let i = 0; i < packet.authorCount; i++) {
      if (packet.authors[i].slot !== peer.self) hearAvatar(peer, packet.authors[i]);
    }
    for (let i = 0; i < packet.updateCount; i++) hearWord(peer, packet, i, from, sequence);
  },

  describe(peer, body, _to, out) {
    const { records } = peer.bodies;
    const mine = records.authority[body] === peer.self;
    if (!(mine && records.hold[body] === NOT_HELD) && records.pendingCommit[body] === 0) return false;
    out.body = body;
    readClaim(records, body, out.claim);
    out.kind = records.resting[body] === 1 ? 'rest' : 'motion';
    out.tick = peer.tick;
    for (let i = 0; i < STRIDE; i++) out.state[i] = records.state[body * STRIDE + i];
    return true;
  },

  /** [A7] A claim is repeated until the host has confirmed it, a commit until the host has taken it. */
  insists(peer, body) {
    const { confirmed, pendingCommit } = peer.bodies.records;
    return confirmed[body] === 0 || pendingCommit[body] === 1;
  },
};

/** [H8] The host's next word on every body is to be adopted whole. */
export function adoptAll(peer: PeerState): void {
  peer.bodies.records.stale.fill(1);
  peer.lastWord.fill(-1);
}

function hearWord(peer: PeerState, packet: PacketReader, index: number, from: Slot, sequence: number): void {
  const update = packet.updates[index];
  const { body } = update;
  if (sequence < peer.lastWord[body]) {
    // Overtaken: its word counts no more, but its pose may still be in time.
    hearPose(peer, update, from);
    return;
  }
  peer.lastWord[body] = sequence;
  const { records } = peer.bodies;
  readClaim(records, body, local);
  const decision = decideAsGuest(local, update.claim, peer.self, records.stale[body] === 1);
  switch (decision.verdict) {
    case 'accept':
      accept(peer, body, update.claim, decision);
      break;
    case 'confirm':
      confirm(peer, body, update.claim, decision);
      break;
    default:
      refuse(peer, decision.rule);
      peer.links[from]?.outbox.dispute(body);
      return;
  }
  hearPose(peer, update, from);
}

/** A pose waits with its author's others; whether it shows, the record says when it is due. */
function hearPose(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot): void {
  const author = authorOf(update.claim, from);
  if (update.kind !== 'record' && author !== peer.self) peer.authors[author].stream.addUpdate(update);
}

function accept(peer: PeerState, body: BodyId, word: Readonly<Claim>, decision: Decision): void {
  const { records } = peer.bodies;
  const wasStale = records.stale[body] === 1;
  const had = local.authority === peer.self;
  const changes = word.authority !== local.authority;
  writeClaim(word, records, body);
  records.stale[body] = 0;
  records.pendingCommit[body] = 0;
  records.confirmed[body] = word.authority === peer.self ? 1 : 0;
  if (wasStale && had) {
    claimPast(records, body, peer.self, local.hold, local.ownershipSequence);
    return;
  }
  // [A3] What the host says is this guest's, against its own record, comes back to it unheld.
  if (word.authority === peer.self) records.hold[body] = NOT_HELD;
  if (!changes) return;
  if (word.authority === peer.self) peer.bodies.takenHere(body);
  if (had) note(peer, 'lose', decision.rule, body, peer.self);
  else note(peer, word.authority === NO_SLOT ? 'return' : 'accept', decision.rule, body, word.authority);
}

/** [A3], [H4] The host agrees: its sequences, this guest's own state, and what is in its hand stays there. */
function confirm(peer: PeerState, body: BodyId, word: Readonly<Claim>, decision: Decision): void {
  const { records } = peer.bodies;
  records.ownershipSequence[body] = word.ownershipSequence;
  records.authoritySequence[body] = word.authoritySequence;
  if (records.confirmed[body] === 0) note(peer, 'confirm', decision.rule, body, peer.self);
  records.confirmed[body] = 1;
}

function isNewer(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

const local: Claim = claim();
