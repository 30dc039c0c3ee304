import type { SavedWorld } from '../../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../../core/world/level-reference.ts';
import type { LevelId } from '../../../levels/levels.ts';
import { isSameLevel } from '../../../core/world/level-reference.ts';
import type { ResetState } from '../model.ts';
import { calledBy } from '../model.ts';
import type { NewsSink } from '../news/news-list.ts';
import { sceneTitle } from '../sentences.ts';
import type { Hosting } from '../../../session/session.ts';
import type { GameSession } from '../session/session.ts';
import type { World } from '../../../session/world.ts';
import { ResetWish } from './reset-wish.ts';
import { secondsNow } from './world-keeper.ts';

/** Returns a new arrangement of a scene, another one each time. Anyone may guess it. */
export function newArrangement(id: LevelId): LevelRecipe {
  return { id, seed: Math.floor(Math.random() * 2 ** 32) };
}

/** Seconds for which a host can bring back wiped cubes. */
const KEPT_SECONDS = 60;

/** The part of a world that is looked at. */
type SeenWorld = Pick<World, 'choice' | 'why' | 'isWorthKeeping'> & {
  readonly peer: Pick<World['peer'], 'saveWorld'> & {
    readonly diagnostics: { readonly events: { readonly counts: { readonly reset: number } } };
  };
};

/** The part of a session that is used. */
type SeenSession = Pick<GameSession, 'hosting' | 'roster' | 'status' | 'slot' | 'setProfile'> & {
  readonly world: SeenWorld | null;
};

/**
 * The scene of a room. It carries out the host's wishes, and keeps the wiped cubes for a minute, so that the host can
 * bring them back. It tells guests about their host's changes. [N1.6] Guests of a server reset the scene together.
 */
export class SceneChanges {
  readonly #session: SeenSession;
  readonly #sinks: NewsSink;
  readonly #wish: ResetWish;
  /** Takes the offer to bring something back off the screen. */
  #withdraw: (() => void) | null = null;
  /** For a guest: the world at the last tick, and its resets so far. */
  #seen: SeenWorld | null = null;
  #resets = 0;

  constructor(session: SeenSession, sinks: NewsSink) {
    this.#session = session;
    this.#sinks = sinks;
    this.#wish = new ResetWish(session, sinks);
  }

  /** [N1.6] The wishes of a server's guests to reset the scene; null where the host is a player. */
  get resetState(): ResetState | null {
    return this.#wish.state;
  }

  /**
   * Puts the cubes of the present scene back to their start, if this page is the host. [N1.6] For a guest of a server: it
   * asks for that, or takes it back. It does nothing for other guests.
   */
  reset(): void {
    if (this.#session.hosting === null) this.#wish.toggle();
    else this.#change('You reset the scene.', (hosting) => hosting.reset());
  }

  /** Begins a scene for everybody. Only a host's wish counts. */
  start(scene: LevelRecipe): void {
    this.#change(`You started ${titleOf(scene)}.`, (hosting) => hosting.setScene(scene));
  }

  /** Puts saved cubes into the room. Only a host's wish counts. */
  open(saved: SavedWorld): void {
    this.#change('You opened the file.', (hosting) => hosting.setScene(saved.level, saved));
  }

  /** Call it once a tick. @param world the world that is shown; the page has received all of it. */
  tick(world: SeenWorld): void {
    if (this.#session.hosting === null) this.#takeBack();
    const { reset } = world.peer.diagnostics.events.counts;
    const before = this.#seen;
    const hasReset = before === world && reset > this.#resets;
    this.#wish.tick(hasReset || (before !== null && before !== world));
    this.#seen = world;
    this.#resets = reset;
    if (this.#session.hosting !== null || before === null) return;
    if (hasReset) this.#tell('reset the scene');
    else if (before !== world) this.#worldChanged(before.choice, world);
  }

  /** [B1.5] A guest has another world. */
  #worldChanged(before: LevelRecipe, { choice, why }: SeenWorld): void {
    if (why === 'file') this.#tell(`opened a file of ${titleOf(choice)}`);
    else if (why === 'return') this.#tell('brought the scene back');
    // The same scene means that this page has only come back to the room, which is no news.
    else if (!isSameLevel(before, choice)) this.#tell(`started ${titleOf(choice)}`);
  }

  #tell(deed: string): void {
    const { roster } = this.#session;
    if (roster === null) return;
    const host = roster.players.find(({ slot }) => slot === roster.host);
    this.#sinks.say(`${calledBy(host ?? { slot: roster.host, name: '' })} ${deed}.`);
  }

  #change(sentence: string, change: (hosting: Hosting) => void): void {
    const { hosting, world } = this.#session;
    if (hosting === null || world === null) return;
    const wiped = world.isWorthKeeping ? world.peer.saveWorld(world.choice, secondsNow()) : null;
    change(hosting);
    this.#takeBack();
    if (wiped === null) {
      this.#sinks.say(sentence);
      return;
    }
    // Bringing back wipes too: what was built meanwhile can be brought back in its turn.
    const bringBack = (): void =>
      this.#change('You brought the scene back.', (host) => host.setScene(wiped.level, wiped, 'return'));
    this.#withdraw = this.#sinks.offer({
      sentence,
      button: 'Bring back',
      act: bringBack,
      seconds: KEPT_SECONDS,
    });
  }

  #takeBack(): void {
    this.#withdraw?.();
    this.#withdraw = null;
  }
}

/** For example "the tower". */
function titleOf(scene: LevelRecipe): string {
  return `the ${sceneTitle(scene).toLowerCase()}`;
}
