import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../../src/core/base/ids.ts';
import type { ReadonlyPose } from '../../../../src/core/base/math.ts';
import { fromAxisAngle, quaternion, vector } from '../../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../../src/core/base/state.ts';
import { peerView } from '../../../../src/core/peer/shown/peer-view.ts';
import { Adding, refusalSentence } from '../../../../src/pages/room/bodies/adding.ts';
import { kick } from '../../../../src/pages/room/bodies/kicking.ts';
import type { Player, Stage } from '../../../support/stage.ts';
import { setStage } from '../../../support/stage.ts';

const PER_PLAYER = 3;
/** It looks along -x. */
const HEAD: ReadonlyPose = {
  position: vector(0, 1.6, 0),
  rotation: fromAxisAngle(vector(0, 1, 0), Math.PI / 2, quaternion()),
};
const nameOf = (slot: Slot): string => `Player ${slot}`;

function stageOf(perSecond = 20): Promise<Stage> {
  return setStage({ guests: 2, cubes: [[4, 0.25, 4]], spawning: { perPlayer: PER_PLAYER, perSecond } });
}

function exists({ peer }: Player, body: BodyId): boolean {
  const view = peerView(peer.diagnostics.bodies.count);
  peer.view(1, null, view);
  return view.exists[body] === 1;
}

/** A player's part of a page: what it adds and removes, and what it reads. */
class Page {
  readonly said: string[] = [];
  /** Radians that a body may take across the view. */
  across = 1;
  /** Radians at which its middle may be aside. */
  aside = 1;
  readonly adding = new Adding((sentence) => this.said.push(sentence), nameOf);
  readonly player: Player;
  readonly world: { readonly peer: Player['peer']; readonly level: Stage['level'] };

  constructor(stage: Stage, player: Player) {
    this.player = player;
    this.world = { peer: player.peer, level: stage.level };
    this.adding.tick(this.world);
  }

  add(kind?: number): BodyId {
    return this.adding.add(this.world, HEAD, { away: 1.1, across: this.across, aside: this.aside }, kind);
  }

  has(body: BodyId): boolean {
    return exists(this.player, body);
  }

  placeOf(body: BodyId): number[] {
    const { drawn } = this.player.peer.diagnostics.bodies;
    return [0, 1, 2].map((i) => drawn[body * POSE_STRIDE + i]);
  }
}

function pass(stage: Stage, pages: readonly Page[], ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.tick();
    for (const { adding, world } of pages) adding.tick(world);
  }
}

describe('[S2] a player adds a body', () => {
  test('before its head, within the frame, and the next one not within the first', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    const first = page.add(0);
    expect(page.has(first)).toBe(true);
    const [x, y, z] = page.placeOf(first);
    pass(stage, [page], 2);
    const beside = page.placeOf(page.add());
    expect(x).toBeLessThan(-1);
    expect(Math.abs(z)).toBeLessThan(0.01);
    expect(y).toBeGreaterThan(0.3);
    expect(Math.hypot(beside[0] - x, beside[2] - z)).toBeGreaterThan(0.3);
    expect(page.adding.stateOf(page.world)).toMatchObject({ out: 2, most: PER_PLAYER, last: 0 });
  });

  test('the farther away the less it may take across the view', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    const near = page.placeOf(page.add(0));
    page.across = 0.1;
    const far = page.placeOf(page.add(0));
    // A cube of half a metre, that takes a tenth of a radian.
    expect(near[0]).toBeGreaterThan(-1.5);
    expect(far[0]).toBeCloseTo(-5, 1);
  });

  test('farther away, and then above the first, where the picture is narrow', async () => {
    const stage = await setStage({
      guests: 2,
      cubes: [[4, 0.25, 4]],
      spawning: { perPlayer: 4, perSecond: 20 },
    });
    const page = new Page(stage, stage.guest(1));
    page.aside = 0.1;
    const places = [0, 1, 2].map(() => {
      const body = page.add(0);
      pass(stage, [page], 60);
      return page.placeOf(body);
    });
    for (const [, , z] of places) expect(Math.abs(z)).toBeLessThan(0.05);
    const [first, second, third] = places;
    // It looks along -x.
    expect(second[0]).toBeLessThan(first[0] - 0.4);
    expect(third[0]).toBeCloseTo(first[0], 1);
    expect(third[1]).toBeGreaterThan(first[1] + 0.4);
  });

  test('and reads one sentence if it may not: too many, or too fast', async () => {
    const stage = await stageOf(2);
    const page = new Page(stage, stage.guest(1));
    expect([page.add(0), page.add(0)].every((body) => body !== NO_BODY)).toBe(true);
    expect(page.add(0)).toBe(NO_BODY);
    pass(stage, [page], 60);
    page.add(0);
    pass(stage, [page], 60);
    expect(page.add(0)).toBe(NO_BODY);
    expect(page.said).toEqual([
      refusalSentence('too fast', PER_PLAYER),
      'You have added 3, and more are not allowed. Remove one first.',
    ]);
  });

  test('[S2.3] and reads it if the host takes the body back', async () => {
    const stage = await stageOf(20);
    const page = new Page(stage, stage.guest(1));
    const { level } = page.world;
    // The host of another version allows less.
    const rules = level.spawning as { templates: unknown };
    const body = page.add(0);
    const { templates } = rules;
    rules.templates = [];
    pass(stage, [page], 60);
    rules.templates = templates;
    expect(page.has(body)).toBe(false);
    expect(page.said).toEqual([expect.stringContaining('The host took it back')]);
  });
});

describe('[S3] a player removes', () => {
  test('what it has added, also long after it came to rest and under nobody', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    const body = page.add(0);
    pass(stage, [page], 60);
    stage.letAllRest();
    expect(stage.host.says(body).authority).toBeNull();
    page.adding.remove(page.world, body);
    pass(stage, [page], 60);
    expect(stage.present.map((player) => exists(player, body))).toEqual([false, false, false]);
    expect(page.said).toEqual([]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('at once after it was added, and out of its own hand', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    const first = page.add(0);
    pass(stage, [page], 1);
    const held = page.add(0);
    page.adding.remove(page.world, first);
    page.player.grabs(held);
    pass(stage, [page], 30);
    expect(page.player.holds(held)).toBe(true);
    page.adding.remove(page.world, held);
    pass(stage, [page], 60);
    expect(page.player.holds(held)).toBe(false);
    for (const body of [first, held]) expect(exists(stage.host, body)).toBe(false);
    page.player.releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('its newest body first; or all of them', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    const bodies = [page.add(0), page.add(0), page.add(0)];
    pass(stage, [page], 30);
    page.adding.removeLast(page.world);
    pass(stage, [page], 30);
    expect(bodies.map((body) => page.has(body))).toEqual([true, true, false]);
    page.adding.removeAll(page.world);
    pass(stage, [page], 60);
    expect(bodies.some((body) => page.has(body))).toBe(false);
    page.adding.removeLast(page.world);
    expect(page.said).toEqual(['You have nothing left to remove.']);
  });

  test('nothing of another player or of the level, unless it is the host: then all that was added', async () => {
    const stage = await stageOf();
    const [host, guest, other] = [stage.host, stage.guest(1), stage.guest(2)].map(
      (player) => new Page(stage, player),
    );
    const [kept, gone] = [guest.add(0), guest.add(0)];
    pass(stage, [host, guest, other], 30);
    other.adding.remove(other.world, kept);
    host.adding.remove(host.world, gone);
    host.adding.remove(host.world, 0 as BodyId);
    pass(stage, [host, guest, other], 30);
    expect([kept, gone, 0 as BodyId].map((body) => other.has(body))).toEqual([true, false, true]);
    expect(other.said).toEqual(['Somebody else has added this. You can remove what you have added.']);
    expect(host.said).toEqual(['This belongs to the scene, so it stays. You can remove what was added.']);
  });

  test('not what another player holds, which it reads', async () => {
    const stage = await stageOf();
    const [guest, other] = [1, 2].map((slot) => new Page(stage, stage.guest(slot)));
    const body = guest.add(0);
    pass(stage, [guest, other], 30);
    other.player.grabs(body);
    pass(stage, [guest, other], 30);
    guest.adding.remove(guest.world, body);
    pass(stage, [guest, other], 30);
    expect(guest.said).toEqual(['Player 2 has it. Wait until it lies still.']);
    expect(guest.has(body)).toBe(true);
  });
});

describe('[A13.2] a kick', () => {
  const EYE = vector(4, 1.6, 6);
  const CUBE = 0 as BodyId;

  test('pushes a body within reach away from the eye, and so it goes on every page', async () => {
    const stage = await stageOf();
    const page = new Page(stage, stage.guest(1));
    stage.letAllRest();
    const [, , before] = stage.host.says(CUBE).position;
    expect(kick(page.world, EYE, CUBE, nameOf)).toBeNull();
    stage.letPass(1);
    expect(stage.host.says(CUBE).position[2]).toBeLessThan(before - 0.5);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('reaches 4 m, moves nothing that another player has, and says so', async () => {
    const stage = await stageOf();
    const [page, other] = [1, 2].map((slot) => new Page(stage, stage.guest(slot)));
    expect(kick(page.world, vector(4, 1.6, 9), CUBE, nameOf)).toBe('It is too far away to kick.');
    expect(kick(page.world, EYE, NO_BODY, nameOf)).toBeNull();
    other.player.grabs(CUBE);
    stage.letPass(0.5);
    expect(kick(page.world, EYE, CUBE, nameOf)).toBe('Player 2 has it. Wait until it lies still.');
    stage.letPass(0.5);
    expect(other.player.holds(CUBE)).toBe(true);
  });
});
