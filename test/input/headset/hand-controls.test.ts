import { describe, expect, test } from 'vitest';
import type { ControllerPad } from '../../../src/input/headset/hand-controls.ts';
import { handControls, pastDeadZone, readController } from '../../../src/input/headset/hand-controls.ts';
import { pulsePad } from '../../../src/input/headset/haptics.ts';

type Button = ControllerPad['buttons'][number];
const open: Button = { value: 0, pressed: false, touched: false };
const touched: Button = { value: 0, pressed: false, touched: true };
const pressed: Button = { value: 1, pressed: true, touched: true };
const at = (value: number): Button => ({ value, pressed: true, touched: true });

/** Buttons in the order of "xr-standard": trigger, squeeze, pad, stick, lower, upper, thumb rest. */
function read(buttons: readonly Button[], axes: readonly (number | null)[] = [0, 0, 0, 0]) {
  const controls = handControls();
  readController({ buttons, axes }, controls);
  return controls;
}

describe('a controller', () => {
  test('grips by its squeeze and pulls by its trigger, as far as they go', () => {
    expect(read([at(0.25), at(0.7), open, open])).toMatchObject({ grip: 0.7, trigger: 0.25 });
  });

  test('that has a single button grips with it', () => {
    expect(read([at(0.9)])).toMatchObject({ grip: 0.9, trigger: 0 });
  });

  test('has its stick forward if the Gamepad’s axis is negative, and its touchpad is not a stick', () => {
    expect(read([open, open], [1, 1, 0.5, -0.8])).toMatchObject({ right: 0.5, forward: 0.8 });
    expect(read([open, open], [1, 1])).toMatchObject({ right: 0, forward: 0 });
  });

  test.each([
    ['lower', 4],
    ['upper', 5],
    ['stick', 3],
  ] as const)('has its %s button at %d', (name, index) => {
    const buttons = Array.from({ length: 7 }, (_, i) => (i === index ? pressed : open));
    const { down } = read(buttons);
    expect(down).toEqual({ lower: false, upper: false, stick: false, [name]: true });
  });

  test('points while the trigger is not touched', () => {
    expect(read([open, open]).pointing).toBe(true);
    expect(read([touched, open]).pointing).toBe(false);
  });

  test.each([
    ['in the air, while it grips', [open, at(1), open, open, open, open, open], true],
    ['in the air, in an open hand', [open, open, open, open, open, open, open], false],
    ['on the stick', [open, at(1), open, touched, open, open, open], false],
    ['on a button', [open, at(1), open, open, touched, open, open], false],
    ['on its rest', [open, at(1), open, open, open, open, touched], false],
  ])('has a thumb %s', (_, buttons, up) => {
    expect(read(buttons).thumbUp).toBe(up);
  });

  test('with invalid values stays within its ranges', () => {
    const controls = read([at(7), at(Number.NaN), open, open], [0, 0, null, -9]);
    expect(controls).toMatchObject({ grip: 0, trigger: 1, right: 0, forward: 1 });
    expect(read([], [])).toMatchObject({ grip: 0, trigger: 0, pointing: true });
  });
});

test('a small push to the side does nothing there, and the full range is used', () => {
  expect(pastDeadZone(0.25)).toBe(0);
  expect(pastDeadZone(-0.2)).toBe(0);
  expect(pastDeadZone(0.251)).toBeLessThan(0.01);
  expect(pastDeadZone(-1)).toBe(-1);
  expect(pastDeadZone(1)).toBe(1);
});

describe('a pulse', () => {
  test('runs the first motor, by WebXR or by the Gamepad API', () => {
    const felt: unknown[] = [];
    const pulse = async (...told: unknown[]) => felt.push(told) > 0;
    const playEffect = async (...told: unknown[]) => {
      felt.push(told);
      return 'complete' as const;
    };
    pulsePad({ hapticActuators: [{ pulse }] }, 0.5, 20);
    pulsePad({ hapticActuators: [], vibrationActuator: { playEffect } }, 1, 40);
    expect(felt).toEqual([
      [0.5, 20],
      ['dual-rumble', { duration: 40, strongMagnitude: 1, weakMagnitude: 1 }],
    ]);
  });

  test('does nothing without a motor, or if the motor refuses', async () => {
    pulsePad({}, 1, 10);
    pulsePad({ hapticActuators: [], vibrationActuator: null }, 1, 10);
    pulsePad({ hapticActuators: [{ pulse: () => Promise.reject(new Error('no')) }] }, 1, 10);
    await new Promise((resolve) => void setTimeout(resolve));
  });
});
