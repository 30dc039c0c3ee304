import type { DeskKey } from './desk-walk.ts';

/** A deed of the hand that a key does once, when it goes down. */
export type HandKey = 'toggleGrip' | 'chooseLeft' | 'chooseRight' | 'holdOut';

/** The keys for moving are chosen by their place on the keyboard, not by their letter. */
const BY_PLACE: Readonly<Record<string, DeskKey>> = {
  KeyW: 'forward',
  KeyS: 'back',
  KeyA: 'left',
  KeyD: 'right',
  KeyR: 'up',
  KeyC: 'down',
  KeyQ: 'turnLeft',
  KeyE: 'turnRight',
  KeyF: 'trigger',
  ShiftLeft: 'shift',
  ShiftRight: 'shift',
};
/** The others are chosen by what is printed on them. */
const BY_NAME: Readonly<Record<string, DeskKey>> = {
  arrowleft: 'lookLeft',
  arrowright: 'lookRight',
  arrowup: 'lookUp',
  arrowdown: 'lookDown',
  pageup: 'further',
  '+': 'further',
  '=': 'further',
  pagedown: 'nearer',
  '-': 'nearer',
  t: 'throw',
};
const HAND_KEYS: Readonly<Record<string, HandKey>> = {
  enter: 'toggleGrip',
  ',': 'chooseLeft',
  '.': 'chooseRight',
  o: 'holdOut',
};

/** Returns the key that acts while it is down, or undefined. The arguments are KeyboardEvent's. */
export function deskKeyOf(code: string, key: string): DeskKey | undefined {
  return BY_PLACE[code] ?? BY_NAME[key.toLowerCase()];
}

/** Returns what a key does with the hand once, or undefined. The argument is KeyboardEvent's. */
export function handKeyOf(key: string): HandKey | undefined {
  return HAND_KEYS[key.toLowerCase()];
}
