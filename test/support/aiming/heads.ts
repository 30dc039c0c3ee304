import type { AvatarView } from '../../../src/core/peer/shown/peer-view.ts';
import type { RoomPlayerPage } from '../pages/room-page.ts';

export type Place = { readonly x: number; readonly y: number; readonly z: number };

/** Where a page draws a body. */
export async function drawn({ page }: RoomPlayerPage, body: number): Promise<Place> {
  return page.evaluate(
    ({ body, self }) => {
      const at = window.handover?.drawn(self, body);
      if (at === undefined) throw new Error('the page draws no such cube');
      return at;
    },
    { body, self: 0 },
  );
}

/** The head of a player as a page sees it. */
export async function headOf({ page }: RoomPlayerPage, of: number): Promise<AvatarView['head']> {
  return page.evaluate((of) => {
    const { handover } = window;
    const avatar = handover?.avatar(handover.inspect()[0].slot, of);
    if (avatar === undefined) throw new Error('the page sees no such player');
    return avatar.head;
  }, of);
}

/** Radians to the left of -z. */
export function yawOf({ rotation }: AvatarView['head']): number {
  return 2 * Math.atan2(rotation.y, rotation.w);
}

/** Radians between two heads' bearings. */
export function turned(a: AvatarView['head'], b: AvatarView['head']): number {
  const angle = yawOf(b) - yawOf(a);
  return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
}

/** Metres. */
export function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}
