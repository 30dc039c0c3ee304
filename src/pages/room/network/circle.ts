import type { Slot } from '../../../core/base/ids.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { Roster } from '../../../core/room/messages.ts';
import { isLarge } from '../../../core/room/people.ts';

/** Another player whose voice this page hears, and to whom it sends its own. */
export type Speaker = {
  readonly slot: Slot;
  /** Its page's id at the broker. */
  readonly id: string;
  /**
   * False while the host has it as away. Its page may be there all the same, and only have another host, so a call
   * goes on; but no new one is made.
   */
  readonly isPresent: boolean;
  readonly key: PublicKey;
  /** Its voice is on, or muted. */
  readonly hasVoice: boolean;
  /**
   * [P8.3] False if the player says that its voice is off or muted: then nothing of it is played, whatever its page
   * sends. An absent player's call is still played, because the roster has its voice as off [P8.2].
   */
  readonly isAudible: boolean;
};

/** The other players of a room whose calls go on: also while this page has no host, and so no roster. */
export class Circle {
  #speakers: readonly Speaker[] = [];
  #isLarge = false;

  /** True if the last roster is of a large room: [N8.5] no page calls another there. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  /**
   * @param roster null while this page has none: then the players of its last roster remain.
   * @param self this page's slot; null before it has one.
   * @returns the other players, by slot.
   */
  update(roster: Roster | null, self: Slot | null): readonly Speaker[] {
    if (roster === null) return this.#speakers;
    this.#isLarge = isLarge(roster);
    const others = roster.players.filter(({ slot }) => slot !== self);
    this.#speakers = others.map(({ slot, id, key, presence, voice }) => {
      const isPresent = presence !== 'away';
      const hasVoice = voice !== 'off';
      return { slot, id, key, isPresent, hasVoice, isAudible: voice === 'on' || !isPresent };
    });
    return this.#speakers;
  }
}
