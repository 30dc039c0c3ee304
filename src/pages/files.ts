import type { FileFault, FileKind } from '../core/wire/files/file.ts';

/** How the names of files end. */
const ENDINGS: Readonly<Record<FileKind, string>> = { world: '.handover', recording: '.handover-recording' };

/** Bytes of the longest file that is looked at: a recording is far shorter. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** [F5] Why a file is not opened, and what to do. Nothing has changed then. */
export const FILE_FAULTS: Readonly<Record<FileKind, Readonly<Record<FileFault, string>>>> = {
  world: {
    foreign: 'This file has no cubes in it. Please choose one that was saved here.',
    'other kind': 'This file is a recording: “Try it alone” in the lobby plays it.',
    'other version':
      'This file is of another version of this page. Please load the page again, then try once more.',
    damaged: 'This file is damaged, and all stays as it was. Please try another copy.',
  },
  recording: {
    foreign: 'This file is no recording. Please choose one that was saved here.',
    'other kind': 'This file has cubes in it, but no recording: the menu of a room opens it.',
    'other version': 'This recording is of another version of this page, and only that can play it.',
    damaged: 'This file is damaged. Please try another copy.',
  },
};

/**
 * Hands a file to the player, as a download.
 * @param name without an ending.
 */
export function saveFile(kind: FileKind, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = `${name} ${new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}${ENDINGS[kind]}`;
  link.click();
  // Some browsers begin to read it only now.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Has the player choose a file; to be called from a click.
 * @param onChosen gets its bytes; of one that is too long, or can't be read, none. Not called if none is chosen.
 */
export function openFile(kind: FileKind, onChosen: (bytes: Uint8Array) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  // A phone knows no endings of ours: there any file can be chosen.
  if (!matchMedia('(pointer: coarse)').matches) input.accept = ENDINGS[kind];
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file === undefined) return;
    const reading = file.size > MAX_FILE_BYTES ? Promise.resolve(new ArrayBuffer(0)) : file.arrayBuffer();
    void reading.catch(() => new ArrayBuffer(0)).then((bytes) => onChosen(new Uint8Array(bytes)));
  });
  input.click();
}
