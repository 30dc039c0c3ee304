import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { POSITION_STEPS, VELOCITY_STEPS } from '../../../src/core/wire/bodies/quantise.ts';
import { avatarAt } from '../../support/hostile-avatar.ts';
import type { PlainUpdate } from '../../support/packets.ts';
import type { Place, Stage, StageOptions } from '../../support/stage.ts';
import { CUBES, RIGHT, setStage } from '../../support/stage.ts';
import { StageAttacker } from '../../support/stage-attacker.ts';

const [first, second, third, fourth] = CUBES;
const CHAIN = [first, second, third, fourth];
const LIAR = 2;
/** Metres between the middles of two neighbours in the chain. */
const LINK = 0.6;

/**
 * Four cubes on the floor, tied together; a guest who plays, and one whose page says what it likes.
 * @param loose other cubes, in a row behind them.
 */
async function setChain(options: Partial<StageOptions> = {}, loose = 0): Promise<[Stage, StageAttacker]> {
  const cubes = CHAIN.map((_, i): Place => [i * LINK, 0.25, 0]);
  for (let i = 0; i < loose; i++) cubes.push([i, 0.25, -4]);
  const stage = await setStage({ guests: 2, cubes, chained: 4, ...options });
  return [stage, new StageAttacker(stage, LIAR)];
}

function stateAt([x, y, z]: Place): readonly number[] {
  const place = [x, y, z].map((metres) => Math.round(metres * POSITION_STEPS));
  return [...place, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

/** It has these parts there, and takes the island if it does not have it. */
function has(stage: Stage, liar: StageAttacker, places: ReadonlyMap<BodyId, Place>): PlainUpdate[] {
  return [...places].map(([body, place]) => {
    const lead = stage.host.says(body).authority === LIAR ? 0 : 1;
    return liar.claim(body, { lead, kind: 'motion', state: stateAt(place) });
  });
}

/** Metres between two neighbours of the chain, at the most, on the screen of any honest player. */
function longestLink(stage: Stage): number {
  const links = [0, 1].flatMap((slot) => {
    const places = CHAIN.map((part) => stage.guest(slot).says(part).position);
    return places.slice(1).map((place, i) => Math.hypot(...place.map((n, axis) => n - places[i][axis])));
  });
  return Math.max(...links);
}

function longestIn(stage: Stage, seconds: number): number {
  let longest = 0;
  for (let tick = 0; tick < seconds * TICK_RATE; tick++) {
    stage.tick();
    longest = Math.max(longest, longestLink(stage));
  }
  return longest;
}

/** The host refuses for this reason, and no honest player sees the chain torn, then or after the liar has left. */
function expectWhole(stage: Stage, liar: StageAttacker, reason: string): void {
  expect(longestIn(stage, 4)).toBeLessThan(2.2);
  expect(stage.host.refused(reason)).toBeGreaterThan(100);
  liar.attacks(null);
  stage.guest(LIAR).leaves();
  expect(longestIn(stage, 3)).toBeLessThan(2.2);
  stage.letAllRest();
  expect(longestLink(stage)).toBeLessThan(LINK + 0.1);
}

/** The same state with 60 m/s. [W2] At that speed a place is a multiple of 32 steps. */
function fast(update: PlainUpdate): PlainUpdate {
  const state = update.state.map((n, i) => (i < STATE.largest ? 32 * Math.round(n / 32) : n));
  state[STATE.linear] = 60 * VELOCITY_STEPS;
  return { ...update, state };
}

/** Where the liar puts the island: twelve metres away, whole. */
const AWAY = new Map(CHAIN.map((part, i): [BodyId, Place] => [part, [i * LINK, 0.25, 9]]));
/** Eight cubes without joints: as many as may be in one cell [H9.5]. */
const LOOSE = Array.from({ length: 8 }, (_, i) => (CHAIN.length + i) as BodyId);

describe('[H9.7] a guest says where the parts of an island are', () => {
  test.each<[string, ReadonlyMap<BodyId, Place>]>([
    ['twenty metres apart', new Map(CHAIN.map((part, i) => [part, [i * 20, 0.25, 0]]))],
    ['one of them alone, far away', new Map([[first, [30, 0.25, 0]]])],
    ['two halves', new Map(CHAIN.map((part, i) => [part, [i * LINK, 0.25, i < 2 ? 0 : 3]]))],
  ])('%s: nobody sees it, and it goes on whole when that player leaves', async (_, places) => {
    const [stage, liar] = await setChain();
    liar.attacks(() => [liar.packet(has(stage, liar, places))]);
    expectWhole(stage, liar, 'H9');
  });

  test.each(CHAIN)('all of them elsewhere, but part %i is too fast: nobody sees it', async (part) => {
    const [stage, liar] = await setChain();
    liar.attacks(() => {
      const updates = has(stage, liar, AWAY);
      return [liar.packet(updates.map((update) => (update.body === part ? fast(update) : update)))];
    });
    expectWhole(stage, liar, 'H9');
  });

  test.each(CHAIN)(
    'all of them elsewhere, but part %i is one too many in its cell: nobody sees it',
    async (part) => {
      const [stage, liar] = await setChain({}, LOOSE.length);
      const crowd = new Map(LOOSE.map((body): [BodyId, Place] => [body, AWAY.get(part) ?? [0, 0, 0]]));
      liar.attacks(() => [liar.packet(has(stage, liar, crowd))]);
      stage.letPass(0.5);
      liar.attacks(() => [liar.packet(has(stage, liar, new Map([...AWAY, ...crowd])))]);
      expectWhole(stage, liar, 'crowded');
    },
  );

  test.each([
    ['a later', 1],
    ['the same', 0],
  ])(
    '[H9.8] one of them in a packet of %s tick, and then all of them elsewhere: nobody sees it',
    async (_, ahead) => {
      const [stage, liar] = await setChain();
      const alone = new Map<BodyId, Place>([[fourth, [3 * LINK, 0.25, 0]]]);
      liar.attacks(() => [
        liar.packet(has(stage, liar, alone)),
        liar.packet(has(stage, liar, AWAY), null, -ahead),
      ]);
      expectWhole(stage, liar, 'J2');
    },
  );

  test('[H9.8] all of them elsewhere, but one with another claim: nobody sees it', async () => {
    const [stage, liar] = await setChain();
    liar.attacks(() => {
      const [one, ...others] = has(stage, liar, AWAY);
      const [authority, hold, ownership, sequence, existence] = one.claim;
      return [
        liar.packet([{ ...one, claim: [authority, hold, ownership, sequence + 1, existence] }, ...others]),
      ];
    });
    expectWhole(stage, liar, 'J2');
  });

  test('all of them elsewhere: it is believed', async () => {
    const [stage, liar] = await setChain();
    liar.attacks(() => [liar.packet(has(stage, liar, AWAY))]);
    stage.letPass(1);
    expect(stage.host.refused('H9')).toBe(0);
    for (const slot of [0, 1]) expect(stage.guest(slot).says(third).position[2]).toBeCloseTo(9, 1);
  });
});

test('[J2.8] an island that was torn is put back whole by the peer that simulates it', async () => {
  const [stage] = await setChain();
  stage.host.grabs(second);
  stage.letPass(0.2);
  stage.host.releases();
  const { bodies } = stage.host.peer.state;
  bodies.motion[fourth * STRIDE + 2] = 40;
  bodies.engine.write(fourth);
  stage.tick();
  CHAIN.forEach((part, i) => {
    const { position } = stage.host.says(part);
    expect(Math.hypot(position[0] - i * LINK, position[2])).toBeLessThan(0.02);
  });
  stage.letAllRest();
  expect(stage).toAgree();
});

/** Seconds after which the host shows what a guest sends, about. */
const SHOWN_AFTER = 0.15;
/** Metres by which a hand lifts. */
const LIFT = 1.5;

describe("[J3.5] another player's hand", () => {
  /** The hand reaches for the end of the chain, and rises; the height of that end afterwards, where it is simulated. */
  async function lifted(options: Partial<StageOptions>, from: Place, isHeld = true): Promise<number> {
    const [stage, liar] = await setChain(options);
    if (isHeld) stage.host.grabs(first);
    stage.letPass(0.4);
    let ticks = 0;
    liar.attacks(() => {
      const up = LIFT * Math.min(1, Math.max(0, ticks++ - 20) / TICK_RATE);
      return [liar.packet([], avatarAt([from[0], from[1] + up, from[2]], -1, fourth))];
    });
    stage.letPass(2);
    return stage.host.says(fourth).position[1];
  }
  const near: Place = [3 * LINK, 0.8, 0.5];
  const rights = { take: true, keep: true, hold: false };

  test('pulls a part that it is near to', async () => {
    expect(await lifted({}, near)).toBeGreaterThan(0.6);
  });

  test.each<[string, Partial<StageOptions>, Place, boolean]>([
    ['from thirty metres away', {}, [3 * LINK, 1, 30], true],
    ['if guests may not hold it', { rights }, near, true],
    ['while nobody holds the island', {}, near, false],
  ])('pulls nothing %s', async (_, options, from, isHeld) => {
    expect(await lifted(options, from, isHeld)).toBeLessThan(0.35);
  });
});

test('[J3.6] a hand that goes far from its part pulls it no more, until it reaches anew', async () => {
  const [stage, liar] = await setChain();
  stage.host.grabs(first);
  stage.letPass(0.4);
  const near: Place = [3 * LINK, 0.8, 0.5];
  const up: Place = [3 * LINK, 2, 0.5];
  let place = near;
  let reach: number = fourth;
  liar.attacks(() => [liar.packet([], avatarAt(place, -1, reach))]);
  const heightAfter = (seconds: number): number => {
    stage.letPass(seconds);
    return stage.host.says(fourth).position[1];
  };
  stage.letPass(0.5);
  // The floor holds the part back.
  place = [3 * LINK, -2.2, 0.5];
  stage.letPass(2);
  place = up;
  expect(heightAfter(1), 'it is lost').toBeLessThan(0.35);
  [place, reach] = [near, -1];
  stage.letPass(0.5);
  reach = fourth;
  stage.letPass(0.5);
  place = up;
  expect(heightAfter(1), 'it is pulled again').toBeGreaterThan(0.6);
});

test('[J3.6] a hand that leaps far away flings nothing', async () => {
  const [stage, liar] = await setChain();
  stage.host.grabs(first);
  stage.letPass(0.4);
  let place: Place = [3 * LINK, 0.8, 0.5];
  liar.attacks(() => [liar.packet([], avatarAt(place, -1, fourth))]);
  stage.letPass(0.5);
  place = [3 * LINK, 30, 0.5];
  let highest = 0;
  for (let tick = 0; tick < 3 * TICK_RATE; tick++) {
    stage.tick();
    highest = Math.max(highest, stage.host.says(fourth).position[1]);
  }
  expect(highest).toBeLessThan(1.5);
  expect(stage.host.holds(first)).toBe(true);
});

function metresBetween(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((n, axis) => n - b[axis]));
}

describe('[J3.7] a hand that keeps just ahead of its part', () => {
  /** Metres a second over half a second that a part of the chain reaches while such a hand pulls it along. */
  async function fastest(): Promise<number> {
    const [stage, liar] = await setChain();
    stage.host.grabs(first);
    stage.letPass(0.4);
    const start = stage.host.says(fourth).position;
    const hand: Place = [3 * LINK, 0.8, 0.5];
    const { shown } = stage.host.peer.state.authors[LIAR].stream;
    let ticks = 0;
    let lead = 0;
    let most = 0;
    let speed = 0;
    let before = start;
    const way = [start];
    liar.attacks(() => {
      const { position } = stage.host.says(fourth);
      const moved = position.map((n, axis) => n - start[axis]);
      // The host shows the hand later. It is led so that it is ahead of the part there, and never so far as to lose it.
      const { z } = shown.hands[RIGHT].pose.position;
      lead = ticks++ < 40 ? 0 : lead + 0.05 * (0.8 - (z - hand[2] - moved[2]));
      const ahead = ticks <= 40 ? 0 : lead + speed * SHOWN_AFTER;
      const place: Place = [
        hand[0] + moved[0],
        hand[1] + Math.min(LIFT, Math.max(0, ticks - 40) * 0.02),
        hand[2] + moved[2] + ahead,
      ];
      return [liar.packet([], avatarAt(place, -1, fourth))];
    });
    stage.letPass(0.5);
    // The hand goes on to pull what nobody holds any more.
    stage.host.releases();
    for (let tick = 0; tick < 6 * TICK_RATE && before[2] < 50; tick++) {
      stage.tick();
      const { position } = stage.host.says(fourth);
      // Over six ticks: the parts swing.
      speed = ((position[2] - (way[5]?.[2] ?? position[2])) * TICK_RATE) / 6;
      before = position;
      way.unshift(position);
      most = Math.max(most, 2 * metresBetween(position, way[TICK_RATE / 2] ?? position));
    }
    return most;
  }

  test('gives it no more than the speed of an arm', async () => {
    const most = await fastest();
    console.log(`a part reaches ${most.toFixed(1)} m/s`);
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThan(11);
  });
});
