import type { BodyId, Slot } from '../core/base/ids.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import type { JoinProgress } from '../core/room/line.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { Roster, RosterPlayer } from '../core/room/messages.ts';
import type { Profile } from '../core/room/profile.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import type { Level } from '../core/world/level.ts';
import type { RoomSession } from '../session/room-session.ts';
import type { Hosting } from '../session/session.ts';
import type { World } from '../session/world.ts';
import { RoomError } from './failures.ts';
import { roomLink } from './link.ts';

/** The settings of a member that every platform has. */
export type MemberSettings = {
  /** The player's name; cut to 32 bytes of UTF-8. Empty if left out. */
  readonly name?: string;
  /** The slot that the player would like, 0 to 7; it gets another one if that is taken. 0 if left out. */
  readonly slot?: Slot;
  /** The player's head and hands: the room reads it in each tick. If left out, the player has none [T1.4]. */
  readonly input?: PlayerInput;
  /** Called while the member looks for the room, at each new step and each second. */
  readonly onProgress?: (progress: JoinProgress) => void;
  /** Aborted to stop coming in. */
  readonly signal?: AbortSignal;
};

/** The settings of a room that opens. */
export type OpeningSettings = {
  /** Players at most, this one included: 1 to 8. 8 if left out. */
  readonly capacity?: number;
};

/** The parts of a room. */
export type RoomParts<Body> = {
  readonly session: RoomSession;
  /** Null for a player without head and hands. */
  readonly input: PlayerInput | null;
  readonly bodyOf: (id: BodyId) => Body | null;
  /** Called when the people of the room or its rules have changed, and when it is over. */
  readonly onChange: (session: RoomSession) => void;
  /** Called once, just before this member leaves. @param returns it may be back in a moment. */
  readonly onLeave: (returns: boolean, session: RoomSession) => void;
};

/**
 * One member's part in a room, as host or guest: that may change while it plays [F4]. Its owner calls `tick` as often as
 * `level.rate` says, and `dispose` at the end.
 */
export class Room<Body = unknown> {
  readonly #parts: RoomParts<Body>;
  readonly #nobody = playerInput();
  #world: World;
  #roster: Roster | null = null;
  #isOver = false;

  /** @internal @param parts with a session that is in its room. */
  constructor(parts: RoomParts<Body>) {
    this.#parts = parts;
    const { world } = parts.session;
    if (world === null) throw new Error('a room begins with a session that is in it');
    this.#world = world;
    this.#tellChange();
  }

  get #session(): RoomSession {
    return this.#parts.session;
  }

  /** The five letters by which others find the room. */
  get code(): RoomCode {
    return this.#session.code;
  }

  /** A link to the room. @param page the address of the game's page; other fields of its query stay. */
  link(page: string): string {
    return roomLink(page, this.code, this.#session.room);
  }

  /**
   * `here`: in the room. `lost`: the way to the host is broken for now; play goes on. `over`: `error` says why. `left`:
   * after `dispose`, or after the page was left, or frozen as host. A page that keeps its seat and comes back from that is
   * loaded again.
   */
  get status(): 'here' | 'lost' | 'over' | 'left' {
    const { kind } = this.#session.status;
    if (kind === 'ended') return 'over';
    return kind === 'opening' ? 'lost' : kind;
  }

  /** Why the room is over for this member; null while it is not. */
  get error(): RoomError | null {
    const { status } = this.#session;
    return status.kind === 'ended' ? new RoomError(status.why, null, status.cause) : null;
  }

  /** This player's slot. */
  get slot(): Slot {
    return this.peer.diagnostics.slot;
  }

  /** The players of the room, this one included. Another array whenever something of it has changed. */
  get players(): readonly RosterPlayer[] {
    return this.#session.roster?.players ?? [];
  }

  /** The commands of a host; null for a guest. It may change in any tick. */
  get hosting(): Hosting | null {
    return this.#session.hosting;
  }

  /**
   * This member's peer. It is another object after a change of the level, and after this member was missed and has come
   * back. The earlier peer's actions are lost then: the bodies that it kept, and its player's shared values.
   */
  get peer(): Peer {
    return this.#world.peer;
  }

  /** The level that is played. */
  get level(): Level {
    return this.#world.level;
  }

  /** The engine's body of an id, spawned ones included; null if there is none now, and for a level that is data. */
  bodyOf(id: BodyId): Body | null {
    return this.#parts.bodyOf(id);
  }

  /** Changes parts of this player's profile: all players learn it. @throws RangeError for a part that no profile can have. */
  setProfile(change: Partial<Profile>): void {
    this.#session.setProfile(change);
  }

  /**
   * Takes in what has arrived, runs one tick of the world, and sends. Does nothing once the room is over or left.
   * @param nowMs when the tick is due, on the clock of `performance.now`; now if left out.
   */
  tick(nowMs = performance.now()): void {
    const session = this.#session;
    session.tick(nowMs, this.#parts.input ?? this.#nobody);
    if (session.world !== null) this.#world = session.world;
    const isOver = session.status.kind === 'ended';
    if (session.roster !== this.#roster || isOver !== this.#isOver) this.#tellChange();
  }

  #tellChange(): void {
    this.#roster = this.#session.roster;
    this.#isOver = this.#session.status.kind === 'ended';
    this.#parts.onChange(this.#session);
  }

  /**
   * The poses to draw, until the next call.
   * @param alpha where the picture lies between the last two ticks, 0 to 1.
   */
  view(alpha = 1): PeerView {
    const { peer, view } = this.#world;
    peer.view(alpha, this.#parts.input, view);
    return view;
  }

  /**
   * Leaves the room for good: it goes on under another player, if there is one. An own world is given back. A second
   * call does nothing.
   */
  dispose(): void {
    this.leave(false);
  }

  /** Leaves the room. @param returns this member may be back in a moment. @internal */
  leave(returns: boolean): void {
    if (this.#session.status.kind === 'left') return;
    this.#parts.onLeave(returns, this.#session);
    this.#session.leave(returns);
  }
}
