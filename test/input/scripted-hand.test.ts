import { describe, expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../src/core/base/ids.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import type { ScriptedHand } from '../../src/input/scripted-hand.ts';
import { ScriptedHands } from '../../src/input/scripted-hand.ts';

const HOST = 0 as Slot;
const GUEST = 1 as Slot;
const SOMEWHERE: ScriptedHand = { position: { x: 1, y: 1.5, z: -2 } };

function own(): ReturnType<typeof playerInput> {
  const input = playerInput();
  input.age = 0.5;
  input.head.position.y = 1.6;
  for (const hand of input.hands) {
    hand.tracked = true;
    hand.grip = 1;
    hand.tilt = true;
  }
  return input;
}

describe('a scripted hand', () => {
  test('replaces the hand of its slot and side, and nothing else', () => {
    const scripts = new ScriptedHands(2);
    const desk = own();
    scripts.hand(GUEST, 'left', {
      ...SOMEWHERE,
      rotation: { x: 0, y: 0.3, z: 0, w: 0.4 },
      trigger: 0.6,
      stick: { x: -0.5, y: 1 },
    });
    expect(scripts.over(HOST, desk)).toBe(desk);
    const input = scripts.over(GUEST, desk);
    expect(input).toMatchObject({ age: 0.5, head: { position: { y: 1.6 } } });
    expect(input.hands[RIGHT]).toEqual(desk.hands[RIGHT]);
    expect(input.hands[LEFT]).toMatchObject({
      tracked: true,
      pose: { position: SOMEWHERE.position, rotation: { x: 0, y: 0.6, z: 0, w: 0.8 } },
      grip: 0,
      trigger: 0.6,
      stick: { x: -0.5, y: 1 },
      tilt: false,
    });
    expect(desk).toEqual(own());
  });

  test('null gives the hand back', () => {
    const scripts = new ScriptedHands(2);
    const desk = own();
    scripts.hand(HOST, 'right', SOMEWHERE);
    expect(scripts.over(HOST, desk)).not.toBe(desk);
    scripts.hand(HOST, 'right', null);
    expect(scripts.over(HOST, desk)).toBe(desk);
  });

  test('is an open, level hand by default', () => {
    const scripts = new ScriptedHands(2);
    scripts.hand(HOST, 'right', { ...SOMEWHERE, grip: 1, rotation: { x: 1, y: 0, z: 0, w: 0 } });
    scripts.hand(HOST, 'right', SOMEWHERE);
    expect(scripts.over(HOST, own()).hands[RIGHT]).toMatchObject({
      pose: { rotation: { x: 0, y: 0, z: 0, w: 1 } },
      grip: 0,
      pointing: true,
    });
  });
});

describe('a wrong argument is refused in one sentence, and changes nothing', () => {
  const cases: readonly (readonly [string, readonly unknown[], RegExp])[] = [
    ['the slot', [2, 'left', SOMEWHERE], /slot is a whole number from 0 to 1, not 2/],
    ['a slot that is no number', ['0.5', 'left', SOMEWHERE], /slot/],
    ['the side', [0, 'both', SOMEWHERE], /'left' or 'right', not 'both'/],
    ['no command', [0, 'right', undefined], /or null, not undefined/],
    ['no position', [0, 'right', { grip: 1 }], /needs a position/],
    [
      'a position that is not finite',
      [0, 'right', { position: { x: NaN, y: 1, z: 0 } }],
      /position\.x.*not NaN/,
    ],
    [
      'a position outside',
      [0, 'right', { position: { x: 0, y: 1, z: 1025 } }],
      /position\.z.* -1024 to 1024, not 1025/,
    ],
    ['a short rotation', [0, 'right', { ...SOMEWHERE, rotation: { x: 0, y: 0, z: 0, w: 0 } }], /not all 0/],
    ['a rotation in parts', [0, 'right', { ...SOMEWHERE, rotation: { x: 0, y: 0, z: 0 } }], /rotation\.w/],
    ['the grip', [0, 'right', { ...SOMEWHERE, grip: 1.5 }], /grip is a number from 0 to 1, not 1\.5/],
    ['a grip in words', [0, 'right', { ...SOMEWHERE, grip: 'firm' }], /not 'firm'/],
    ['the trigger', [0, 'right', { ...SOMEWHERE, trigger: -1 }], /trigger/],
    ['the stick', [0, 'right', { ...SOMEWHERE, stick: { x: 0, y: 2 } }], /stick\.y is a number from -1 to 1/],
    ['no stick', [0, 'right', { ...SOMEWHERE, stick: null }], /stick is \{ x, y \}/],
  ];

  test.each(cases)('%s', (_, wrong, sentence) => {
    const scripts = new ScriptedHands(2);
    const desk = own();
    const call = (): unknown => Reflect.apply(scripts.hand, scripts, wrong);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(sentence);
    expect(scripts.over(HOST, desk)).toBe(desk);
  });
});
