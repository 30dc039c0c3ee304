import type { RoomPlayerPage } from '../pages/room-page.ts';
import { inspectOf } from '../pages/room-page.ts';
import { point, squeeze, takeUpHeadset } from '../pages/headset-player.ts';
import type { HintFollower } from './hint-follower.ts';

declare global {
  interface Window {
    /** The texts that the page has written onto labels and panels, in order. */
    written?: string[];
  }
}

/** Milliseconds after which a hand that got nothing opens, and closes again. */
const TAKES_MS = 3000;
/** The labels of a hand-over, as a headset's player reads them at its hands. */
const LABELS = /^(Grip it to take it from .*|Hold on until .* lets go)$/;

/** A player in an emulated headset, with controllers, who does what the labels at its hands say. */
export class HeadsetFollower implements HintFollower {
  readonly player: RoomPlayerPage;
  readonly read: string[] = [];
  #closedAt = Number.NaN;

  private constructor(player: RoomPlayerPage) {
    this.player = player;
  }

  /** Its page emulates a headset that is not worn yet. */
  static async on(player: RoomPlayerPage): Promise<HeadsetFollower> {
    await takeUpHeadset(player);
    await player.page.evaluate(() => {
      const written: string[] = (window.written = []);
      const write = Reflect.get(CanvasRenderingContext2D.prototype, 'fillText');
      Reflect.set(
        CanvasRenderingContext2D.prototype,
        'fillText',
        function (this: CanvasRenderingContext2D, ...args: Parameters<typeof write>) {
          written.push(args[0]);
          write.apply(this, args);
        },
      );
    });
    return new HeadsetFollower(player);
  }

  async step(): Promise<void> {
    const label = (await this.#written()).findLast((text) => LABELS.test(text));
    if (label === undefined) return;
    if (label !== this.read.at(-1)) this.read.push(label);
    if (!label.startsWith('Grip') || Date.now() - this.#closedAt < TAKES_MS) return;
    const { bodies, slot } = await inspectOf(this.player);
    const offered = bodies.find(({ holder }) => holder !== null && holder.slot !== slot);
    if (offered === undefined) return;
    await squeeze(this.player, 'right', 0);
    await point(this.player, 'right', offered.position);
    await squeeze(this.player, 'right', 1);
    this.#closedAt = Date.now();
  }

  async rest(): Promise<void> {
    await squeeze(this.player, 'right', 0);
    this.#closedAt = Number.NaN;
  }

  async #written(): Promise<readonly string[]> {
    return this.player.page.evaluate(() => window.written ?? []);
  }
}
