import { MAX_NAME_BYTES } from '../base/constants.ts';
import { decodeName, encodeName } from '../base/text.ts';
import type { Fields } from './fields.ts';
import { oneOf, string } from './fields.ts';

/** `off`: the player does not speak; `muted`: it speaks, but not now. */
export const VOICE_STATES = ['off', 'on', 'muted'] as const;
/** One of VOICE_STATES. */
export type VoiceState = (typeof VOICE_STATES)[number];

/** `pointer`: a mouse, a finger or keys move one hand; `controllers`: of a headset; `bare`: a headset tracks hands. */
const HAND_KINDS = ['pointer', 'controllers', 'bare'] as const;
/** The kind of a player's hands. */
export type HandKind = (typeof HAND_KINDS)[number];

/** [P8] A player's description of itself; the host passes it on in its roster. */
export type Profile = {
  /** At most MAX_NAME_BYTES of UTF-8. Empty if the player gave none; then it is called by its colour. */
  readonly name: string;
  readonly voice: VoiceState;
  readonly hands: HandKind;
  /** [N1.6] The player asks a dedicated host to reset the scene; left out if it does not. */
  readonly wantsReset?: true | undefined;
};

/** @returns the profile of a player that is silent and uses a pointer. @param name is cut to MAX_NAME_BYTES. */
export function newProfile(name: string): Profile {
  return changedProfile({ name, voice: 'off', hands: 'pointer' }, {});
}

/**
 * @param change the new parts. What is left out or undefined stays, but for `wantsReset`, which ends.
 * @returns the profile with some parts changed. The name is cut to MAX_NAME_BYTES, without control characters.
 * @throws RangeError for a part that no profile can have: nobody could read a roster with it.
 */
export function changedProfile(profile: Profile, change: Partial<Profile>): Profile {
  const { name = profile.name, voice = profile.voice, hands = profile.hands } = change;
  if (typeof name !== 'string') throw new RangeError("A profile's `name` is a text.");
  assertOneOf('voice', VOICE_STATES, voice);
  assertOneOf('hands', HAND_KINDS, hands);
  const { wantsReset } = 'wantsReset' in change ? change : profile;
  return profileOf({ name: decodeName(encodeName(name)), voice, hands, wantsReset });
}

function assertOneOf(part: keyof Profile, choices: readonly string[], value: string): void {
  if (!choices.includes(value))
    throw new RangeError(`A profile's \`${part}\` is one of ${choices.join(', ')}.`);
}

/** @returns the profile alone, of a message or a player that holds one. */
export function profileOf({ name, voice, hands, wantsReset }: Profile): Profile {
  return { name, voice, hands, ...(wantsReset === true ? { wantsReset } : {}) };
}

/** @returns true if both say the same. */
export function isSameProfile(a: Profile, b: Profile): boolean {
  return a.name === b.name && a.voice === b.voice && a.hands === b.hands && a.wantsReset === b.wantsReset;
}

/** Reads the parts of a profile; null if any makes no sense. Never throws. */
export function readProfile(fields: Fields | null): Profile | null {
  const name = readName(fields?.name);
  const voice = oneOf(VOICE_STATES, fields?.voice);
  const hands = oneOf(HAND_KINDS, fields?.hands);
  if (name === null || voice === null || hands === null) return null;
  return { name, voice, hands, ...(fields?.wantsReset === true ? { wantsReset: true } : {}) };
}

/** Reads a name, without the parts that may not be shown; null if it is none. */
function readName(value: unknown): string | null {
  const name = string(value, MAX_NAME_BYTES);
  return name === null ? null : decodeName(encodeName(name));
}
