import type { FileFault, FileKind } from '../core/wire/files/file.ts';

/** File name extensions. */
const ENDINGS: Readonly<Record<FileKind, string>> = { world: '.handover', recording: '.handover-recording' };

/** Larger files are not read. In bytes; a recording is far smaller. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** [F5] Why a file can't be opened, and what the player can do. The page is unchanged in all these cases. */
export const FILE_FAULTS: Readonly<Record<FileKind, Readonly<Record<FileFault, string>>>> = {
  world: {
    foreign: 'This file isn’t a saved world. Choose one that was saved here.',
    'other kind': 'This file is a recording. To watch it, press “Watch a recording” in the lobby.',
    'other version': 'This file is from another version. Reload the page, then try again.',
    damaged: 'This file is damaged. Nothing has changed. Try another copy.',
    crowded: 'Too many cubes overlap in this file. Nothing has changed. Try another file.',
    'other level': 'This page doesn’t have the scene of this file. Nothing has changed. Try another file.',
    'other schema': 'This file is from a page with different rules. Nothing has changed. Try another file.',
  },
  recording: {
    foreign: 'This file isn’t a recording. Choose one that was saved here.',
    'other kind': 'This file is a saved world, not a recording. Open it in the menu of a room.',
    'other version': 'This recording is from another version. Only that version can play it.',
    damaged: 'This file is damaged. Try another copy.',
    crowded: 'Too many cubes overlap in this recording. Try another file.',
    'other level': 'This page doesn’t have the scene of this recording. Try another file.',
    'other schema': 'This recording is from a page with different rules. Try another file.',
  },
};

/**
 * Offers a file to the player as a download. The date and the extension are added to its name.
 * @param name without extension.
 */
export function saveFile(kind: FileKind, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = `${name} ${new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}${ENDINGS[kind]}`;
  link.click();
  // Some browsers start to read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Asks the player to choose a file. Call it from a click.
 * @param onChosen gets the file's bytes, or no bytes if the file is too large or can't be read. It is not
 * called if the player chooses no file.
 */
export function openFile(kind: FileKind, onChosen: (bytes: Uint8Array) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  // Phones do not know our file extensions, so there the player can choose any file.
  if (!matchMedia('(pointer: coarse)').matches) input.accept = ENDINGS[kind];
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file === undefined) return;
    const reading = file.size > MAX_FILE_BYTES ? Promise.resolve(new ArrayBuffer(0)) : file.arrayBuffer();
    void reading.catch(() => new ArrayBuffer(0)).then((bytes) => onChosen(new Uint8Array(bytes)));
  });
  input.click();
}
