import { describe, expect, it } from 'vitest';
import {
  comesToLie,
  dropHand,
  grabCube,
  passCube,
  placeCube,
  positionOf,
  putCube,
  throwCube,
} from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  joinByCode,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

describe('four pages in a room, over WebRTC and our own broker', () => {
  const stage = storyStage();

  it('[I1] they meet by link and by code, throw, stack and pass cubes, and agree in the end', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => stage.open(stage.url)));
    const [host, ...guests] = players;
    const began = performance.now();
    const { code, link } = await startRoom(host, 'Ada', 'wall');
    await Promise.all([
      joinByCode(guests[0], 'Bo', code),
      ...guests.slice(1).map(async (guest) => {
        await guest.page.goto(link);
        await inRoom(guest);
      }),
    ]);
    await until('everyone sees four players', async () => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every((room) => room.players.filter(({ presence }) => presence === 'here').length === 4);
    });
    const seconds = (performance.now() - began) / 1000;
    console.log(`host and three guests met within ${seconds.toFixed(1)} s`);

    await until('all have the wall at rest', () => areAgreed(players));
    await Promise.all(players.map((player, i) => build(player, i)));
    await until('all four agree on every cube', () => areAgreed(players));

    const { bodies } = await inspectOf(host);
    players.forEach((_, i) => {
      const [below, above] = [bodies[cubesOf(i)[0]].position, bodies[cubesOf(i)[1]].position];
      expect(above[1] - below[1], `player ${i}'s second cube lies on its first`).toBeCloseTo(0.5, 1);
    });
  });
});

type Place = readonly [x: number, y: number, z: number];

/** Three cubes of the wall for each player: two to stack, from the top course, and one to throw. */
function cubesOf(player: number): readonly [number, number, number] {
  return [56 + 2 * player, 57 + 2 * player, 48 + 2 * player];
}

/** Stacks two cubes at a place of its own, passing the second from hand to hand, and throws a third. */
async function build(player: RoomPlayerPage, index: number): Promise<void> {
  const [first, second, third] = cubesOf(index);
  const spot = [-4.5 + 3 * index, 0.25, 2.6] as const;
  await putCube(player, first, () => Promise.resolve(spot));
  const held = await grabCube(player, 'left', second);
  const beside = await passCube(player, 'left', held, 'right', second);
  /** A cube that falls may push the first aside. */
  const onFirst = async (): Promise<Place> => {
    const [x, y, z] = await positionOf(player, first);
    return [x, y + 0.5, z];
  };
  const [x, y, z] = await onFirst();
  // The hand is beside the cube now, and lays it down so.
  await placeCube(player, 'right', beside, [x, y + 0.02, z], [0.27, 0, 0]);
  if (!(await comesToLie(player, second, [x, y, z]))) await putCube(player, second, onFirst);
  await throwCube(player, 'right', await grabCube(player, 'right', third));
  await dropHand(player, 'right');
}
