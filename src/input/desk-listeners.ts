import type { DeskPointer, DeskRouter } from './desk-router.ts';

/** Pixels or lines of scrolling that browsers report for one notch of a wheel. */
const PIXELS_PER_NOTCH = 100;
const LINES_PER_NOTCH = 3;

/**
 * Listens to mouse, fingers and keys on a canvas with one or two panes, and passes them to the router. Keys
 * work wherever the focus is, unless the focused control uses them itself.
 * @returns a function that removes all listeners.
 */
export function listenToDesk(canvas: HTMLCanvasElement, router: DeskRouter): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal };

  const onPointer = (event: PointerEvent): void => router.pointer(plainPointer(event));
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      canvas.focus({ preventScroll: true });
      event.preventDefault();
      onPointer(event);
      canvas.setPointerCapture(event.pointerId);
    },
    options,
  );
  // After a panel was used, the keys work again as soon as the pointer is over the canvas, except while somebody types.
  canvas.addEventListener(
    'pointerenter',
    (event) => {
      const isTyping = document.activeElement?.matches('input[type=text]') === true;
      if (event.pointerType !== 'touch' && !isTyping) canvas.focus({ preventScroll: true });
    },
    options,
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      for (const seen of allOf(event)) router.pointer(plainPointer(event, seen));
    },
    options,
  );
  canvas.addEventListener('pointerup', onPointer, options);
  canvas.addEventListener('pointercancel', (event) => router.cancel(plainPointer(event)), options);
  canvas.addEventListener(
    'pointerleave',
    (event) => {
      if (event.pointerType !== 'touch') router.leave();
    },
    options,
  );
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  canvas.addEventListener(
    'wheel',
    (event) => {
      router.wheel(event.offsetX, event.offsetY, notches(event));
      event.preventDefault();
    },
    { ...options, passive: false },
  );

  window.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTakenBy(event.target, event.key)) return;
      if (router.keyDown(event)) event.preventDefault();
    },
    options,
  );
  window.addEventListener('keyup', (event) => router.keyUp(event.code), options);
  window.addEventListener('blur', () => router.blur(), options);
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) router.blur();
    },
    options,
  );
  return () => listening.abort();
}

/**
 * Returns the pointer events that the browser collected since the last one and delivered together; the event
 * itself if it does not tell.
 */
function allOf(event: PointerEvent): readonly PointerEvent[] {
  // Browsers have it only on secure pages.
  const seen = 'getCoalescedEvents' in event ? event.getCoalescedEvents() : [];
  return seen.length > 0 ? seen : [event];
}

/** @param seen the event, or one of the events that came with it. */
function plainPointer(event: PointerEvent, seen: PointerEvent = event): DeskPointer {
  return {
    id: event.pointerId,
    kind: event.pointerType === 'touch' ? 'touch' : 'mouse',
    x: event.offsetX + seen.clientX - event.clientX,
    y: event.offsetY + seen.clientY - event.clientY,
    buttons: seen.buttons,
    alt: event.altKey,
    timeMs: seen.timeStamp,
  };
}

/** Returns notches of the wheel; positive is away from the player. */
function notches(event: WheelEvent): number {
  switch (event.deltaMode) {
    case WheelEvent.DOM_DELTA_PIXEL:
      return -event.deltaY / PIXELS_PER_NOTCH;
    case WheelEvent.DOM_DELTA_LINE:
      return -event.deltaY / LINES_PER_NOTCH;
    default:
      return -Math.sign(event.deltaY);
  }
}

/** Keys that a focused control, or a panel that scrolls, uses itself. */
const CONTROL_KEYS = [' ', 'Enter'];
const SCROLL_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];

/**
 * Returns true if the focused control needs this key: a letter in a text field, the space bar on a button, an
 * arrow in a slider or in a panel.
 */
function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    SCROLL_KEYS.includes(key) &&
    target.closest('input, [role=dialog], [tabindex="0"]:not(canvas)') !== null
  )
    return true;
  if (target instanceof HTMLInputElement && (target.type === 'range' || target.type === 'checkbox')) {
    return key === ' ';
  }
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement)
    return CONTROL_KEYS.includes(key);
  if (target.tagName === 'SUMMARY') return CONTROL_KEYS.includes(key);
  const typing = target.matches('input, select, textarea, [contenteditable]');
  return typing && key !== 'Escape';
}
