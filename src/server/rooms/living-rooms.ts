/** Counts the rooms that each network has opened and that have not ended. */
export class LivingRooms {
  readonly #mostOfNetwork: number;
  readonly #counts = new Map<string, number>();

  /** @param mostOfNetwork rooms that one network has at a time. */
  constructor(mostOfNetwork: number) {
    this.#mostOfNetwork = mostOfNetwork;
  }

  /**
   * A network asks for one more room.
   * @returns a function to call when that room has ended, or was not opened; null if the network has too many.
   */
  begin(network: string): (() => void) | null {
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#mostOfNetwork) return null;
    this.#counts.set(network, count + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#end(network);
    };
  }

  #end(network: string): void {
    const left = (this.#counts.get(network) ?? 1) - 1;
    if (left === 0) this.#counts.delete(network);
    else this.#counts.set(network, left);
  }
}
