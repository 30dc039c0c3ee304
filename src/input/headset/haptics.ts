/** The two browser interfaces of a controller's motor: WebXR's, and the Gamepad API's. */
type Motor = Partial<Pick<GamepadHapticActuator, 'pulse' | 'playEffect'>>;
export type HapticPad = {
  readonly hapticActuators?: readonly (Motor | undefined)[];
  readonly vibrationActuator?: Motor | null;
};

/**
 * Gives one pulse in a controller. Does nothing without a motor, or if it refuses.
 * @param strength 0 to 1.
 * @param ms duration in milliseconds.
 */
export function pulsePad(pad: HapticPad, strength: number, ms: number): void {
  const motor = pad.hapticActuators?.[0] ?? pad.vibrationActuator;
  if (motor?.pulse !== undefined) motor.pulse(strength, ms).catch(ignore);
  else if (motor?.playEffect !== undefined) {
    const effect = { duration: ms, strongMagnitude: strength, weakMagnitude: strength };
    motor.playEffect('dual-rumble', effect).catch(ignore);
  }
}

/** A missing pulse is not worth an error. */
function ignore(): void {}
