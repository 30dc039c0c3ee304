import type { DeskPlayer } from './desk-player.ts';
import type { Slot } from '../core/base/ids.ts';
import type { Choice } from './desk/choose-body.ts';
import type { HandKey } from './desk/desk-keys.ts';
import { deskKeyOf, handKeyOf } from './desk/desk-keys.ts';
import { DeskTouch } from './desk/desk-touch.ts';
import type { DeskKey } from './desk/desk-walk.ts';
import type { Pane, PaneRectangles, Rectangle } from './panes.ts';
import { acrossPane, GUEST_PANE, HOST_PANE, paneAt, paneRectangles, upPane } from './panes.ts';

/** A pointer event without the DOM: CSS pixels within the canvas, buttons as in PointerEvent.buttons. */
export type DeskPointer = {
  readonly id: number;
  readonly kind: 'mouse' | 'touch';
  readonly x: number;
  readonly y: number;
  readonly buttons: number;
  readonly alt: boolean;
  /** Milliseconds, on the clock of the frames. */
  readonly timeMs: number;
};

/** A key event without the DOM: KeyboardEvent's `code`, `key` and `repeat`. */
export type DeskKeystroke = { readonly code: string; readonly key: string; readonly repeat: boolean };

/** Key presses for the page. */
export type DeskCommand = 'reset' | 'help' | 'panel' | 'ghosts' | 'dismiss';

export type DeskHandlers = {
  onCommand(command: DeskCommand): void;
  /** Alt-click at (x, y) of a pane, from -1 at its lower left corner to 1 at its upper right one. */
  onInspect(pane: Pane, x: number, y: number): void;
  /** This pane has become the active one: the keys act in it. */
  onActive(pane: Pane): void;
  /** A finger has tapped twice; the pane's player points there. */
  onDoubleTap?(pane: Pane): void;
  /** A key has done something with the hand that is not seen at once, or could not. */
  onHandKey?(deed: HandDeed): void;
};

/** A deed of a key: it has chosen a body, or null; or held one out to a friend, or to nobody. */
export type HandDeed =
  | { readonly kind: 'choose'; readonly choice: Choice | null }
  | { readonly kind: 'hold out'; readonly friend: Slot | null };

const PANE_KEYS: Readonly<Record<string, Pane>> = {
  Digit1: HOST_PANE,
  Numpad1: HOST_PANE,
  Digit2: GUEST_PANE,
  Numpad2: GUEST_PANE,
};
/** The keys for commands are chosen by their letter. */
const COMMAND_KEYS: Readonly<Record<string, DeskCommand>> = {
  ' ': 'reset',
  h: 'help',
  n: 'panel',
  g: 'ghosts',
  escape: 'dismiss',
};

const LEFT_BUTTON = 1;
const RIGHT_BUTTON = 2;
/** Radians that the head turns per pixel. The right button turns the head; the left one drags the world. */
const MOUSE_LOOK = 0.004;
const MOUSE_DRAG = 0.003;

/** One player for the whole window, or one per pane. */
type DeskPlayers = readonly [DeskPlayer] | readonly [DeskPlayer, DeskPlayer];

/**
 * Sends each event to a player. The pointer acts in the pane below it; while a button is down, in the pane
 * where it went down. The keys act in the active pane. It does not use the DOM: the listeners pass plain
 * events.
 */
export class DeskRouter {
  readonly #players: readonly DeskPlayer[];
  readonly #count: 1 | 2;
  readonly #handlers: DeskHandlers;
  readonly #touches: readonly DeskTouch[];
  readonly #fingerPane = new Map<number, Pane>();
  #panes: PaneRectangles;
  #active: Pane = HOST_PANE;
  #mousePane: Pane | undefined;
  #mouseX = 0;
  #mouseY = 0;
  #buttons = 0;
  /** True if the pressed buttons are ignored until all of them are up. */
  #muted = false;
  #inspecting = false;
  /** The keys that are down, by their codes: a letter may change while its key is down. */
  readonly #keys = new Map<string, DeskKey>();

  constructor(players: DeskPlayers, handlers: DeskHandlers) {
    this.#players = players;
    this.#handlers = handlers;
    this.#count = players.length;
    this.#touches = players.map((player, i) => {
      const pane = i === 0 ? HOST_PANE : GUEST_PANE;
      return new DeskTouch(player, {
        placeOf: ({ x, y }) => ({ x: acrossPane(this.#panes[pane], x), y: upPane(this.#panes[pane], y) }),
        onDoubleTap: () => handlers.onDoubleTap?.(pane),
      });
    });
    this.#panes = paneRectangles(1, 1, this.#count);
  }

  get active(): Pane {
    return this.#active;
  }

  /** The rectangles of the panes; the worlds are drawn in the same ones. */
  get panes(): PaneRectangles {
    return this.#panes;
  }

  /** Sets the canvas's size in CSS pixels. */
  resize(width: number, height: number): void {
    this.#panes = paneRectangles(width, height, this.#count);
  }

  /** Makes a pane the active one. */
  activate(pane: Pane): void {
    if (pane === this.#active) return;
    this.#players[this.#active].releaseKeys();
    this.#active = pane;
    this.#handlers.onActive(pane);
  }

  /** A pointer went down, moved or went up, as `buttons` says. */
  pointer(event: DeskPointer): void {
    if (event.kind === 'touch') this.#touch(event);
    else this.#mouse(event);
  }

  /** The mouse has left the canvas with no button down. */
  leave(): void {
    if (this.#mousePane !== undefined) this.#players[this.#mousePane].leave();
    this.#mousePane = undefined;
    this.#buttons = 0;
  }

  /** The browser has cancelled a pointer: its hand drops its body. */
  cancel(event: DeskPointer): void {
    if (event.kind === 'touch') {
      const pane = this.#fingerPane.get(event.id);
      if (pane === undefined) return;
      this.#players[pane].drop();
      this.#fingerPane.delete(event.id);
      this.#touches[pane].forget(event.id);
    } else if (this.#mousePane !== undefined) {
      this.#players[this.#mousePane].letGo();
      this.#forgetMouse();
    }
  }

  /** The window has lost the focus: every hand drops its body, and all keys are up. */
  blur(): void {
    for (const player of this.#players) player.letGo();
    this.#forgetMouse();
    this.#fingerPane.clear();
    for (const touch of this.#touches) touch.clear();
  }

  /** Moves the wheel by notches away from the player, with the mouse at (x, y). */
  wheel(x: number, y: number, notches: number): void {
    const pane = this.#buttons !== 0 ? this.#mousePane : paneAt(this.#panes, x, y);
    if (pane !== undefined) this.#players[pane].wheel(notches);
  }

  /** Returns true if the key has a meaning here. */
  keyDown(keystroke: DeskKeystroke): boolean {
    const pane = this.#count === 2 ? PANE_KEYS[keystroke.code] : undefined;
    const key = deskKeyOf(keystroke.code, keystroke.key);
    const hand = handKeyOf(keystroke.key);
    const command = COMMAND_KEYS[keystroke.key.toLowerCase()];
    if (keystroke.repeat) return [pane, key, hand, command].some((meaning) => meaning !== undefined);
    if (pane !== undefined) this.activate(pane);
    else if (key !== undefined) this.#pressKey(keystroke.code, key);
    else if (hand !== undefined) this.#doByHand(hand);
    else if (command !== undefined) this.#handlers.onCommand(command);
    else return false;
    return true;
  }

  keyUp(code: string): void {
    const key = this.#keys.get(code);
    this.#keys.delete(code);
    if (key !== undefined) this.#players[this.#active].key(key, false);
  }

  #pressKey(code: string, key: DeskKey): void {
    this.#keys.set(code, key);
    this.#players[this.#active].key(key, true);
  }

  #doByHand(key: HandKey): void {
    const player = this.#players[this.#active];
    switch (key) {
      case 'toggleGrip':
        player.toggleGrip();
        break;
      case 'chooseLeft':
      case 'chooseRight': {
        const choice = player.choose(key === 'chooseRight' ? 1 : -1);
        this.#handlers.onHandKey?.({ kind: 'choose', choice });
        break;
      }
      case 'holdOut':
        this.#handlers.onHandKey?.({ kind: 'hold out', friend: player.holdOut() });
        break;
    }
  }

  #mouse(event: DeskPointer): void {
    if (event.buttons === 0) this.#muted = false;
    const before = this.#buttons;
    const buttons = this.#muted ? 0 : event.buttons;
    const pressed = buttons & ~before;
    const released = before & ~buttons;
    const captured = before !== 0 ? this.#mousePane : undefined;
    const pane = captured ?? this.#enter(event);
    const player = this.#players[pane];
    const rectangle = this.#panes[pane];

    if ((before & buttons & RIGHT_BUTTON) !== 0) {
      player.look((this.#mouseX - event.x) * MOUSE_LOOK, (this.#mouseY - event.y) * MOUSE_LOOK);
    } else if ((before & buttons & LEFT_BUTTON) !== 0 && player.isEmptyHanded && !this.#inspecting) {
      player.dragView((event.x - this.#mouseX) * MOUSE_DRAG, (event.y - this.#mouseY) * MOUSE_DRAG);
    }
    this.#mouseX = event.x;
    this.#mouseY = event.y;
    this.#buttons = buttons;
    point(player, rectangle, event);

    if (pressed !== 0) this.activate(pane);
    if ((pressed & LEFT_BUTTON) !== 0) {
      this.#inspecting = event.alt;
      if (event.alt)
        this.#handlers.onInspect(pane, acrossPane(rectangle, event.x), upPane(rectangle, event.y));
      else player.grip(true);
    }
    if ((released & LEFT_BUTTON) !== 0 && !this.#inspecting) player.grip(false);
    if (buttons === 0 && paneAt(this.#panes, event.x, event.y) !== pane) {
      point(this.#players[this.#enter(event)], this.#panes[paneAt(this.#panes, event.x, event.y)], event);
    }
  }

  /** Returns the pane below the mouse; a pane becomes active when the mouse enters it. */
  #enter(event: DeskPointer): Pane {
    const pane = paneAt(this.#panes, event.x, event.y);
    if (pane !== this.#mousePane) {
      if (this.#mousePane !== undefined) this.#players[this.#mousePane].leave();
      this.#mousePane = pane;
      this.activate(pane);
    }
    return pane;
  }

  #forgetMouse(): void {
    this.#muted = this.#buttons !== 0;
    this.#buttons = 0;
    this.#mousePane = undefined;
  }

  #touch(event: DeskPointer): void {
    const pane = this.#fingerPane.get(event.id) ?? paneAt(this.#panes, event.x, event.y);
    const touch = this.#touches[pane];
    const { id, x, y, buttons } = event;
    const move = (): void => point(this.#players[pane], this.#panes[pane], event);
    if (buttons === 0) {
      this.#fingerPane.delete(id);
      touch.lift(id, move, event.timeMs);
    } else if (touch.has(id)) touch.move(id, x, y, move);
    else {
      this.activate(pane);
      this.#fingerPane.set(id, pane);
      touch.land(id, x, y, move, event.timeMs);
    }
  }
}

function point(player: DeskPlayer, pane: Rectangle, event: DeskPointer): void {
  player.point(acrossPane(pane, event.x), upPane(pane, event.y), event.timeMs);
}
