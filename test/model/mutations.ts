import type { BodyId, Hold, Sequence, Slot } from '../../src/core/base/ids.ts';
import { HAND_SIDES, holdOf, NO_BODY, NO_SLOT, NOT_HELD } from '../../src/core/base/ids.ts';
import {
  MAX_SEQUENCE_LEAD,
  OVERRIDE_INTERVAL_SECONDS,
  TICK_RATE,
  ticksIn,
} from '../../src/core/base/constants.ts';
import { guestPolicy } from '../../src/core/peer/policy/guest-policy.ts';
import { freeAllOf, hostPolicy } from '../../src/core/peer/policy/host-policy.ts';
import type { PeerState } from '../../src/core/peer/peer-state.ts';
import type { PacketReader } from '../../src/core/wire/packet.ts';
import { newer } from '../../src/core/base/sequence.ts';
import { decideAsHost } from '../../src/core/world/decide.ts';
import { templateOf } from '../../src/core/world/existence.ts';
import { Islands } from '../../src/core/world/joints/islands.ts';
import type { Claim } from '../../src/core/world/record.ts';
import { claim, copyClaim, readClaim, writeClaim } from '../../src/core/world/record.ts';
import { giveBack, take } from '../../src/core/world/authority.ts';
import type { Rules } from './moves/actor.ts';
import { REAL } from './moves/actor.ts';

const OVERRIDE_INTERVAL_TICKS = ticksIn(OVERRIDE_INTERVAL_SECONDS, TICK_RATE);

/** The rules with one of them removed. The check must find each. */
export type Mutation = {
  readonly without: string;
  readonly rules: Rules;
  readonly finds: RegExp;
  /** Packets that arrive late, if the fault needs one; see Size. */
  readonly older?: number;
};

/** Calls back for each claim in a guest's packet, just before the host decides it. */
function claimsIn(packet: PacketReader, from: Slot, hear: (body: BodyId, incoming: Claim) => void): void {
  for (const side of HAND_SIDES) {
    const { held, ownershipSequence, authoritySequence } = packet.authors[0].avatar.hands[side];
    if (held === NO_BODY) continue;
    hear(held, { ...claim(), authority: from, hold: holdOf(side), ownershipSequence, authoritySequence });
  }
  for (const update of packet.updates.slice(0, packet.updateCount)) {
    hear(update.body, copyClaim(update.claim, claim()));
  }
}

/**
 * A host that does something to a body's record before it decides a claim that gets this verdict by this rule.
 */
function hostThat(
  verdict: string,
  rule: string,
  before: (peer: PeerState, body: BodyId, incoming: Claim, from: Slot) => void,
): Rules {
  return {
    ...REAL,
    host: {
      ...hostPolicy,
      receive(peer, packet, from, sequence) {
        const { records } = peer.bodies;
        claimsIn(packet, from, (body, incoming) => {
          const local = {
            ...readClaim(records, body, claim()),
            acceptedOwnership: records.acceptedOwnership[body] as Sequence,
          };
          const decision = decideAsHost(local, incoming, from, MAX_SEQUENCE_LEAD);
          if (decision.verdict === verdict && decision.rule === rule) before(peer, body, incoming, from);
        });
        hostPolicy.receive(peer, packet, from, sequence);
      },
    },
  };
}

/** The last claim wins, though an equal one came before. */
const noA4 = hostThat('reject', 'A4', ({ bodies }, body, incoming, from) => {
  if (incoming.authority === from) writeClaim(incoming, bodies.records, body);
});

/** A newer claim takes a body out of a hand. */
const noH2 = hostThat('override', 'H3', ({ bodies }, body) => {
  bodies.records.hold[body] = NOT_HELD;
});

/** A claim on a held body is rejected, and nothing follows. */
const noH3 = hostThat('override', 'H3', (peer, _body, _incoming, from) => {
  peer.lastOverride[from] = peer.tick - OVERRIDE_INTERVAL_TICKS + 1;
});

/** The host doesn't pass equal claims on bodies under none, which heals what else a missing step would break for good. */
function withoutA42(rules: Rules): Rules {
  return {
    ...rules,
    host: {
      ...rules.host,
      receive(peer, packet, from, sequence) {
        claimsIn(packet, from, (body, incoming) => {
          const local = readClaim(peer.bodies.records, body, claim());
          const isEqual =
            local.ownershipSequence === incoming.ownershipSequence &&
            local.authoritySequence === incoming.authoritySequence;
          if (isEqual && local.authority === NO_SLOT)
            peer.lastOverride[from] = peer.tick - OVERRIDE_INTERVAL_TICKS + 1;
        });
        rules.host.receive(peer, packet, from, sequence);
      },
    },
  };
}

const noConfirmation: Rules = {
  ...REAL,
  mayReturn(records, body) {
    const confirmed = records.confirmed[body];
    records.confirmed[body] = 1;
    const may = REAL.mayReturn(records, body);
    records.confirmed[body] = confirmed;
    return may;
  },
};

const noPendingCommit: Rules = {
  ...REAL,
  giveBack(records, body, isHost) {
    giveBack(records, body, isHost);
    records.pendingCommit[body] = 0;
  },
};

/** The player that has or holds a body is not told the host's record of it. */
const noH4: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    describe: (peer, body, to, out) =>
      hostPolicy.describe(peer, body, to, out) && peer.bodies.records.authority[body] !== to,
  },
};

/** A player's bodies come under none when it leaves, but its sequences stay. */
const noH6Step: Rules = {
  ...REAL,
  freeAllOf(peer, slot) {
    const { records } = peer.bodies;
    const [ownership, sequence] = [records.ownershipSequence.slice(), records.authoritySequence.slice()];
    const had = records.authority.map((authority) => (authority === slot ? 1 : 0));
    freeAllOf(peer, slot);
    for (let body = 0; body < records.count; body++) {
      if (had[body] === 0) continue;
      records.ownershipSequence[body] = ownership[body];
      records.authoritySequence[body] = sequence[body];
    }
  },
};

/** The host gathers in the same way as it takes a body under none: with one step. */
const noA11Step: Rules = {
  ...REAL,
  gatherBody({ bodies, self }, body) {
    bodies.records.authority[body] = NO_SLOT;
    take(bodies.records, body, self, true);
    bodies.startSimulating(body);
  },
};

/** A player that comes back keeps its records, and does not adopt the host's rulings whole. */
const noAdopting: Rules = {
  ...REAL,
  loseAll(peer) {
    REAL.loseAll(peer);
    peer.bodies.records.stale.fill(0);
  },
};

/** A guest that the ruling does not name keeps its body. */
const noA3: Rules = {
  ...REAL,
  guest: {
    ...guestPolicy,
    receive(peer, packet, from, sequence) {
      const { records } = peer.bodies;
      const kept = packet.updates.slice(0, packet.updateCount);
      for (const { body, claim: word } of kept) {
        const isEqual =
          records.ownershipSequence[body] === word.ownershipSequence &&
          records.authoritySequence[body] === word.authoritySequence;
        // A ruling that names none is rejected by the remaining rule.
        if (isEqual && records.authority[body] === peer.self && word.authority !== peer.self)
          word.authority = NO_SLOT;
      }
      guestPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A guest believes an older ruling of the host. */
const noA1: Rules = {
  ...REAL,
  guest: {
    ...guestPolicy,
    receive(peer, packet, from, sequence) {
      const { ownershipSequence } = peer.bodies.records;
      for (const { body, claim: word } of packet.updates.slice(0, packet.updateCount))
        if (newer(ownershipSequence[body] as Sequence, word.ownershipSequence))
          ownershipSequence[body] = word.ownershipSequence - 1;
      guestPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A returned body lies where it lies on the host. */
const noRestPose: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    receive(peer, packet, from, sequence) {
      peer.bodies.received.applyReturned = () => undefined;
      hostPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A blow takes as a touch does, with one step. */
const oneStep: Rules = {
  ...REAL,
  strikeBody(peer, body) {
    REAL.strikeBody(peer, body);
    peer.bodies.records.authoritySequence[body]--;
  },
};

/** A guest passes over that the host has another word on whether a body is kept. */
const noWordAnew: Rules = {
  ...REAL,
  guest: {
    ...guestPolicy,
    receive(peer, packet, from, sequence) {
      const { hold } = peer.bodies.records;
      for (const { body, claim: word } of packet.updates.slice(0, packet.updateCount))
        if (word.authority === peer.self) word.hold = hold[body] as Hold;
      guestPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** The host takes over a claim on whatever body or generation it is. */
const noS4: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    receive(peer, packet, from, sequence) {
      const { bodies } = peer;
      for (const { body, claim: word } of packet.updates.slice(0, packet.updateCount)) {
        bodies.records.existence[body] = word.existence;
        bodies.templates[body] = templateOf(bodies.level, body, word.existence);
      }
      hostPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A despawn leaves the ownership sequence as it is. */
const noS3Step: Rules = {
  ...REAL,
  despawn(peer, body) {
    const { [body]: ownership } = peer.bodies.records.ownershipSequence;
    REAL.despawn(peer, body);
    peer.bodies.records.ownershipSequence[body] = ownership;
  },
};

/** A despawn leaves the generation as it is. */
const noS3Generation: Rules = {
  ...REAL,
  despawn(peer, body) {
    REAL.despawn(peer, body);
    peer.bodies.records.existence[body] -= 256;
  },
};

/** The host rejects a claim on another generation, and nothing follows. */
const noS4Step: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    receive(peer, packet, from, sequence) {
      peer.lastOverride[from] = peer.tick;
      hostPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A claim that has arrived is not sent again, confirmed or not. */
const noInsisting: Rules = { ...REAL, guest: { ...guestPolicy, insists: () => false } };

/** The same for faults that show only where a model has poses, and senders that keep silent. */
export const MUTATIONS_WITH_POSES: readonly Mutation[] = [
  { without: '[I3], that a body stays where it was given back', rules: noRestPose, finds: /^\[I3\]/ },
  { without: '[A7.7], that a claim is repeated until it is confirmed', rules: noInsisting, finds: /^\[I1\]/ },
];

/** The host decides each body of an island by itself. */
const halfAnIsland: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    receive(peer, packet, from, sequence) {
      const { records } = peer.bodies;
      const { islands } = records;
      Object.assign(records, { islands: new Islands(records.count, []) });
      hostPolicy.receive(peer, packet, from, sequence);
      Object.assign(records, { islands });
    },
  },
};

/** A newer claim on a part takes the island out of the hand that holds another part. */
const heldByParts: Rules = {
  ...REAL,
  host: {
    ...hostPolicy,
    receive(peer, packet, from, sequence) {
      const { hold, ownershipSequence, islands } = peer.bodies.records;
      claimsIn(packet, from, (body, incoming) => {
        const isNewer = newer(incoming.ownershipSequence, ownershipSequence[body] as Sequence);
        if (isNewer && hold[body] === NOT_HELD) for (const part of islands.parts[body]) hold[part] = NOT_HELD;
      });
      hostPolicy.receive(peer, packet, from, sequence);
    },
  },
};

/** A guest's record of a part is not shared with the island: it claims half of one. */
const claimsHalf: Rules = {
  ...REAL,
  strikeBody(peer, body) {
    const { records } = peer.bodies;
    const { islands } = records;
    Object.assign(records, { islands: new Islands(records.count, []) });
    REAL.strikeBody(peer, body);
    Object.assign(records, { islands });
  },
};

/** Only touch brings bodies together: a joint between two that do not touch makes no island of them. */
const noEdgeWithoutTouch: Rules = {
  ...REAL,
  prepare: ({ bodies: { records } }) =>
    void Object.assign(records, { islands: new Islands(records.count, []) }),
};

/** The same for faults of islands. */
export const MUTATIONS_WITH_JOINTS: readonly Mutation[] = [
  { without: '[J2.1], on the host: half an island is accepted', rules: halfAnIsland, finds: /^\[I9\]/ },
  { without: '[J2.1], in a blow: half an island is taken', rules: claimsHalf, finds: /^\[I[19]\]/ },
  { without: '[J1.1] [J1.3], an edge without touch', rules: noEdgeWithoutTouch, finds: /^\[I9\]/ },
  { without: '[J2.2], that an island is held whole', rules: heldByParts, finds: /^\[I2\]/ },
];

/** The same for faults of spawning. */
export const MUTATIONS_WITH_SPAWNS: readonly Mutation[] = [
  { without: '[S3.2], the step of the ownership sequence', rules: noS3Step, finds: /^\[I[17]\]/ },
  { without: '[S3.2], the step of the generation', rules: noS3Generation, finds: /^\[I[178]\]/ },
  { without: '[S4.1], the step past a newer claim', rules: noS4Step, finds: /^\[I[17]\]/ },
  { without: '[S4.1]', rules: noS4, finds: /^\[I[1278]\]/ },
];

export const MUTATIONS: readonly Mutation[] = [
  { without: '[A1.2], that a guest rejects an older ruling', rules: noA1, finds: /^\[I6\]/, older: 1 },
  { without: '[A3.3], that a guest lets go where the host names another', rules: noA3, finds: /^\[I1\]/ },
  { without: '[A4.1]', rules: noA4, finds: /^\[I2\]/ },
  { without: '[A7.2], that only a confirmed body is given back', rules: noConfirmation, finds: /^\[I1\]/ },
  { without: '[A7.4], the pending commit', rules: noPendingCommit, finds: /^\[I4\]/ },
  {
    without: '[A11.3], the step of the ownership sequence, and [A4.2]',
    rules: withoutA42(noA11Step),
    finds: /^\[I1\]/,
  },
  { without: '[H2.1]', rules: noH2, finds: /^\[I2\]/ },
  { without: '[H3.1]', rules: noH3, finds: /^\[I1\]/ },
  { without: '[H4.1]', rules: noH4, finds: /^\[I4\]/ },
  { without: '[H6.1], the step of the sequences, and [A4.2]', rules: withoutA42(noH6Step), finds: /^\[I1\]/ },
  { without: '[A12.6], that a guest says its word on keeping again', rules: noWordAnew, finds: /^\[I[14]\]/ },
  {
    without: '[A14.3], the second step of the authority sequence, and [A4.2]',
    rules: withoutA42(oneStep),
    finds: /^\[I[14]\]/,
  },
  {
    without: '[H8.2], that a player that comes back adopts the rulings whole',
    rules: noAdopting,
    finds: /^\[I1\]/,
  },
];
