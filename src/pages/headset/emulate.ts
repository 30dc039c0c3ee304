import { metaQuest3, XRDevice } from 'iwer';

declare global {
  interface Window {
    /** The emulated headset, for scripts and for developers at the console. */
    emulatedHeadset?: XRDevice;
  }
}

/** The headsets that can be emulated, by their names in `?emulate=`. */
const HEADSETS = { quest3: metaQuest3 } as const;

/**
 * Replaces the browser's headset by an emulated one, for developers without a headset.
 * @returns a sentence about a wrong name, or null.
 */
export function emulateHeadset(name: string): string | null {
  if (!Object.hasOwn(HEADSETS, name)) {
    return `“emulate” can’t be “${name}”: it can be ${Object.keys(HEADSETS).join(' or ')}.`;
  }
  const device = new XRDevice(HEADSETS[name as keyof typeof HEADSETS]);
  // Also in browsers that have WebXR.
  device.installRuntime({ forceInstall: true });
  window.emulatedHeadset = device;
  return null;
}
