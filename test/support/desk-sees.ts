import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { RIGHT } from '../../src/core/base/ids.ts';
import { addScaled, copyPose, rotate, vector } from '../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import type { DeskPlayer } from '../../src/input/desk-player.ts';

/** Shows a player a picture in which its hand holds a body this many metres ahead, or none. */
export function showHeld(player: DeskPlayer, body: number | null, metres = 3): void {
  const view = peerView(8);
  view.self = 0 as Slot;
  const mine = view.avatars[0].hands[RIGHT];
  copyPose(player.drawn().hands[RIGHT].pose, mine.pose);
  if (body !== null) {
    mine.held = body as BodyId;
    const ahead = rotate(mine.pose.rotation, vector(0, 0, -1), vector());
    const { x, y, z } = addScaled(mine.pose.position, ahead, metres, vector());
    view.poses.set([x, y, z, 0, 0, 0, 1], body * POSE_STRIDE);
  }
  player.see(view);
}
