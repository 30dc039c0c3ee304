import type { Slot } from '../../../core/base/ids.ts';
import { NO_SLOT } from '../../../core/base/ids.ts';
import type { Peer } from '../../../core/peer/peer.ts';
import type { RosterPlayer } from '../../../core/room/messages.ts';
import type { Level } from '../../../core/world/level.ts';
import { calledBy } from '../model.ts';
import { hasOnlyCubes } from '../screen/hint-texts.ts';
import { NEW_VERSION } from '../sentences.ts';
import type { GameSession } from '../session/session.ts';
import { NewsBudget } from './news-budget.ts';
import { RosterWatcher } from './presence-news.ts';
import { ServerNews } from './server-news.ts';
import type { AskSite } from './site-version.ts';
import { SiteVersion } from './site-version.ts';

/** The places where news are shown. */
export type NewsSinks = {
  /** Shows a sentence for a moment, on the screen and in a headset. */
  say(sentence: string): void;
  /** Shows at the hand in a headset that another player has the cube that it held. */
  lost(peer: Peer, sentence: string): void;
};

/** The part of a session that is used. */
type NewsSession = Pick<GameSession, 'roster' | 'code'> & {
  readonly status: Pick<GameSession['status'], 'kind'>;
  readonly station: Pick<GameSession['station'], 'state'>;
};

/** Tells the player what happens in a room: who comes and goes or can't, who has a cube now, who waves. */
export class RoomNews {
  readonly #session: NewsSession;
  readonly #sinks: NewsSinks;
  readonly #budget = new NewsBudget();
  readonly #waves = new NewsBudget();
  readonly #rosters = new RosterWatcher(this.#budget);
  readonly #server: ServerNews;
  readonly #version: SiteVersion | null;
  /** The level at the last tick, and true if all its bodies are cubes. */
  #level: Level | null = null;
  #areCubes = true;

  /** @param askSite [N9.11] asks the site about the room; null if it has no server rooms. */
  constructor(session: NewsSession, sinks: NewsSinks, askSite: AskSite | null = null) {
    this.#session = session;
    this.#sinks = sinks;
    this.#server = new ServerNews((sentence) => sinks.say(sentence));
    this.#version = askSite === null ? null : new SiteVersion(askSite);
  }

  /** Tells which cube a tick has taken from a hand. Call it after every tick of the peer. */
  cubes(peer: Peer, level: Level): void {
    const { lost, tick } = peer.diagnostics;
    if (level !== this.#level) {
      this.#level = level;
      this.#areCubes = hasOnlyCubes(level);
    }
    // [G4]
    if (lost.tick === tick) {
      // [J3.4]
      const pulledTooHard = 'You pulled too hard, and lost your grip.';
      const sentence =
        lost.to === NO_SLOT
          ? pulledTooHard
          : `${this.nameOf(lost.to)} has this ${this.#areCubes ? 'cube' : 'thing'} now.`;
      this.#sinks.say(sentence);
      this.#sinks.lost(peer, sentence);
    }
  }

  /** [A9] This player has given a cube to another. @returns the sentence that was said. */
  gave(to: Slot): string {
    return this.#say(`You gave ${this.nameOf(to)} ${this.#aCube}.`);
  }

  /** [A9] Another player has given this one a cube. @returns the sentence that was said. */
  received(from: Slot): string {
    return this.#say(`${this.nameOf(from)} gave you ${this.#aCube}.`);
  }

  /**
   * Tells which players have come and gone, and have other names, and whether new ones can come in. Call it once a tick.
   * @param self this player's slot.
   * @returns true if the room's address or rules may have changed.
   */
  players(self: Slot): boolean {
    this.#budget.tick();
    this.#waves.tick();
    // Nobody can come into a practice.
    const { code, station, status } = this.#session;
    // A player that has lost the room itself reads that alone.
    if (code !== null && status.kind !== 'lost') this.#server.tick(station.state === 'open');
    this.#tellVersion(self);
    const change = this.#rosters.next(this.#session.roster, self);
    for (const sentence of change?.sentences ?? []) this.#sinks.say(sentence);
    return change?.matters === true;
  }

  /** [N9.11] @param self this player's slot. */
  #tellVersion(self: Slot): void {
    const { code, station, status, roster } = this.#session;
    const host = roster?.host ?? null;
    if (code !== null) this.#version?.tick(code, station.state === 'open', host);
    if (status.kind === 'lost' || this.#version?.takeNews() !== true) return;
    this.#sinks.say(NEW_VERSION[host === self ? 'host' : 'guest']);
  }

  /**
   * A player has begun to wave.
   * @param self this player's slot. At a desk it does not see its own hand, so it is told, too.
   * @returns false if that player waves too often, and nothing was said.
   */
  waved(slot: Slot, self: Slot): boolean {
    const player = this.#playerIn(slot);
    if (player === undefined || !this.#waves.take(player.key)) return false;
    this.#sinks.say(slot === self ? 'You wave.' : `${calledBy(player)} waves.`);
    return true;
  }

  get #aCube(): string {
    return this.#areCubes ? 'a cube' : 'something';
  }

  #say(sentence: string): string {
    this.#sinks.say(sentence);
    return sentence;
  }

  /** @returns a player's name, or its colour's name if it has given none or is no longer here. */
  nameOf(slot: Slot): string {
    return calledBy(this.#playerIn(slot) ?? { slot, name: '' });
  }

  #playerIn(slot: Slot): RosterPlayer | undefined {
    return this.#session.roster?.players.find((other) => other.slot === slot);
  }
}
