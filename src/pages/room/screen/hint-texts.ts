import type { Level } from '../../../core/world/level.ts';
import type { DeskAction } from '../../../storage/done-actions.ts';
import type { GivingStep } from '../../giving/giving-step.ts';
import { halfOf } from '../../giving/giving-step.ts';

/** The device that a player's hands use; it decides the words of the hints. */
export type Device = 'mouse' | 'touch';

/**
 * The text has keys in brackets, and {friend} in place of a friend's name. A player that does one of `doneBy` no
 * longer needs the hint.
 */
export type Hint = { readonly text: string; readonly doneBy: readonly DeskAction[] };

/** The first hint. The hints in LATER wait until the player has done this, and so does the step `pick up`. */
const FIRST: Readonly<Record<Device, Hint>> = {
  mouse: { text: 'Drag a cube with the left button.', doneBy: ['hold'] },
  touch: { text: 'Drag a cube with one finger.', doneBy: ['hold'] },
};

/** The other hints that need no friend, in the order in which a newcomer needs them. */
const LATER: Readonly<Record<Device, readonly Hint[]>> = {
  mouse: [
    { text: 'Flick a cube and let go: it flies.', doneBy: ['throw'] },
    { text: 'Drag empty space to look around.', doneBy: ['look'] },
    { text: 'Walk with [W] [A] [S] [D].', doneBy: ['walk'] },
    { text: 'Hold a cube and turn the wheel: it moves away or comes nearer.', doneBy: ['reach'] },
    { text: 'Hold a cube and turn it with [Q] and [E].', doneBy: ['turn'] },
  ],
  touch: [
    { text: 'Flick a cube and let go: it flies.', doneBy: ['throw'] },
    { text: 'Drag empty space with one finger to look around.', doneBy: ['look'] },
    { text: 'Walk with the stick on the left, or with two fingers.', doneBy: ['walk'] },
    { text: 'Hold a cube: the buttons on the right move and turn it.', doneBy: ['reach', 'turn'] },
  ],
};

const STEPS: Readonly<Record<GivingStep['kind'], string>> = {
  'pick up': 'Take a cube and hold it out to {friend}.',
  'hold out': 'Hold it out to {friend}: press [O].',
  'hold still': 'Hold it still: {friend} can take it now.',
  'let go': 'Let go: {friend} takes it.',
  'put down': 'Put yours down, then press and hold {friend}’s cube.',
  press: 'Press and hold {friend}’s cube to take it.',
  keep: 'Keep pressing until {friend} lets go.',
};
const HOLD_OUT_BY_TOUCH = 'Hold it out to {friend}: tap Give.';

/**
 * Returns the hint for a moment; null if the player needs none.
 * @param done the actions that the player has done, or whose hints it has closed.
 * @param step of a hand-over that the player could take now.
 * @param cubes true if the level has nothing but cubes; else no hint speaks of them.
 */
export function hintAt(
  device: Device,
  done: ReadonlySet<DeskAction>,
  step: GivingStep | null,
  cubes = true,
): Hint | null {
  const hint = nextHint(device, done, step);
  return hint === null || cubes ? hint : { ...hint, text: withoutCubes(hint.text) };
}

/** True if every body that a level begins with is a cube. */
export function hasOnlyCubes({ bodies }: Level): boolean {
  return bodies.every(({ template: { shape } }) => {
    if (shape.kind !== 'box') return false;
    const [x, y, z] = shape.halfExtents;
    return x === y && y === z;
  });
}

function withoutCubes(text: string): string {
  return text.replaceAll(/\ba cube\b/g, 'something').replaceAll(/\bcube\b/g, 'thing');
}

function nextHint(device: Device, done: ReadonlySet<DeskAction>, step: GivingStep | null): Hint | null {
  // A step of a hand-over comes first, because the friend waits. Only `pick up` waits until the player can hold.
  if (step !== null && (step.kind !== 'pick up' || done.has('hold')) && !done.has(halfOf(step))) {
    const text = step.kind === 'hold out' && device === 'touch' ? HOLD_OUT_BY_TOUCH : STEPS[step.kind];
    return { text, doneBy: [halfOf(step)] };
  }
  const hints = [FIRST[device], ...LATER[device]];
  return hints.find(({ doneBy }) => !doneBy.some((action) => done.has(action))) ?? null;
}
