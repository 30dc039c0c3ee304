import type { JSHandle, Page } from 'playwright-core';

type Point = readonly [x: number, y: number, z: number];

/** Frames after the return that are looked at. */
const FRAMES = 5;

/** Brings a hidden page back. */
export type Hidden = { show(): void };

/**
 * A page as a browser treats it behind other windows: told that it is hidden, with no more frames. Its timers are
 * left alone: those that browsers slow down are not the ones that matter.
 */
export function hide(page: Page): Promise<JSHandle<Hidden>> {
  return page.evaluateHandle(() => {
    const waiting: FrameRequestCallback[] = [];
    const request = window.requestAnimationFrame;
    const tell = (hidden: boolean): void => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
      const state = hidden ? 'hidden' : 'visible';
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    tell(true);
    return {
      show() {
        window.requestAnimationFrame = request;
        tell(false);
        waiting.forEach((callback) => request(callback));
      },
    };
  });
}

/** Brings a page back, and says where it draws a body in its first frames. */
export function framesAfterReturn(hidden: JSHandle<Hidden>, body: number): Promise<Point[]> {
  return hidden.evaluate(
    (page, { body, frames }) =>
      new Promise<Point[]>((resolve) => {
        const drawn: Point[] = [];
        const look = (): void => {
          const slot = window.handover?.inspect()[0].slot ?? 0;
          const { x, y, z } = window.handover?.drawn(slot, body) ?? { x: NaN, y: NaN, z: NaN };
          drawn.push([x, y, z]);
          if (drawn.length < frames) requestAnimationFrame(look);
          else resolve(drawn);
        };
        // Asked for after the page's own, it comes after it.
        page.show();
        requestAnimationFrame(look);
      }),
    { body, frames: FRAMES },
  );
}
