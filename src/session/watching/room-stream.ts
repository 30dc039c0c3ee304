import { ticksIn } from '../../core/base/constants.ts';
import type { World } from '../world.ts';
import { BundleWriter } from './bundles.ts';
import { writeBegin } from './watch-messages.ts';

/** [N5.2] Seconds between two bundles: a watcher sees the room by so much later at the most. */
const BUNDLE_SECONDS = 0.1;

/** A part of the stream of a room, in the order in which watchers are to get it. */
export type StreamPart =
  /** [N5.4] A world begins: all that came before counts no more. */
  | { readonly kind: 'begin'; readonly text: string }
  /** `isKeyframe`: a watcher may begin with it. */
  | { readonly kind: 'bundle'; readonly bytes: Uint8Array<ArrayBuffer>; readonly isKeyframe: boolean };

/** [N5] The stream of one room for all that watch it, made by the room's host. */
export class RoomStream {
  readonly #tell: (part: StreamPart) => void;
  readonly #bundle = new BundleWriter();
  #world: World | null = null;
  #ticks = 0;

  /** @param tell gets each part. */
  constructor(tell: (part: StreamPart) => void) {
    this.#tell = tell;
  }

  /**
   * Call it after each tick of the world while somebody watches.
   * @param wantsKeyframe true if a watcher waits for a keyframe.
   */
  tick(nowMs: number, world: World, wantsKeyframe: boolean): void {
    if (world !== this.#world) this.#begin(world);
    let hasKeyframe = false;
    world.peer.broadcast(nowMs, wantsKeyframe, (packet, isKeyframe) => {
      // A bundle has a keyframe only at its beginning.
      if (isKeyframe) this.#flush(nowMs, false);
      hasKeyframe ||= isKeyframe;
      this.#bundle.add(packet);
    });
    this.#ticks++;
    if (hasKeyframe || this.#ticks >= ticksIn(BUNDLE_SECONDS, world.level.rate))
      this.#flush(nowMs, hasKeyframe);
  }

  #begin(world: World): void {
    this.#world = world;
    this.#bundle.take(0);
    const { choice: level, peer } = world;
    this.#tell({ kind: 'begin', text: writeBegin({ host: peer.diagnostics.host, level }) });
  }

  #flush(nowMs: number, isKeyframe: boolean): void {
    this.#ticks = 0;
    if (!this.#bundle.isEmpty) this.#tell({ kind: 'bundle', bytes: this.#bundle.take(nowMs), isKeyframe });
  }
}
