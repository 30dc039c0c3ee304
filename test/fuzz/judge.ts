import { BOUNDS_SLACK, isWithin } from '../../src/core/world/level.ts';
import { MAX_PLAYERS, MAX_POSITION_METRES } from '../../src/core/base/constants.ts';
import { NO_BODY } from '../../src/core/base/ids.ts';
import { STRIDE } from '../../src/core/base/state.ts';
import type { PeerView } from '../../src/core/peer/shown/peer-view.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import { HIGH, LOW } from '../support/packets.ts';

/** Reasons are a short list: bytes must not be able to make new ones. */
const MOST_REASONS = 40;

/** The faults of a peer after its input: [I2], [I5], and memory that grows. Empty if there are none. */
export function faultsOf(peer: Peer, view: PeerView): string[] {
  const faults = [...recordFaults(peer), ...handFaults(peer)];
  peer.view(0.5, null, view);
  // An eased body is drawn up to a metre from its true place.
  const { across, high } = peer.state.bodies.level.bounds;
  const farthest = Math.max(across, high) + BOUNDS_SLACK + 1;
  if (!view.poses.every((n) => Math.abs(n) <= farthest)) faults.push('[I5] a body is drawn outside');
  for (const avatar of view.avatars) {
    if (avatar.present && !isAvatarSound(avatar)) faults.push('[I5] an avatar is drawn outside');
  }
  for (const { stream, nameBytes } of peer.state.authors) {
    const { position, delay } = stream.clock;
    if (!Number.isFinite(position) || !Number.isFinite(delay))
      faults.push('[I5] a playout clock is not finite');
    if (nameBytes.length > 32) faults.push('[F1] a name is too long');
  }
  if (!isSharedSound(peer)) faults.push('[I5] a value is none that the schema allows');
  if (Object.keys(peer.state.rejections).length > MOST_REASONS) faults.push('[F1] reasons pile up');
  return faults;
}

function isSharedSound({ state: { shared } }: Peer): boolean {
  if (shared === null) return true;
  const { layout, store } = shared;
  return layout.groups.every(({ set, count, firstWord }) =>
    Array.from({ length: count }, (_, i) => firstWord + i * set.words).every((from) =>
      set.allows(store.words.subarray(from, from + set.words)),
    ),
  );
}

function isAvatarSound({ head, hands }: PeerView['avatars'][number]): boolean {
  return [head, ...hands.map((hand) => hand.pose)].every(({ position, rotation }) =>
    [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w].every(
      (n) => Math.abs(n) <= MAX_POSITION_METRES,
    ),
  );
}

function recordFaults({ state }: Peer): string[] {
  const { records, motion, count, level } = state.bodies;
  const faults: string[] = [];
  for (let body = 0; body < count; body++) {
    const at = body * STRIDE;
    for (let i = 0; i < STRIDE; i++) {
      const n = records.state[at + i];
      if (!(n >= LOW[i] && n <= HIGH[i])) faults.push(`[I5] number ${i} of body ${body}'s state is ${n}`);
      if (!Number.isFinite(motion[at + i]))
        faults.push(`[I5] number ${i} of body ${body} is ${motion[at + i]}`);
    }
    if (!isWithin(level.bounds, BOUNDS_SLACK, motion, at)) faults.push(`[I5] body ${body} is out`);
    const authority = records.authority[body];
    if (authority < -1 || authority >= MAX_PLAYERS || records.hold[body] > 3) {
      faults.push(`[I5] body ${body} is had by ${authority}, in hand ${records.hold[body]}`);
    }
  }
  return faults;
}

/** [I2] */
function handFaults(peer: Peer): string[] {
  const [left, right] = peer.player.hands;
  const faults =
    left.held !== NO_BODY && left.held === right.held ? [`[I2] ${left.held} is in both hands`] : [];
  for (const { held } of [left, right]) {
    if (held !== NO_BODY && !peer.simulates(held)) faults.push(`[I2] ${held} is in a hand that has it not`);
  }
  return faults;
}
