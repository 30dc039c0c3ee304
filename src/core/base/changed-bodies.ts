import type { BodySet } from './body-set.ts';

/** An array with a number for each body. */
export type BodyNumbers = Int8Array | Uint8Array | Uint16Array;

type Watched = {
  readonly numbers: BodyNumbers;
  readonly known: BodyNumbers;
  /** The same memory in words of 32 bits; the last bodies may not fill one. */
  readonly words: Int32Array;
  readonly knownWords: Int32Array;
  readonly bodiesAWord: number;
};

/**
 * Finds the bodies whose numbers in some arrays have changed since the last call. It compares two or four bodies at once:
 * with 4,096 bodies that takes half the time of a loop that compares each body.
 */
export class ChangedBodies {
  readonly #watched: readonly Watched[];

  /** @param arrays that share no memory. What they have now counts as known. */
  constructor(arrays: readonly BodyNumbers[]) {
    this.#watched = arrays.map((numbers) => {
      const known = numbers.slice();
      return {
        numbers,
        known,
        words: wordsOf(numbers),
        knownWords: wordsOf(known),
        bodiesAWord: 4 / numbers.BYTES_PER_ELEMENT,
      };
    });
  }

  /** Adds the bodies of which a number has changed, and perhaps some beside them. */
  addTo(set: BodySet): void {
    for (let i = 0; i < this.#watched.length; i++) addChanged(this.#watched[i], set);
  }
}

function addChanged({ numbers, known, words, knownWords, bodiesAWord }: Watched, set: BodySet): void {
  for (let word = 0; word < words.length; word++) {
    if (words[word] === knownWords[word]) continue;
    knownWords[word] = words[word];
    for (let i = 0; i < bodiesAWord; i++) set.add(word * bodiesAWord + i);
  }
  for (let body = words.length * bodiesAWord; body < numbers.length; body++) {
    if (numbers[body] === known[body]) continue;
    known[body] = numbers[body];
    set.add(body);
  }
}

function wordsOf({ buffer, byteOffset, byteLength }: BodyNumbers): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2);
}
