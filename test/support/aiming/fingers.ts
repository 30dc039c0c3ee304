import type { CDPSession } from 'playwright-core';
import type { RoomPlayerPage } from '../pages/room-page.ts';
import type { Point } from './pointer.ts';

/** The fingers on a phone's screen, as the browser's own events. */
export class Fingers {
  readonly #session: CDPSession;
  readonly #points = new Map<number, Point & { readonly id: number }>();

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async on({ context, page }: RoomPlayerPage): Promise<Fingers> {
    return new Fingers(await context.newCDPSession(page));
  }

  /** A finger comes down, or moves. */
  async put(id: number, { x, y }: Point): Promise<void> {
    const type = this.#points.has(id) ? 'touchMove' : 'touchStart';
    this.#points.set(id, { x, y, id });
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints: [...this.#points.values()] });
  }

  async lift(id: number): Promise<void> {
    const point = this.#points.get(id);
    this.#points.delete(id);
    // Those that have ended, and no others.
    const touchPoints = point === undefined ? [] : [point];
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints });
  }
}
