import { dropHand, grabCube, throwCube } from './room-moves.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { areAgreed, inRoom, inspectOf, until } from './room-page.ts';

/** A cube of the wall that a hand reaches. */
export const WALL_CUBE = 56;

/** One player throws a cube of the wall, and all agree on where it comes to rest. @returns metres by which it moved. */
export async function throwFromWall(
  thrower: RoomPlayerPage,
  players: readonly RoomPlayerPage[],
): Promise<number> {
  const other = players.find((player) => player !== thrower) ?? thrower;
  const place = async () => (await inspectOf(other)).bodies[WALL_CUBE].position;
  await until('all have the wall at rest', () => areAgreed(players));
  const before = await place();
  await throwCube(thrower, 'right', await grabCube(thrower, 'right', WALL_CUBE));
  await dropHand(thrower, 'right');
  await until('all agree on every cube', () => areAgreed(players));
  const after = await place();
  return Math.hypot(...after.map((at, i) => at - before[i]));
}

/** Starts a room on the site's server, from the lobby. @param capacity as the lobby offers it; eight if left out. */
export async function startOnServer(
  { page }: RoomPlayerPage,
  name: string,
  scene: string,
  capacity?: string,
): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Scene').selectOption(scene);
  await page.getByLabel('Runs').selectOption('server');
  if (capacity !== undefined) await page.getByLabel('Players', { exact: true }).selectOption(capacity);
  await page.getByRole('button', { name: 'Start a room' }).click();
  await inRoom({ page });
}
