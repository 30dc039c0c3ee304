import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../core/base/ids.ts';
import type { Place } from '../../../input/desk/flick.ts';
import { listenToLetters } from '../screen/letter-keys.ts';
import type { HeadsetDisplay } from '../../../view/headset/display.ts';
import { halfWidthOfWindow } from '../../../view/lens.ts';
import type { WorldView } from '../../../view/world-view.ts';
import type { Sounds } from '../../sounds.ts';
import type { World } from '../../../session/world.ts';
import type { AddingState, Spot } from './adding.ts';
import { Adding, NOTHING_TO_ADD } from './adding.ts';
import { kick } from './kicking.ts';

/** On a screen a new body is in the picture when it has fallen, also in a phone's; in a headset it is near the hand. */
const IN_PICTURE = { away: 2.1, across: 0.65 };
const AT_HAND: Spot = { away: 0.6, across: 1.2, aside: 0.7 };
/** Radians between the middle of a new body and the edge of the picture, at least. */
const FROM_EDGE = 0.12;

/** Called when a player adds or removes bodies by a menu, or kicks one by a button of a headset. */
export type AddHandlers = {
  /** @returns true if the body was kicked; else the player reads why not. */
  onKick(body: BodyId): boolean;
  /** @param kind an index of AddingState's names. */
  onAdd(kind: number): void;
  onRemoveLast(): void;
  onRemoveAll(): void;
};

/** The surroundings of RoomBodies. */
export type RoomBodiesParts = {
  /** The world that is shown. */
  readonly world: () => World;
  readonly drawing: Pick<WorldView, 'pick'>;
  /** While a headset is worn, keys and fingers do nothing. */
  readonly display: Pick<HeadsetDisplay, 'session'>;
  readonly news: { nameOf(slot: Slot): string };
  readonly sounds: Pick<Sounds, 'kicked'>;
  readonly say: (sentence: string) => void;
};

/** The deeds of a player without its hands: it adds and removes bodies, and kicks them. */
export class RoomBodies {
  readonly #parts: RoomBodiesParts;
  readonly #adding: Adding;
  /** For both menus. */
  readonly handlers: AddHandlers;

  /** @param signal aborted when the page leaves the room. */
  constructor(parts: RoomBodiesParts, signal: AbortSignal) {
    this.#parts = parts;
    const { say, news, world } = parts;
    this.#adding = new Adding(say, (slot) => news.nameOf(slot));
    this.handlers = {
      onKick: (body) => this.#kick(body),
      onAdd: (kind) => this.#add(kind),
      onRemoveLast: () => this.#adding.removeLast(world()),
      onRemoveAll: () => this.#adding.removeAll(world()),
    };
    const remove = (): void => this.#removeAimed();
    listenToLetters(signal, {
      f: () => this.#kickAimed(),
      n: () => this.#add(),
      delete: remove,
      backspace: remove,
    });
  }

  /** Null where the level allows no spawning. */
  get state(): AddingState | null {
    return this.#adding.stateOf(this.#parts.world());
  }

  /** Call it in each tick. */
  tick(): void {
    this.#adding.tick(this.#parts.world());
  }

  /** Kicks the body at a place of the picture. */
  kickAt(place: Place): void {
    this.#kick(this.#parts.drawing.pick(place.x, place.y)?.body ?? NO_BODY);
  }

  /** Does nothing while the hand holds a body: then the same key brings that body nearer. */
  #kickAimed(): void {
    const { held, selected } = this.#hand();
    if (held === NO_BODY && this.#parts.display.session === null) this.#kick(selected);
  }

  #kick(body: BodyId): boolean {
    const { world, say, news, sounds } = this.#parts;
    const { peer } = world();
    const { position } = peer.diagnostics.input.head;
    const sentence = kick(world(), position, body, (slot) => news.nameOf(slot));
    if (sentence !== null) say(sentence);
    const isKicked = sentence === null && body !== NO_BODY;
    if (isKicked) sounds.kicked(body);
    return isKicked;
  }

  #add(kind?: number): void {
    const world = this.#parts.world();
    const inPicture: Spot = { ...IN_PICTURE, aside: halfWidthOfWindow() - FROM_EDGE };
    const spot = this.#parts.display.session === null ? inPicture : AT_HAND;
    if (this.state === null) this.#parts.say(NOTHING_TO_ADD);
    else this.#adding.add(world, world.peer.diagnostics.input.head, spot, kind);
  }

  #removeAimed(): void {
    const { held, selected } = this.#hand();
    if (this.#parts.display.session !== null) return;
    if (this.state === null) this.#parts.say(NOTHING_TO_ADD);
    else this.#adding.remove(this.#parts.world(), held === NO_BODY ? selected : held);
  }

  #hand(): { readonly held: BodyId; readonly selected: BodyId } {
    return this.#parts.world().peer.diagnostics.hands[RIGHT];
  }
}
