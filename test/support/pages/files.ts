import type { Download, Page } from 'playwright-core';

/** Reads a file that a page hands out. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The file that a button of the menu hands out. */
export async function fileFrom(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), pressInMenu(page, name)]);
  return bytesOf(download);
}

/** Opens a saved world by the menu. */
export async function openInMenu(page: Page, file: Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressInMenu(page, 'Open a file')]);
  await chooser.setFiles({ name: 'tower.handover', mimeType: '', buffer: file });
}

/** Presses a button of the menu, which opens if it is closed. */
export async function pressInMenu(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'Menu (key M)' }).click();
  await button.click();
}
