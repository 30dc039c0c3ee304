import type { RoomPlayerPage } from './room-page.ts';
import { inRoom } from './room-page.ts';

/** Starts a room on the site's server, from the lobby. */
export async function startOnServer({ page }: RoomPlayerPage, name: string, scene: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Scene').selectOption(scene);
  await page.getByLabel('Runs').selectOption('server');
  await page.getByRole('button', { name: 'Start a room' }).click();
  await inRoom({ page });
}
