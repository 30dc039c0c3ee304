import type { Slot } from '../../core/base/ids.ts';
import { HAND_SIDES } from '../../core/base/ids.ts';
import type { AvatarView, PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Placeable } from './place.ts';
import { placeAt } from './place.ts';

/** A project's objects for one player: the head, and the left and the right hand. Null: not drawn. */
export type AvatarParts = {
  readonly head: Placeable | null;
  readonly hands: readonly [Placeable | null, Placeable | null];
};

/** How a project makes and removes its objects for players. */
export type AvatarMaker<Parts extends AvatarParts> = {
  /** Makes the objects of a player who has come, and adds them to the scene. */
  create(slot: Slot): Parts;
  /** The player has left. */
  remove(parts: Parts): void;
};

/** A project's objects for the players of a room: they appear with each player, follow it, and go with it. */
export class AvatarObjects<Parts extends AvatarParts> {
  readonly #maker: AvatarMaker<Parts>;
  readonly #parts = new Map<Slot, Parts>();

  constructor(maker: AvatarMaker<Parts>) {
    this.#maker = maker;
  }

  /** Shows a view; call it once a frame, after `Peer.view`. The player of this peer does not see its own head. */
  update({ avatars, self }: PeerView): void {
    for (const avatar of avatars) {
      const parts = this.#partsOf(avatar);
      if (parts === null) continue;
      if (parts.head !== null) {
        parts.head.visible = avatar.slot !== self;
        placeAt(parts.head, avatar.head);
      }
      for (const side of HAND_SIDES) {
        const object = parts.hands[side];
        if (object === null) continue;
        object.visible = avatar.hands[side].tracked;
        placeAt(object, avatar.hands[side].pose);
      }
    }
  }

  /** The objects of a player who is there; those of one who has gone are removed. */
  #partsOf({ slot, present }: AvatarView): Parts | null {
    const parts = this.#parts.get(slot);
    if (present === (parts !== undefined)) return parts ?? null;
    if (parts !== undefined) {
      this.#maker.remove(parts);
      this.#parts.delete(slot);
      return null;
    }
    const created = this.#maker.create(slot);
    this.#parts.set(slot, created);
    return created;
  }

  /** Removes all objects. */
  dispose(): void {
    for (const parts of this.#parts.values()) this.#maker.remove(parts);
    this.#parts.clear();
  }
}
