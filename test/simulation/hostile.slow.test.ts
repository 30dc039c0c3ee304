import { beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { NOT_HELD } from '../../src/core/base/ids.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { encodeName } from '../../src/core/base/text.ts';
import { Offences } from '../../src/core/room/offences.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { Referee } from '../../src/harness/referee/referee.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { avatarAt } from '../support/hostile-avatar.ts';
import type { Behaviour } from '../support/hostile-guest.ts';
import { HostileGuest } from '../support/hostile-guest.ts';

/** Whole rooms in which one guest breaks the rules and two others play: one behaviour at a time. */

beforeAll(loadPhysics);

const HOST = 0 as Slot;
const OTHER = 1 as Slot;
const HOSTILE = 2 as Slot;
/** Seconds: of honest play first, of the behaviour, and of quiet at the end. */
const HONEST = 3.5;
const HOSTILE_SECONDS = 4;
const QUIET = 8;

/**
 * Metres: the 95th percentile of the error that other players see. Without a hostile guest it is half as much.
 */
const MOST_ERROR = 0.03;

type Outcome = {
  readonly rejections: Readonly<Record<string, number>>;
  /** Seconds of the behaviour until the guest was removed; null if it was not. */
  readonly sentOutAfter: number | null;
  readonly violations: readonly unknown[];
  readonly converged: boolean;
  readonly p95: number;
  /** The figures of the two others during the behaviour. */
  readonly grabs: number;
  readonly guest: HostileGuest;
  readonly offencesOfOther: number;
};

class Scene {
  readonly room = new RoomHarness(
    {
      players: 3,
      scene: { id: 'grid', seed: 3, count: 16 },
      bots: 'chaos',
      seed: 5,
      conditions: { latencyMs: 30, jitterMs: 20, loss: 0.01 },
      quietFrom: (HONEST + HOSTILE_SECONDS) * TICK_RATE,
    },
    createRapierSimulation,
  );
  readonly guest = new HostileGuest(this.room, HOSTILE);
  readonly #room = this.room;
  /** Only peers that keep to the rules are judged by the truth. */
  readonly #referee: Referee;
  readonly #offences = new Offences();
  sentOutAt: number | null = null;

  constructor() {
    const { room } = this;
    const judged = {
      peers: room.peers.slice(0, HOSTILE),
      level: room.level,
      get steps() {
        return room.steps;
      },
    };
    this.#referee = new Referee(judged, 100, true);
  }

  pass(seconds: number): void {
    for (let step = 0; step < seconds * TICK_RATE; step++) {
      this.#room.step((peer) => {
        if (peer.state.self !== HOSTILE) this.#referee.afterReceive(peer);
      });
      this.#referee.observe();
      const guilty = this.#offences.judge(this.#room.now, (slot) => this.#room.peers[HOST].offences(slot));
      if (guilty.length > 0) this.#sendOut(guilty);
    }
  }

  #sendOut(guilty: readonly Slot[]): void {
    expect(guilty).toEqual([HOSTILE]);
    this.sentOutAt ??= this.#room.steps / TICK_RATE;
    this.leave();
  }

  leave(): void {
    this.#room.loopback.disconnect(HOST, HOSTILE);
    this.#room.peers[HOST].disconnect(HOSTILE);
  }

  get grabs(): number {
    return [HOST, OTHER].reduce((sum, slot) => sum + this.#room.peers[slot].state.log.counts.grab, 0);
  }

  end(): Pick<Outcome, 'violations' | 'converged' | 'p95'> {
    const { converged } = this.#referee.finish();
    const errors = this.#referee.shownErrors.sort((a, b) => a - b);
    const p95 = errors[Math.floor(errors.length * 0.95)];
    const { violations } = this.#referee;
    this.#room.dispose();
    return { violations, converged, p95 };
  }
}

function play(behaviour: Behaviour): Outcome {
  const scene = new Scene();
  const [host] = scene.room.peers;
  scene.pass(HONEST);
  const [before, begun] = [{ ...host.state.rejections }, scene.grabs];
  scene.guest.behave(behaviour);
  scene.pass(HOSTILE_SECONDS);
  const grabs = scene.grabs - begun;
  const { sentOutAt } = scene;
  const offencesOfOther = host.offences(OTHER);
  const rejections = Object.fromEntries(
    Object.entries(host.state.rejections).map(([reason, count]) => [reason, count - (before[reason] ?? 0)]),
  );
  if (sentOutAt === null) scene.leave();
  scene.pass(QUIET);
  const sentOutAfter = sentOutAt === null ? null : sentOutAt - HONEST;
  return { rejections, sentOutAfter, grabs, guest: scene.guest, offencesOfOther, ...scene.end() };
}

const others = [1, 5, 6, 7];
const flight = (guest: HostileGuest, up: number): readonly number[] => guest.stateAt(3, 4, 3, up);

/** The behaviour, the reason under which the host counts it, and its code. */
const RULE_BREAKERS: readonly (readonly [what: string, reason: string, behaviour: Behaviour])[] = [
  [
    'sends bytes at random',
    'trailing bits',
    (guest, honest) => [honest.map((byte, i) => (i < 6 ? byte : guest.random.below(256)))],
  ],
  [
    'sends packets that are cut short, to be read with the end of the last',
    'truncated or out of range',
    (_, honest) => [honest.slice(0, honest.length * 0.6)],
  ],
  ['sends a megabyte', 'too long', () => [new Uint8Array(1 << 20)]],
  ['sends more behind a packet', 'trailing bits', (_, honest) => [Uint8Array.from([...honest, 1, 2, 3])]],
  [
    'names baselines that do not exist',
    'unknown baseline',
    (guest) => {
      guest.skip(64);
      return [
        guest.says(
          [],
          [{ slot: HOSTILE, tick: guest.tick & 0xffff, avatar: avatarAt([0, 1, 0]), baselineAge: 40 }],
        ),
      ];
    },
  ],
  ['floods', 'flood', (guest) => Array.from({ length: 40 }, () => guest.says([]))],
  [
    'sends its old packets again, forty at a time',
    'flood',
    (guest) => Array.from({ length: 40 }, () => guest.sent[guest.random.below(guest.sent.length)]),
  ],
  [
    'speaks as another player',
    'speaks for another',
    (guest) => [guest.says([], [{ slot: OTHER, tick: guest.tick & 0xffff, avatar: avatarAt([0, 1, 0]) }])],
  ],
  [
    'sends two avatars',
    'speaks for another',
    (guest) => [
      guest.says(
        [],
        [OTHER, HOSTILE].map((slot) => ({ slot, tick: 9, avatar: avatarAt([0, 1, 0]) })),
      ),
    ],
  ],
  [
    'claims cubes for others, and for slots that nobody has',
    'H1',
    (guest) => [guest.says(others.map((slot, body) => guest.claims(body, slot, 1)))],
  ],
  [
    'takes what others hold',
    'H2',
    (guest) => {
      const { hold } = guest.host.state.bodies.records;
      const held = guest.bodies.filter((body) => hold[body] !== NOT_HELD);
      return Array.from({ length: 2 }, () => guest.says(held.map((body) => guest.claims(body, HOSTILE, 1))));
    },
  ],
  [
    'lets its sequences race ahead',
    'H5',
    (guest) => [guest.says(guest.bodies.map((body) => guest.claims(body, HOSTILE, 200, 200)))],
  ],
  [
    'jumps by half of all numbers',
    'H5',
    (guest) => [guest.says(guest.bodies.map((body) => guest.claims(body, HOSTILE, 0x7fff)))],
  ],
  [
    'grabs everything, again and again',
    'H5',
    (guest) => [guest.says(guest.bodies.map((body) => guest.claims(body, HOSTILE, 1)))],
  ],
  [
    'has its cubes leap about',
    'H9',
    (guest) => [
      guest.says([
        guest.hasOne(guest.stateAt(guest.random.between(-50, 50), 3, guest.random.between(-50, 50))),
      ]),
    ],
  ],
  [
    'puts all cubes into one place [H9.5]',
    'H9',
    (guest) => [guest.says(guest.bodies.map((body) => guest.has(body, guest.stateAt(0.1, 3.1, 0.1))))],
  ],
  ['throws a cube at 63 m/s', 'H9', (guest) => [guest.says([guest.hasOne(flight(guest, 63))])]],
];

describe('[F1] a guest that breaks the rules is counted and removed, and the others play on', () => {
  test.each(RULE_BREAKERS)('[F1.3] [F1.4] %s', (_, reason, behaviour) => {
    const outcome = play(behaviour);
    expect(outcome.rejections[reason]).toBeGreaterThan(10);
    expect(outcome.sentOutAfter).toBeGreaterThan(0);
    expect(outcome.sentOutAfter).toBeLessThan(HOSTILE_SECONDS);
    expectOthersPlay(outcome);
  });
});

describe('[F1] a guest that does only things that the rules allow, or a network may do, stays', () => {
  test.each<readonly [string, Behaviour]>([
    ['sends each of its packets twice', (_, honest) => [honest, honest]],
    ['sends an old packet with each', (guest, honest) => [honest, guest.sent[0]]],
    ['says nothing', () => []],
    [
      'moves what it has as far as its hands could',
      (guest) => [guest.says([guest.hasOne(flight(guest, 15))])],
    ],
  ])('[F1.3] %s', (_, behaviour) => {
    const outcome = play(behaviour);
    expect(outcome.sentOutAfter).toBeNull();
    expectOthersPlay(outcome);
  });

  test('has a name with markup: it is text', () => {
    const name = '<img src=x onerror=alert(1)>';
    const outcome = play((guest) => {
      const avatar = { ...avatarAt([0, 1, 0]), name: [...encodeName(name)] };
      return [guest.says([], [{ slot: HOSTILE, tick: guest.tick & 0xffff, avatar }])];
    });
    expect(outcome.sentOutAfter).toBeNull();
    expectOthersPlay(outcome);
  });
});

function expectOthersPlay(outcome: Outcome): void {
  expect(outcome.violations).toEqual([]);
  expect(outcome.converged).toBe(true);
  expect(outcome.p95).toBeLessThan(MOST_ERROR);
  expect(outcome.grabs).toBeGreaterThan(2);
  expect(outcome.offencesOfOther).toBe(0);
}
