import { metaQuest3, XRDevice } from 'iwer';

declare global {
  interface Window {
    /** The emulated headset, for whoever moves it: a script, or a developer in the console. */
    emulatedHeadset?: XRDevice;
  }
}

/** The headsets that can be emulated, by their names in `?emulate=`. */
const HEADSETS = { quest3: metaQuest3 } as const;

/**
 * Puts an emulated headset in place of the browser's own, for those who have none at hand.
 * @returns a sentence about what is wrong with the name, or null.
 */
export function emulateHeadset(name: string): string | null {
  if (!Object.hasOwn(HEADSETS, name)) {
    return `“emulate” can’t be “${name}”: it can be ${Object.keys(HEADSETS).join(' or ')}.`;
  }
  const device = new XRDevice(HEADSETS[name as keyof typeof HEADSETS]);
  // Also where the browser has WebXR of its own.
  device.installRuntime({ forceInstall: true });
  window.emulatedHeadset = device;
  return null;
}
