/** Seconds that smooth a change of volume. */
const VOLUME_SECONDS = 0.03;

/** Returns the factor of a slider's volume: half the way sounds half as loud. */
export function gainOf(volume: number): number {
  return volume * volume;
}

/** Sets a node's gain smoothly, so that it does not crackle. */
export function turnVolume(node: GainNode, volume: number): void {
  node.gain.setTargetAtTime(gainOf(volume), node.context.currentTime, VOLUME_SECONDS);
}

/** @throws RangeError if the volume is not a number from 0 to 1. */
export function checkVolume(volume: number): void {
  if (!(volume >= 0 && volume <= 1)) throw new RangeError(`A volume is from 0 to 1, not ${volume}.`);
}
