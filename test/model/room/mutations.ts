import type { Alphabet } from './actions.ts';
import type { Voter } from '../../../src/core/room/election.ts';
import { StandbyLines } from '../../../src/core/room/guest/standby.ts';
import type { Decision, Situation } from '../../../src/core/room/guest/succession.ts';
import { Succession } from '../../../src/core/room/guest/succession.ts';
import { AuthenticatedLines } from '../../../src/core/room/identity/authenticated-lines.ts';
import { HostLines } from '../../../src/core/room/host/host-lines.ts';
import { newer } from '../../../src/core/base/sequence.ts';
import type { Sequence } from '../../../src/core/base/ids.ts';

/** A rule of succession that is missing or was another. The check must find each. */
export type Mutation = {
  readonly what: string;
  /** Puts it into the members' code. @returns what takes it out again. */
  readonly install: () => () => void;
  readonly liar: number;
  readonly alphabet: Alphabet;
  /** The number of actions with which it is found. */
  readonly actions: number;
  readonly finds: RegExp;
};

/** A guest's decision, changed by what it heard of others. */
type Change = (decision: Decision, at: Situation, voters: readonly Voter[]) => Decision;

/** Members whose guests decide otherwise. */
function deciding(change: Change): () => () => void {
  return () => {
    const { voters } = StandbyLines.prototype;
    const { decide } = Succession.prototype;
    let heard: Voter[] = [];
    StandbyLines.prototype.voters = function (this: StandbyLines): Voter[] {
      heard = voters.call(this);
      return heard;
    };
    Succession.prototype.decide = function (this: Succession, step: number, at: Situation): Decision {
      const decision = decide.call(this, step, at);
      return change(decision, at, heard);
    };
    return () => {
      StandbyLines.prototype.voters = voters;
      Succession.prototype.decide = decide;
    };
  };
}

/** Members that take every signature for valid, besides another change. */
function believing(install: () => () => void): () => () => void {
  return () => {
    const { verified } = AuthenticatedLines.prototype;
    AuthenticatedLines.prototype.verified = function (this: AuthenticatedLines, request: number): void {
      verified.call(this, request, true);
    };
    const uninstall = install();
    return () => {
      uninstall();
      AuthenticatedLines.prototype.verified = verified;
    };
  };
}

/** Hosts that step down as if nobody were with them. */
function forOneWord(): () => void {
  const { stepsDownFor } = HostLines.prototype;
  HostLines.prototype.stepsDownFor = function (this: HostLines, tenure, seats, rival) {
    const none = Object.create(seats, {
      hasPlayers: { value: false },
      awaited: { value: () => [] },
      homeOf: { value: seats.homeOf.bind(seats) },
      all: { value: seats.all.bind(seats) },
      onLine: { value: seats.onLine.bind(seats) },
      ofKey: { value: seats.ofKey.bind(seats) },
    }) as typeof seats;
    return stepsDownFor.call(this, tenure, none, rival);
  };
  return () => void (HostLines.prototype.stepsDownFor = stepsDownFor);
}

function isNewer(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

/** The host of a newer term that another player names, and says that it hears. */
const named: Change = (decision, { term, self }, voters) => {
  const witness = voters.find(
    ({ slot, standing }) =>
      standing.host !== slot && standing.host !== self && standing.hears && isNewer(standing.term, term),
  );
  return witness === undefined ? decision : { kind: 'follow', host: witness.standing.host };
};

/** The guests that have turned to such a player, by their evidence. */
const turned = new WeakSet<Situation['ballots']>();

/** The player that says that it is host itself, under a newer term: also for a guest that hears its own host again. */
const claiming: Change = (decision, { term, missesHost, ballots }, voters) => {
  const claimant = voters.find(
    ({ slot, standing }) => standing.host === slot && isNewer(standing.term, term),
  );
  if (claimant === undefined || (!missesHost && !turned.has(ballots))) return decision;
  turned.add(ballots);
  return { kind: 'follow', host: claimant.slot };
};

/** A candidate does not wait for others. */
const alone: Change = (decision, { missesHost, self }) =>
  missesHost && decision.kind === 'stay' && decision.vote === self
    ? { kind: 'become host', by: 'votes', home: null }
    : decision;

/** [P2] Proofs that are not bound to their line: a page in the middle can pass them on. */
function unbound(): () => void {
  const { opened } = AuthenticatedLines.prototype;
  AuthenticatedLines.prototype.opened = function (this: AuthenticatedLines, line, end): void {
    opened.call(this, line, { ...end, binding: '' });
  };
  return () => void (AuthenticatedLines.prototype.opened = opened);
}

export const MUTATIONS: readonly Mutation[] = [
  {
    what: 'hello without the fingerprints of the line',
    install: unbound,
    liar: 1,
    alphabet: 'many',
    actions: 1,
    finds: /G\d has ended: opened elsewhere/,
  },
  {
    what: 'a guest that hears its host follows a newer host that one other player names, whoever has signed it',
    install: believing(
      deciding((decision, at, voters) => (at.missesHost ? decision : named(decision, at, voters))),
    ),
    liar: 1,
    alphabet: 'few',
    actions: 1,
    finds: /leaves H, whom it hears/,
  },
  {
    what: 'a guest becomes host without a majority',
    install: deciding(alone),
    liar: -1,
    alphabet: 'few',
    actions: 1,
    finds: /becomes host, and no majority has voted for it/,
  },
  {
    what: 'a host with guests steps down for one word',
    install: forOneWord,
    liar: 1,
    alphabet: 'few',
    actions: 1,
    finds: /H steps down, though it hears players/,
  },
  {
    what: 'a guest that has missed its host follows whoever says that it is host, and does not turn back',
    install: believing(deciding(claiming)),
    liar: 1,
    alphabet: 'few',
    actions: 2,
    finds: /has a whole line to H, its host, and does not play/,
  },
];
