import type { Slot } from '../../../core/base/ids.ts';
import type { MoveHandlers, RuleHandlers } from '../menu/menu-room.ts';
import type { PlayerHandlers } from '../menu/menu-players.ts';
import type { MoveState } from './server-move.ts';
import { ServerMove } from './server-move.ts';
import { ServerReturn } from './server-return.ts';
import type { GameSession } from './session.ts';

/** Does what a host wants of its room besides another scene: with its players, its rules, and the place where it runs. */
export class HostControls {
  readonly handlers: RuleHandlers & MoveHandlers & Pick<PlayerHandlers, 'onMakeHost' | 'onRemove'>;
  readonly #move: ServerMove;
  readonly #return: ServerReturn;

  /**
   * @param hasServerRooms the site has server rooms.
   * @param say shows a sentence for a moment.
   * @param onRules is called when the rules have changed.
   */
  constructor(
    session: GameSession,
    hasServerRooms: boolean,
    say: (sentence: string) => void,
    onRules: () => void,
  ) {
    const move = (this.#move = new ServerMove(session, hasServerRooms, say));
    this.#return = new ServerReturn(session, hasServerRooms);
    this.handlers = {
      onMakeHost: (slot: Slot) => session.hosting?.giveTo(slot),
      onRemove: (slot: Slot) => session.hosting?.remove(slot),
      onLock(locked) {
        session.hosting?.lock(locked);
        onRules();
      },
      onCapacity(capacity) {
        session.hosting?.setCapacity(capacity);
        onRules();
      },
      onMove: () => move.begin(),
    };
  }

  /** Whether the room can move to the server, or does. */
  get move(): MoveState {
    return this.#move.state;
  }

  /** Call it once a tick. */
  tick(): void {
    this.#move.tick();
    this.#return.tick();
  }

  dispose(): void {
    this.#move.dispose();
    this.#return.dispose();
  }
}
