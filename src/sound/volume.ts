/** Seconds over which a change of volume is smoothed. */
const VOLUME_SECONDS = 0.03;

/** What a slider's volume multiplies sound by: half of the way sounds half as loud. */
export function gainOf(volume: number): number {
  return volume * volume;
}

/** Turns a node to a volume, without a crackle. */
export function turnVolume(node: GainNode, volume: number): void {
  node.gain.setTargetAtTime(gainOf(volume), node.context.currentTime, VOLUME_SECONDS);
}

/** @throws RangeError for what is no volume, 0 to 1. */
export function checkVolume(volume: number): void {
  if (!(volume >= 0 && volume <= 1)) throw new RangeError(`A volume is from 0 to 1, not ${volume}.`);
}
