/** A button of a hand: a press that ends between two ticks still counts for one tick. */
export class HandButton {
  #down = false;
  #tapped = false;

  get down(): boolean {
    return this.#down;
  }

  press(down: boolean): void {
    this.#down = down;
    if (down) this.#tapped = true;
  }

  /** Lets it go, and forgets a press that no tick has read. */
  drop(): void {
    this.#down = this.#tapped = false;
  }

  /** Returns 1 if it is down, or was pressed since the last call; otherwise 0. */
  take(): 0 | 1 {
    const counts = this.#down || this.#tapped;
    this.#tapped = false;
    return counts ? 1 : 0;
  }
}
