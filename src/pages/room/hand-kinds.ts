import type { Slot } from '../../core/base/ids.ts';
import type { HandKind } from '../../core/room/profile.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { GameSession } from './session/session.ts';

/** Milliseconds for which a player has other hands before the others learn it: hands are lost and found again. */
const SETTLED_MS = 400;

/** Tells the others what this player's hands are, and knows what theirs are. */
export class HandKinds {
  readonly #session: Pick<GameSession, 'roster' | 'setProfile'>;
  #told: HandKind = 'pointer';
  #present: HandKind = 'pointer';
  #since = 0;

  constructor(session: Pick<GameSession, 'roster' | 'setProfile'>) {
    this.#session = session;
  }

  /**
   * Call it once a frame.
   * @param player in the headset; null while none is worn.
   */
  tell(player: Pick<HeadsetPlayer, 'devices'> | null, nowMs: number): void {
    const kind = kindOf(player) ?? this.#present;
    if (kind !== this.#present) this.#since = nowMs;
    this.#present = kind;
    if (kind === this.#told || nowMs - this.#since < SETTLED_MS) return;
    this.#told = kind;
    this.#session.setProfile({ hands: kind });
  }

  /** Returns what a player's hands are, by the roster. */
  readonly of = (slot: Slot): HandKind =>
    this.#session.roster?.players.find((player) => player.slot === slot)?.hands ?? 'pointer';
}

/** Returns null while no hand is tracked. */
function kindOf(player: Pick<HeadsetPlayer, 'devices'> | null): HandKind | null {
  if (player === null) return 'pointer';
  if (player.devices.includes('controller')) return 'controllers';
  return player.devices.includes('hand') ? 'bare' : null;
}
