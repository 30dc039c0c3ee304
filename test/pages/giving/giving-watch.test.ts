import { expect, test } from 'vitest';
import { GivingWatch } from '../../../src/pages/giving/giving-watch.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [A, B] = CUBES;

/** Writes down what a player is told from now on. */
function toldTo(stage: Stage, player: Player): string[] {
  const told: string[] = [];
  const nameOf = (side: number): string => (side === LEFT ? 'left' : 'right');
  const watch = new GivingWatch({
    gave: (to, side) => void told.push(`gave ${to} from the ${nameOf(side)}`),
    received: (from, side) => void told.push(`received from ${from} in the ${nameOf(side)}`),
    passed: (body, to) => void told.push(`${body} passed to ${to}`),
  });
  const tick = stage.tick.bind(stage);
  stage.tick = () => {
    tick();
    watch.tick(player.peer);
  };
  return told;
}

/** The giver holds a cube, the taker's hand closes on it, and the giver lets go. */
function handOver(stage: Stage, giver: Player, taker: Player, sides = [RIGHT, RIGHT] as const): void {
  giver.grabs(A, sides[0]);
  stage.letPass(0.5);
  taker.grabs(A, sides[1]);
  stage.letPass(0.5);
  giver.releases(sides[0]);
  stage.letPass(1);
}

test.each([
  ['the host to a guest', 0, 1],
  ['a guest to the host', 1, 0],
  ['a guest to a guest', 1, 2],
])('[A9.5] of a cube that goes from %s, each page tells its own part, once', async (_, from, to) => {
  const stage = await setStage({ guests: 2, cubes: apart(1) });
  const told = [0, 1, 2].map((slot) => toldTo(stage, stage.guest(slot)));
  handOver(stage, stage.guest(from), stage.guest(to));
  expect(stage.guest(to).holds(A)).toBe(true);
  const passed = `${A} passed to ${to}`;
  const wanted = [[passed], [passed], [passed]];
  wanted[from].push(`gave ${to} from the right`);
  wanted[to].push(`received from ${from} in the right`);
  expect(told).toEqual(wanted);
});

test('[A9.5] it is told of the hands that gave and took, and again when the cube comes back', async () => {
  const stage = await setStage({ guests: 1, cubes: apart(2) });
  const [host, guest] = [stage.host, stage.guest(1)];
  const told = toldTo(stage, host);
  host.grabs(B, RIGHT);
  handOver(stage, host, guest, [LEFT, LEFT]);
  expect(told).toEqual([`${A} passed to 1`, 'gave 1 from the left']);
  host.grabs(A, LEFT);
  stage.letPass(0.5);
  guest.releases(LEFT);
  stage.letPass(1);
  expect(told.slice(2)).toEqual([`${A} passed to 0`, 'received from 1 in the left']);
});

test('[A9.7] a cube that is only let go, or caught, is no hand-over', async () => {
  const stage = await setStage({ guests: 1, cubes: apart(1) });
  const told = [stage.host, stage.guest(1)].map((player) => toldTo(stage, player));
  stage.host.grabs(A);
  stage.letPass(0.5);
  stage.host.releases();
  stage.letPass(0.2);
  stage.guest(1).grabs(A);
  stage.letPass(1);
  expect(stage.guest(1).holds(A)).toBe(true);
  expect(told).toEqual([[], []]);
});

test('a new world tells nothing of what happened there before', async () => {
  const stage = await setStage({ guests: 1, cubes: apart(1) });
  handOver(stage, stage.host, stage.guest(1));
  const told: string[] = [];
  const tell = (what: string) => (): void => void told.push(what);
  const watch = new GivingWatch({ gave: tell('gave'), received: tell('received'), passed: tell('passed') });
  watch.tick(stage.host.peer);
  stage.letPass(0.1);
  watch.tick(stage.host.peer);
  expect(told).toEqual([]);
});
