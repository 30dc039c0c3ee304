import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MotionTrack } from '../../hand-motion/track.ts';

/** A minute of a person's head and hands in fast play; it is no part of the project, and may lie beside it. */
const BESIDE = join(
  fileURLToPath(new URL('../../..', import.meta.url)),
  '../shared/data/quest2-touch-motion.f32',
);

/**
 * The motion in a file of little-endian float32, in the rows of a MotionTrack; null if there is no such file. Without a
 * file name it reads the one beside the project.
 * @throws RangeError if the file is no whole number of rows.
 */
export function readRecordedMotion(file = BESIDE): MotionTrack | null {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.floor(bytes.byteLength / 4);
  return new MotionTrack(Float32Array.from({ length }, (_, i) => view.getFloat32(i * 4, true)));
}
