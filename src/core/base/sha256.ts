/**
 * SHA-256 (FIPS 180-4) of a text, as 64 hexadecimal digits. The bytes are the text's UTF-16 units, each with its high
 * byte first. The browser's own function is asynchronous, and exists only on https.
 */
export function sha256(text: string): string {
  const words = padded(text);
  const state = Uint32Array.from(START);
  const schedule = new Uint32Array(64);
  for (let at = 0; at < words.length; at += 16) {
    schedule.set(words.subarray(at, at + 16));
    expand(schedule);
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The padded message (§5.1.1) in big-endian words: the text, a one bit, zeros, and the length in bits. */
function padded(text: string): Uint32Array {
  const words = new Uint32Array(Math.ceil((2 * text.length + 9) / 64) * 16);
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0x8000;
    words[i >> 1] |= unit << (16 - 16 * (i & 1));
  }
  words[words.length - 1] = text.length * 16;
  return words;
}

function expand(w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15];
    const b = w[i - 2];
    const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const large = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16] + small + w[i - 7] + large;
  }
}

function compress(state: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUND[i] + w[i]) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/**
 * The first 32 bits of the fractions of square roots (START) and cube roots (ROUND) of the first primes (§5.3.3,
 * §4.2.2).
 */
const PRIMES = firstPrimes(64);
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime ** (1 / 2)));
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function fraction(value: number): number {
  return (value - Math.floor(value)) * 2 ** 32;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
