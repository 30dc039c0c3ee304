import type { HandSide } from '../../../core/base/ids.ts';
import { LEFT } from '../../../core/base/ids.ts';

const SIDE_NAMES = ['left', 'right'] as const;

/**
 * The models that come with the page, 3.6 MB in all. A headset loads only its own two: 0.2 MB each for Quest
 * 3, at most 0.7 MB. Their nodes have the same names. Players with other devices see the hands that all other
 * players see: the generic models are larger than any of these, and look like no real device.
 */
const MODELS = import.meta.glob<string>(
  '/node_modules/@webxr-input-profiles/assets/dist/profiles/{meta-quest-touch-plus,meta-quest-touch-pro,oculus-touch-v3,oculus-touch-v2,generic-hand}/{left,right}.glb',
  { query: '?url', import: 'default', eager: true },
);
const FOLDER = '/node_modules/@webxr-input-profiles/assets/dist/profiles/';

/**
 * Returns the address of a controller's model, or null if there is none.
 * @param profiles the device's names, the most exact one first.
 */
export function controllerModelUrl(profiles: readonly string[], side: HandSide): string | null {
  const known = profiles.find((profile) => modelUrl(profile, side) !== undefined);
  return known === undefined ? null : (modelUrl(known, side) ?? null);
}

/** Returns the address of the model of a bare hand. */
export function handModelUrl(side: HandSide): string {
  const url = modelUrl('generic-hand', side);
  if (url === undefined) throw new Error('the model of a hand is not in the build');
  return url;
}

function modelUrl(profile: string, side: HandSide): string | undefined {
  return MODELS[`${FOLDER}${profile}/${SIDE_NAMES[side === LEFT ? 0 : 1]}.glb`];
}
