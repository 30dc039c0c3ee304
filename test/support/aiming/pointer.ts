import type { CDPSession } from 'playwright-core';
import type { RoomPlayerPage } from '../pages/room-page.ts';

/** CSS pixels. */
export type Point = { readonly x: number; readonly y: number };

/** Which device moves a pointer. */
export type PointerKind = 'mouse' | 'touch';

/**
 * A mouse's left button or one finger, as the browser's own events with their own times: a page hears of them late on
 * a busy machine, but reads when they were.
 */
export class TimedPointer {
  readonly #session: CDPSession;
  readonly #kind: PointerKind;
  #isDown = false;

  private constructor(session: CDPSession, kind: PointerKind) {
    this.#session = session;
    this.#kind = kind;
  }

  static async on({ context, page }: RoomPlayerPage, kind: PointerKind): Promise<TimedPointer> {
    return new TimedPointer(await context.newCDPSession(page), kind);
  }

  async down(at: Point): Promise<void> {
    if (this.#kind === 'mouse') await this.#mouse('mouseMoved', at, Date.now());
    await this.#send('down', at, Date.now());
    this.#isDown = true;
  }

  /** Goes to a place slowly, so that it can come to rest there. */
  async glide(from: Point, to: Point, steps = 12): Promise<void> {
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await this.#send('move', at, Date.now());
      await new Promise((resolve) => void setTimeout(resolve, 25));
    }
  }

  /**
   * Goes through places, each at its milliseconds after now, and is lifted at the last.
   * @param path at least one place.
   */
  async flick(path: readonly (Point & { readonly afterMs: number })[]): Promise<void> {
    const start = Date.now();
    const sent: Promise<void>[] = [];
    for (const { x, y, afterMs } of path) {
      await new Promise((resolve) => void setTimeout(resolve, start + afterMs - Date.now()));
      sent.push(this.#send('move', { x, y }, start + afterMs));
    }
    const { x, y, afterMs } = path[path.length - 1];
    sent.push(this.#send('up', { x, y }, start + afterMs + 1));
    this.#isDown = false;
    await Promise.all(sent);
  }

  async #send(what: 'down' | 'move' | 'up', at: Point, ms: number): Promise<void> {
    if (this.#kind === 'mouse') {
      const type = { down: 'mousePressed', move: 'mouseMoved', up: 'mouseReleased' } as const;
      return this.#mouse(type[what], at, ms);
    }
    const type = { down: 'touchStart', move: 'touchMove', up: 'touchEnd' } as const;
    await this.#session.send('Input.dispatchTouchEvent', {
      type: type[what],
      touchPoints: [{ ...at, id: 0 }],
      timestamp: ms / 1000,
    });
  }

  async #mouse(type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: Point, ms: number): Promise<void> {
    const isHeld = type === 'mousePressed' || (type === 'mouseMoved' && this.#isDown);
    await this.#session.send('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: type === 'mouseMoved' && !this.#isDown ? 'none' : 'left',
      buttons: isHeld ? 1 : 0,
      clickCount: type === 'mouseMoved' ? 0 : 1,
      timestamp: ms / 1000,
    });
  }
}
