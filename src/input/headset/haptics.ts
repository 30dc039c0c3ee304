/** What browsers offer of a controller's motor: the first is WebXR's, the second the Gamepad API's. */
type Motor = Partial<Pick<GamepadHapticActuator, 'pulse' | 'playEffect'>>;
export type HapticPad = {
  readonly hapticActuators?: readonly (Motor | undefined)[];
  readonly vibrationActuator?: Motor | null;
};

/**
 * One pulse in a controller; nothing where there is no motor, or it refuses.
 * @param strength 0 to 1.
 * @param ms milliseconds.
 */
export function pulsePad(pad: HapticPad, strength: number, ms: number): void {
  const motor = pad.hapticActuators?.[0] ?? pad.vibrationActuator;
  if (motor?.pulse !== undefined) motor.pulse(strength, ms).catch(ignore);
  else if (motor?.playEffect !== undefined) {
    const effect = { duration: ms, strongMagnitude: strength, weakMagnitude: strength };
    motor.playEffect('dual-rumble', effect).catch(ignore);
  }
}

/** A pulse that is not felt is not worth a word. */
function ignore(): void {}
