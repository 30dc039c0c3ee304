import { keep, readKept } from './database.ts';

/** A browser keeps one recording: the last one that was made in it. All tabs share it. */

const KEY = 'last';

/** Returns the file of the last recording; null if there is none. Its form is not checked. Never rejects. */
export async function loadLastRecording(): Promise<Uint8Array | null> {
  const file = await readKept('recordings', KEY);
  return file instanceof Uint8Array ? file : null;
}

/**
 * Replaces the last recording.
 * @returns false if the browser refused. Never rejects.
 */
export function saveLastRecording(file: Uint8Array): Promise<boolean> {
  return keep('recordings', KEY, file);
}
