/** The fewest bits that hold the whole numbers from 0 to `highest`, which is below 2^32. */
export function bitsFor(highest: number): number {
  return highest < 1 ? 0 : 32 - Math.clz32(highest);
}
