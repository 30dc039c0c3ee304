/**
 * The frame of every file: four letters, the kind, the version, the content, and a checksum of all this. FILES.md gives
 * the bytes.
 */

/** The kinds of files, each with its number and the version of its content. */
const KINDS = {
  world: { number: 1, version: 2 },
  recording: { number: 2, version: 2 },
} as const;
export type FileKind = keyof typeof KINDS;

/**
 * Why a file cannot be read. `foreign`: it is not a file of Handover, or too damaged to show that it is. `crowded`: so
 * many bodies lie inside one another that no engine could go on from there. `other level`: it is of a level that this
 * page does not have, or has with another content. `other schema`: its players share other values.
 */
export type FileFault =
  | 'foreign'
  | 'other kind'
  | 'other version'
  | 'damaged'
  | 'crowded'
  | 'other level'
  | 'other schema';

/** "HNDV" */
const LETTERS = [0x48, 0x4e, 0x44, 0x56] as const;
const HEAD = LETTERS.length + 2;
const CHECK = 4;

/** A new file with this content, which is copied. */
export function wrapFile(kind: FileKind, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { number, version } = KINDS[kind];
  const file = new Uint8Array(HEAD + content.length + CHECK);
  file.set([...LETTERS, number, version]);
  file.set(content, HEAD);
  const end = file.length - CHECK;
  new DataView(file.buffer).setUint32(end, checkSum(file.subarray(0, end)), true);
  return file;
}

/** [W6] The content of a file, as a view of it; or why it cannot be read. Never throws. */
export function unwrapFile(kind: FileKind, file: Uint8Array): Uint8Array | FileFault {
  if (file.length < HEAD + CHECK || LETTERS.some((letter, i) => file[i] !== letter)) return 'foreign';
  const end = file.length - CHECK;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (view.getUint32(end, true) !== checkSum(file.subarray(0, end))) return 'damaged';
  const { number, version } = KINDS[kind];
  if (file[LETTERS.length] !== number) return 'other kind';
  return file[LETTERS.length + 1] === version ? file.subarray(HEAD, end) : 'other version';
}

/** CRC-32 as in zip and PNG (reflected polynomial 0xedb88320). */
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
