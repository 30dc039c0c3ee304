/**
 * The wrapping of what is kept as a file: four letters, its kind, its version, the content, and a check sum over
 * all of that. FILES.md has the bytes.
 */

/** The kinds of files, each with its number and the version of its content. */
const KINDS = {
  world: { number: 1, version: 1 },
  recording: { number: 2, version: 1 },
} as const;
export type FileKind = keyof typeof KINDS;

/** Why a file is not read. `foreign`: it is none of ours, or a damaged one that can't be told from that. */
export type FileFault = 'foreign' | 'other kind' | 'other version' | 'damaged';

/** "HNDV" */
const LETTERS = [0x48, 0x4e, 0x44, 0x56] as const;
const HEAD = LETTERS.length + 2;
const CHECK = 4;

/** A file with this content. */
export function wrapFile(kind: FileKind, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { number, version } = KINDS[kind];
  const file = new Uint8Array(HEAD + content.length + CHECK);
  file.set([...LETTERS, number, version]);
  file.set(content, HEAD);
  const end = file.length - CHECK;
  new DataView(file.buffer).setUint32(end, checkSum(file.subarray(0, end)), true);
  return file;
}

/** [W6] The content of a file, not copied; or why it is not read. Never throws. */
export function unwrapFile(kind: FileKind, file: Uint8Array): Uint8Array | FileFault {
  if (file.length < HEAD + CHECK || LETTERS.some((letter, i) => file[i] !== letter)) return 'foreign';
  const end = file.length - CHECK;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (view.getUint32(end, true) !== checkSum(file.subarray(0, end))) return 'damaged';
  const { number, version } = KINDS[kind];
  if (file[LETTERS.length] !== number) return 'other kind';
  return file[LETTERS.length + 1] === version ? file.subarray(HEAD, end) : 'other version';
}

/** CRC-32, as in zip and PNG. */
function checkSum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum >>> 0;
});
