import type { HandSide } from '../../core/base/ids.ts';
import { LEFT } from '../../core/base/ids.ts';

const SIDE_NAMES = ['left', 'right'] as const;

/**
 * The models that are served with the page, 3.6 MB in all, of which a headset fetches its own two: 0.2 MB each
 * for Quest 3, 0.7 MB at most. Their nodes are named alike. Who has another device sees the hands that all
 * others see: the generic models are heavier than any of these, and look like nobody's.
 */
const MODELS = import.meta.glob<string>(
  '/node_modules/@webxr-input-profiles/assets/dist/profiles/{meta-quest-touch-plus,meta-quest-touch-pro,oculus-touch-v3,oculus-touch-v2,generic-hand}/{left,right}.glb',
  { query: '?url', import: 'default', eager: true },
);
const FOLDER = '/node_modules/@webxr-input-profiles/assets/dist/profiles/';

/**
 * The address of a controller's model, or null if there is none for it.
 * @param profiles what the device calls itself, the most exact name first.
 */
export function controllerModelUrl(profiles: readonly string[], side: HandSide): string | null {
  const known = profiles.find((profile) => modelUrl(profile, side) !== undefined);
  return known === undefined ? null : (modelUrl(known, side) ?? null);
}

/** The address of the model of a bare hand. */
export function handModelUrl(side: HandSide): string {
  const url = modelUrl('generic-hand', side);
  if (url === undefined) throw new Error('the model of a hand is not in the build');
  return url;
}

function modelUrl(profile: string, side: HandSide): string | undefined {
  return MODELS[`${FOLDER}${profile}/${SIDE_NAMES[side === LEFT ? 0 : 1]}.glb`];
}
