/**
 * The visited states, by 63 bits of a hash each: two of ten million states collide with a chance of about one in
 * 180,000.
 */
export function seenStates() {
  let capacity = 1 << 16;
  let low = new Int32Array(capacity);
  let high = new Int32Array(capacity);
  const seen = {
    count: 0,
    /** False if the state was there. */
    add(cells: Uint8Array): boolean {
      if (seen.count * 2 > capacity) grow();
      let a = 0x811c9dc5 | 0;
      let b = 0x9747b28c | 0;
      for (let i = 0; i < cells.length; i++) {
        a = Math.imul(a ^ cells[i], 0x01000193);
        b = Math.imul(b ^ cells[i] ^ (b >>> 15), 0x85ebca6b) + i;
      }
      a = mix(a ^ (b >>> 7));
      // No state is 0, 0: that is an empty place.
      b = mix(b) | 1;
      return put(a, b);
    },
  };
  const put = (a: number, b: number): boolean => {
    let at = (a ^ (b >>> 3)) & (capacity - 1);
    while (high[at] !== 0) {
      if (low[at] === a && high[at] === b) return false;
      at = (at + 1) & (capacity - 1);
    }
    low[at] = a;
    high[at] = b;
    seen.count++;
    return true;
  };
  const grow = (): void => {
    const [lows, highs] = [low, high];
    capacity *= 2;
    low = new Int32Array(capacity);
    high = new Int32Array(capacity);
    seen.count = 0;
    for (let i = 0; i < highs.length; i++) if (highs[i] !== 0) put(lows[i], highs[i]);
  };
  return seen;
}

function mix(x: number): number {
  let y = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  y = Math.imul(y ^ (y >>> 15), 0x846ca68b);
  return y ^ (y >>> 16);
}
