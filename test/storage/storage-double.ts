/** A browser's storage in memory. It can refuse as browsers do. */
export class StorageDouble implements Storage {
  [name: string]: unknown;
  /** As with blocked site data: every access throws. */
  refuses = false;
  /** As with a full quota: writing throws. */
  isFull = false;
  readonly #items = new Map<string, string>();

  get length(): number {
    return this.#items.size;
  }

  getItem(key: string): string | null {
    this.#check(this.refuses, 'SecurityError');
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.#check(this.refuses, 'SecurityError');
    this.#check(this.isFull, 'QuotaExceededError');
    this.#items.set(key, text);
  }

  removeItem(key: string): void {
    this.#check(this.refuses, 'SecurityError');
    this.#items.delete(key);
  }

  clear(): void {
    this.#items.clear();
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null;
  }

  #check(fails: boolean, name: string): void {
    if (fails) throw new DOMException('The browser refuses.', name);
  }
}
