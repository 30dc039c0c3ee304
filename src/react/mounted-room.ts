import type { RapierContext, RapierRigidBody } from '@react-three/rapier';
import type { RefObject } from 'react';
import { TICK_RATE } from '../core/base/constants.ts';
import type { BodyId } from '../core/base/ids.ts';
import type { AdoptOptions } from '../physics/lent/adopt.ts';
import type { PageSettings } from '../room/index.ts';
import type { OpeningSettings, Room } from '../room/room.ts';
import type { OwnWorld, SharedValues } from '../room/shared-game.ts';
import { startTicker } from '../room/ticker.ts';
import { BodyPlacer } from './body-placer.ts';

type Body = RefObject<RapierRigidBody | null>;

/** The part of a Physics component's context that a room uses. */
export type PausedPhysics = Pick<
  RapierContext,
  'rapier' | 'world' | 'rigidBodyStates' | 'beforeStepCallbacks' | 'afterStepCallbacks'
>;

/** The settings of a room. They are read once, when it opens. */
export type SharedRoomSettings = Omit<PageSettings, 'signal'> &
  OpeningSettings &
  SharedValues & {
    /** The page's address, or a room's link or code. If it has no room, a new one opens. */
    readonly link?: string;
    /** [B2] Ticks a second, 30 to 120; 60 if left out. A paused Physics does not use its `timeStep`. */
    readonly rate?: number;
    /** As `adopt` of handover/rapier takes them. */
    readonly adopt?: AdoptOptions;
    /** Called once the page is in the room. */
    readonly onRoom?: (room: Room<RapierRigidBody>) => void;
    /**
     * Called when the page can't come in, and when its room is over: `RoomError` for players, `RangeError` for what the
     * program should not share. If left out, the error goes to the error boundary around.
     */
    readonly onError?: (error: Error) => void;
  };

/** Opens a room, or comes into the one of a link. */
export type ComeIn = (
  link: string,
  game: OwnWorld<RapierRigidBody> & PageSettings & OpeningSettings & SharedValues,
) => Promise<Room<RapierRigidBody>>;

/** The calls of a room to the component that mounts it. */
export type MountHandlers = {
  /** The component's properties, as it was rendered last. */
  readonly settings: () => SharedRoomSettings;
  /** The page is in the room, or its players, its status or its host have changed; null after the room was left. */
  readonly onChange: (room: Room<RapierRigidBody> | null) => void;
  /** The page can't come in, or its room is over. */
  readonly onError: (error: Error) => void;
};

/** Frames to wait after the last new body or collider: components add theirs one after the other. */
const QUIET_FRAMES = 10;
/** Frames for which a room waits for the colliders of a shared body: it may have none, by mistake. */
const MOST_FRAMES = 300;

/**
 * `settling`: components are still adding bodies and colliders. `parts` is their number in the last frame, `quiet` counts the
 * frames since it has changed, and `frames` counts all.
 */
type MountState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'settling';
      readonly handlers: MountHandlers;
      parts: number;
      quiet: number;
      frames: number;
    }
  | { readonly kind: 'opening'; readonly handlers: MountHandlers; readonly abort: AbortController }
  | { readonly kind: 'playing'; readonly handlers: MountHandlers; readonly game: Game };

/** A room in play. */
type Game = {
  readonly room: Room<RapierRigidBody>;
  readonly onFrame: ((nowMs: number, xrFrame: unknown) => void) | null;
  readonly stop: () => void;
};

/** The room of one SharedRoom, without React: it waits for the bodies, opens the room, and plays it. */
export class MountedRoom {
  readonly #physics: PausedPhysics;
  readonly #invalidate: () => void;
  readonly #comeIn: ComeIn;
  readonly #shared: Body[] = [];
  /** Shared bodies that are shared no more, unless they are shared again before `dropUnshared`. */
  readonly #unshared = new Set<Body>();
  #state: MountState = { kind: 'idle' };

  /** @param invalidate asks Fiber for a frame. */
  constructor(physics: PausedPhysics, invalidate: () => void, comeIn: ComeIn) {
    this.#physics = physics;
    this.#invalidate = invalidate;
    this.#comeIn = comeIn;
  }

  /**
   * Shares a body with the room, and keeps its place among the others if it was shared before.
   * @returns ends that.
   */
  share(body: Body): () => void {
    if (!this.#unshared.delete(body)) {
      this.#refuseWhileOpen(
        'A shared body was mounted after its room had opened: mount it with its SharedRoom.',
      );
      this.#shared.push(body);
    }
    return () => void this.#unshared.add(body);
  }

  /** Forgets the bodies that are shared no more. A room can't go on without a body, so it ends. */
  dropUnshared(): void {
    if (this.#unshared.size === 0) return;
    this.#refuseWhileOpen(
      'A shared body was unmounted while its room was open: keep it as long as its SharedRoom.',
    );
    for (const body of this.#unshared) this.#shared.splice(this.#shared.indexOf(body), 1);
    this.#unshared.clear();
  }

  /** The index of a shared body among all; -1 if it is not shared. */
  indexOf(body: Body): number {
    return this.#shared.indexOf(body);
  }

  /** Opens the room as soon as the components within have added everything. */
  start(handlers: MountHandlers): void {
    const { rigidBodyStates } = this.#physics;
    if (inUse.has(rigidBodyStates))
      throw new Error('A Physics has one SharedRoom: its room steps the world.');
    inUse.add(rigidBodyStates);
    this.#state = { kind: 'settling', handlers, parts: -1, quiet: 0, frames: 0 };
    this.#invalidate();
  }

  /** Leaves the room. The world is the project's own again. */
  stop(): void {
    const state = this.#state;
    this.#state = { kind: 'idle' };
    inUse.delete(this.#physics.rigidBodyStates);
    if (state.kind === 'opening') state.abort.abort();
    if (state.kind !== 'playing') return;
    const { room, stop } = state.game;
    stop();
    // [F3] A tab keeps its seat in a room that is over, as far as the reason allows.
    room.leave(room.error !== null);
  }

  /** A frame of Fiber. @param xrFrame a headset's; null without one. */
  frame(xrFrame: unknown): void {
    const state = this.#state;
    if (state.kind === 'settling') this.#settle(state);
    if (state.kind !== 'playing') return;
    // The document has the time of the present frame, as requestAnimationFrame says it, but not of a headset's frames.
    const { currentTime } = document.timeline;
    const isDocuments = xrFrame === null && typeof currentTime === 'number';
    state.game.onFrame?.(isDocuments ? currentTime : performance.now(), xrFrame);
  }

  /** Opens the room when nothing more is added: components add the colliders of their meshes some frames after the body. */
  #settle(state: MountState & { kind: 'settling' }): void {
    const { world } = this.#physics;
    const parts = world.bodies.len() + world.colliders.len();
    state.quiet = parts === state.parts ? state.quiet + 1 : 0;
    state.parts = parts;
    state.frames++;
    const isWhole = this.#shared.every(({ current }) => current !== null && current.numColliders() > 0);
    if (state.quiet >= QUIET_FRAMES && (isWhole || state.frames >= MOST_FRAMES))
      void this.#open(state.handlers);
    else this.#invalidate();
  }

  async #open(handlers: MountHandlers): Promise<void> {
    const abort = new AbortController();
    this.#state = { kind: 'opening', handlers, abort };
    try {
      const { link = '', adopt = {}, rate = TICK_RATE, ...settings } = handlers.settings();
      const { rapier, world } = this.#physics;
      world.timestep = 1 / rate;
      const bodies = this.#shared.map(bodyOf);
      const game = { ...settings, engine: rapier, world, bodies, adopt, signal: abort.signal };
      const room = await this.#comeIn(link, game);
      if (abort.signal.aborted) room.dispose();
      else this.#play(room, bodies, handlers);
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #play(room: Room<RapierRigidBody>, bodies: readonly RapierRigidBody[], handlers: MountHandlers): void {
    const placer = new BodyPlacer(this.#physics.rigidBodyStates, idsOf(bodies));
    let rendered = changingParts(room);
    const tick = (): void => {
      const { world, beforeStepCallbacks, afterStepCallbacks } = this.#physics;
      for (const { current } of beforeStepCallbacks) current(world);
      room.tick();
      for (const { current } of afterStepCallbacks) current(world);
      this.#invalidate();
      if (room.error !== null) return this.#fail(room.error);
      const now = changingParts(room);
      if (now.every((part, i) => part === rendered[i])) return;
      rendered = now;
      handlers.onChange(room);
    };
    let onFrame: Game['onFrame'] = null;
    const stop = startTicker({
      rate: room.level.rate,
      tick,
      frame: (alpha) => placer.place(room.view(alpha)),
      frames: { setAnimationLoop: (call) => void (onFrame = call) },
    });
    this.#state = { kind: 'playing', handlers, game: { room, stop, onFrame } };
    placer.place(room.view());
    handlers.onChange(room);
    handlers.settings().onRoom?.(room);
  }

  #fail(error: Error): void {
    const state = this.#state;
    this.stop();
    if (state.kind === 'idle') return;
    if (state.kind === 'playing') state.handlers.onChange(null);
    state.handlers.onError(error);
  }

  #refuseWhileOpen(sentence: string): void {
    const { kind } = this.#state;
    if (kind === 'opening' || kind === 'playing') this.#fail(new RangeError(sentence));
  }
}

/** The `rigidBodyStates` of each Physics that has a room. */
const inUse = new WeakSet<PausedPhysics['rigidBodyStates']>();

function bodyOf({ current }: Body, index: number): RapierRigidBody {
  if (current === null) throw new RangeError(`Shared body ${index} has no RigidBody: give its ref to one.`);
  return current;
}

/** The parts of a room for which components are rendered again. */
function changingParts(room: Room<RapierRigidBody>): readonly unknown[] {
  return [room.peer, room.players, room.status, room.hosting];
}

/** The ids of shared bodies, by their handles in the engine. */
function idsOf(bodies: readonly RapierRigidBody[]): ReadonlyMap<number, BodyId> {
  return new Map(bodies.map(({ handle }, i) => [handle, i as BodyId]));
}
