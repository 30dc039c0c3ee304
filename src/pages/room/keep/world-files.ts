import type { SavedWorld } from '../../../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../../../core/wire/files/saved-world.ts';
import { FILE_FAULTS, openFile, saveFile } from '../../files.ts';
import { sceneTitle } from '../sentences.ts';
import type { World } from '../../../session/world.ts';
import type { SceneChanges } from './scene-changes.ts';
import { secondsNow } from './world-keeper.ts';
import { gameLevels } from '../../../levels/levels.ts';

/** Saves the cubes of a room to a file, and puts those of a file into the room. */
export class WorldFiles {
  readonly #world: () => World;
  readonly #scenes: Pick<SceneChanges, 'open'>;
  readonly #say: (sentence: string) => void;

  /**
   * @param world returns the world that is shown.
   * @param say shows the player why a file can't be opened.
   */
  constructor(world: () => World, scenes: Pick<SceneChanges, 'open'>, say: (sentence: string) => void) {
    this.#world = world;
    this.#scenes = scenes;
    this.#say = say;
  }

  /** @returns the cubes as they are now. */
  saved(): SavedWorld {
    const { peer, choice } = this.#world();
    return peer.saveWorld(choice, secondsNow());
  }

  /** Hands the cubes as they are now to the player as a file. */
  save(): void {
    const saved = this.saved();
    saveFile('world', `Handover ${sceneTitle(saved.level)}`, writeWorldFile(saved));
  }

  /** Lets the player choose a file, and plays on with its cubes. A file that can't be read changes nothing. */
  open(): void {
    openFile('world', (bytes) => {
      const saved = readWorldFile(bytes, gameLevels);
      if (typeof saved === 'string') this.#say(FILE_FAULTS.world[saved]);
      else this.#scenes.open(saved);
    });
  }
}
