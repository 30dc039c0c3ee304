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
 * Finds the bodies whose numbers in some arrays have changed since the last call. It compares 8 or 16 bodies at
 * once: with 4,096 bodies that takes a quarter of the time of a loop that compares each body.
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

function addChanged(watched: Watched, set: BodySet): void {
  const { numbers, known, words, knownWords, bodiesAWord } = watched;
  let word = 0;
  for (; word + 3 < words.length; word += 4) {
    const differ =
      (words[word] ^ knownWords[word]) |
      (words[word + 1] ^ knownWords[word + 1]) |
      (words[word + 2] ^ knownWords[word + 2]) |
      (words[word + 3] ^ knownWords[word + 3]);
    if (differ !== 0) for (let i = word; i < word + 4; i++) addWord(watched, i, set);
  }
  for (; word < words.length; word++) addWord(watched, word, set);
  for (let body = words.length * bodiesAWord; body < numbers.length; body++) {
    if (numbers[body] === known[body]) continue;
    known[body] = numbers[body];
    set.add(body);
  }
}

function addWord({ words, knownWords, bodiesAWord }: Watched, word: number, set: BodySet): void {
  if (words[word] === knownWords[word]) return;
  knownWords[word] = words[word];
  for (let i = 0; i < bodiesAWord; i++) set.add(word * bodiesAWord + i);
}

function wordsOf({ buffer, byteOffset, byteLength }: BodyNumbers): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2);
}
