import './touch.css';
import type { DeskPlayer } from '../../../input/desk-player.ts';
import type { DeskKey } from '../../../input/desk/desk-walk.ts';
import type { Place } from '../../../input/desk/flick.ts';
import { deflection } from '../../../input/thumb-stick.ts';
import { el, svgPath } from '../../panel/dom.ts';

/** The stick for a thumb, and the tools for a held body. In the world, one finger holds or looks, and two walk. */
export type TouchControls = {
  /** False hides the controls, as under a menu; true shows them as long as fingers are used. */
  show(visible: boolean): void;
  /**
   * Shows the tools for a held body, and keeps them away from it.
   * @param at where the body is held, in pane coordinates; null if none is.
   * @param canGive whether somebody is there to give it to.
   */
  hold(at: Place | null, canGive: boolean): void;
  dispose(): void;
};

/** Pixels from the stick's middle to a full push: a thumb reaches so far without moving the hand. */
const STICK_RADIUS = 40;
/** Milliseconds between two steps of a button that repeats. */
const REPEAT_MS = 50;
/** Notches of the wheel in one step: it makes 2 m/s. */
const REPEAT_NOTCHES = 0.4;
/** Milliseconds for which a button stays down when it is pressed without a finger, as by a screen reader. */
const TAP_MS = 200;

/**
 * Pane coordinates for a screen held upright, and for one held sideways. A held body to the right of `right` and below
 * `low` would be covered by the tools, so they move up. They move down again once the body is above `high`.
 */
const UNDER_TOOLS = {
  upright: { right: -0.1, low: -0.3, high: -0.1 },
  sideways: { right: 0.4, low: 0.15, high: 0.35 },
} as const;

/** Presses a button, and returns the function that lets go of it. */
type Press = (player: DeskPlayer) => () => void;

type ButtonLook = {
  readonly name: string;
  /** The text that stands on it; `label` is what a screen reader says. */
  readonly text: string;
  readonly label: string;
  readonly icon: string;
  readonly press: Press;
};

/** The tool that is there with a friend only. */
const GIVE = 'give';

/** The icons are lines in a square of 24 units. */
const BUTTONS: readonly ButtonLook[] = [
  {
    name: GIVE,
    text: 'Give',
    label: 'Hold it out to a friend',
    icon: 'M2.5 8.5h8v8h-8zM13.5 12.5h8M18 9l3.5 3.5L18 16',
    press: (player) => {
      player.holdOut();
      return () => undefined;
    },
  },
  {
    name: 'out',
    text: 'Further',
    label: 'Move it further',
    icon: 'M3 21 8 3M21 21 16 3M12 20V8M9 11l3-3 3 3',
    press: reach(1),
  },
  {
    name: 'in',
    text: 'Nearer',
    label: 'Bring it nearer',
    icon: 'M3 21 8 3M21 21 16 3M12 6v12M9 15l3 3 3-3',
    press: reach(-1),
  },
  {
    name: 'to-hand',
    text: 'To hand',
    label: 'Bring it to hand',
    icon: 'M8.5 4h7v7h-7zM3.5 13.5c1.5 8.5 15.5 8.5 17 0',
    press: key('trigger'),
  },
  {
    name: 'turn-left',
    text: 'Turn left',
    label: 'Turn left',
    icon: 'M19.4 16.5A8 8 0 1 0 4 14M1 11.5l3 3.2 3.2-3.2',
    press: key('turnLeft'),
  },
  {
    name: 'turn-right',
    text: 'Turn right',
    label: 'Turn right',
    icon: 'M4.6 16.5A8 8 0 1 1 20 14M23 11.5l-3 3.2-3.2-3.2',
    press: key('turnRight'),
  },
];

function key(name: DeskKey): Press {
  return (player) => {
    player.key(name, true);
    return () => player.key(name, false);
  };
}

function reach(direction: 1 | -1): Press {
  return (player) => {
    const step = (): void => player.wheel(direction * REPEAT_NOTCHES);
    step();
    const repeating = setInterval(step, REPEAT_MS);
    return () => clearInterval(repeating);
  };
}

/**
 * Adds a stick to walk with under the left thumb, and buttons for the held body under the right thumb. They are
 * shown while fingers are used: from the start on a device without a mouse, else from the first touch until the
 * mouse moves. Each control follows its own finger.
 */
export function createTouchControls(container: HTMLElement, player: DeskPlayer): TouchControls {
  const stick = createStick((right, forward) => player.walk(right, forward));
  const buttons = BUTTONS.map((look) => createButton(look, player));
  const tools = el(
    'div',
    { class: 'touch-buttons', role: 'group', 'aria-label': 'What you hold', hidden: true },
    ...buttons.map((button) => button.element),
  );
  const give = buttons[BUTTONS.findIndex(({ name }) => name === GIVE)].element;
  const element = el('div', { class: 'touch' }, stick.element, tools);
  container.append(element);

  const listening = new AbortController();
  let isWanted = true;
  let hasFingers = window.matchMedia('(pointer: coarse)').matches;
  const update = (): void => {
    element.hidden = !(isWanted && hasFingers);
    if (element.hidden) for (const part of [stick, ...buttons]) part.release();
  };
  const onPointer = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== 'touch' && pointerType !== 'mouse') return;
    if (hasFingers === (pointerType === 'touch')) return;
    hasFingers = !hasFingers;
    update();
  };
  const options = { signal: listening.signal, capture: true, passive: true };
  window.addEventListener('pointerdown', onPointer, options);
  window.addEventListener('pointermove', onPointer, options);
  update();
  return {
    show(visible) {
      isWanted = visible;
      update();
    },
    hold(at, canGive) {
      give.hidden = !canGive;
      if (at === null && !tools.hidden) for (const button of buttons) button.release();
      tools.hidden = at === null;
      if (at === null) return;
      const { right, low, high } = UNDER_TOOLS[innerWidth > innerHeight ? 'sideways' : 'upright'];
      if (at.x > right && at.y < low) tools.classList.add('high');
      else if (at.x < right || at.y > high) tools.classList.remove('high');
    },
    dispose() {
      isWanted = false;
      update();
      listening.abort();
      element.remove();
    },
  };
}

/** A control for one finger at a time. */
type Control = { readonly element: HTMLElement; release(): void };

type Grasp = {
  begin(event: PointerEvent): void;
  move?(event: PointerEvent): void;
  end(): void;
};

/**
 * Follows the first finger that comes down on an element until it is lifted, also outside the element.
 * @returns a function that ends the grasp, if there is one.
 */
function followFinger(element: HTMLElement, grasp: Grasp): () => void {
  let finger: number | null = null;
  const release = (): void => {
    if (finger === null) return;
    finger = null;
    grasp.end();
  };
  element.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    if (finger !== null) return;
    finger = event.pointerId;
    element.setPointerCapture(event.pointerId);
    grasp.begin(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (event.pointerId === finger) grasp.move?.(event);
  });
  const onEnd = (event: PointerEvent): void => {
    if (event.pointerId === finger) release();
  };
  element.addEventListener('pointerup', onEnd);
  element.addEventListener('pointercancel', onEnd);
  element.addEventListener('lostpointercapture', onEnd);
  element.addEventListener('contextmenu', (event) => event.preventDefault());
  // Safari zooms, selects or scrolls on some touches in spite of the style.
  element.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
  return release;
}

/** A stick: its middle is where the thumb comes down, so that the player need not look for it. */
function createStick(onPush: (right: number, forward: number) => void): Control {
  const knob = el('div', { class: 'touch-knob' });
  const ring = el('div', { class: 'touch-ring' }, knob);
  const element = el('div', { class: 'touch-stick', role: 'img', 'aria-label': 'Stick to walk with' }, ring);
  const middle = { x: 0, y: 0 };
  const push = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - middle.x, event.clientY - middle.y];
    const { right, forward } = deflection(x, y, STICK_RADIUS);
    onPush(right, forward);
    const share = Math.min(1, STICK_RADIUS / Math.hypot(x, y));
    knob.style.translate = `${x * share}px ${y * share}px`;
  };
  const release = followFinger(element, {
    begin(event) {
      const zone = element.getBoundingClientRect();
      const half = ring.offsetWidth / 2;
      middle.x = within(event.clientX, zone.left + half, zone.right - half);
      middle.y = within(event.clientY, zone.top + half, zone.bottom - half);
      const [x, y] = [middle.x - zone.left - zone.width / 2, middle.y - zone.top - zone.height / 2];
      ring.style.translate = `${x}px ${y}px`;
      element.classList.add('pressed');
      push(event);
    },
    move: push,
    end() {
      onPush(0, 0);
      element.classList.remove('pressed');
      ring.style.translate = '';
      knob.style.translate = '';
    },
  });
  return { element, release };
}

function createButton({ name, text, label, icon, press }: ButtonLook, player: DeskPlayer): Control {
  const element = el(
    'button',
    { type: 'button', class: `touch-button ${name}`, 'aria-label': label },
    svgPath(icon, 24, 'none'),
    el('span', {}, text),
  );
  let end = (): void => undefined;
  const grasp: Grasp = {
    begin() {
      element.classList.add('pressed');
      end = press(player);
    },
    end() {
      element.classList.remove('pressed');
      end();
    },
  };
  const release = followFinger(element, grasp);
  element.addEventListener('click', (event) => {
    // A finger's press has been taken in when it came down.
    if (event.detail > 0) return;
    const endPress = press(player);
    setTimeout(endPress, TAP_MS);
  });
  return { element, release };
}

function within(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
