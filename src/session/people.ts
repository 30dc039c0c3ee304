import type { Roster } from '../core/room/messages.ts';
import { isPerson } from '../core/room/people.ts';

/** [N1.3] A room's roster without its dedicated host: the same object as long as the roster is the same. */
export class People {
  #roster: Roster | null = null;
  #people: Roster | null = null;

  /**
   * The people of a roster. `host` may be a slot that none of them has. While a former host comes back as a guest it has
   * no roster: these are the people of the last one then; null if there was none.
   */
  of(roster: Roster | null): Roster | null {
    if (roster === null || roster === this.#roster) return this.#people;
    this.#roster = roster;
    const players = roster.players.filter(isPerson);
    this.#people = players.length === roster.players.length ? roster : { ...roster, players };
    return this.#people;
  }
}
