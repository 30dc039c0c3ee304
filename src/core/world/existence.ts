import type { BodyId, Existence, Slot } from '../base/ids.ts';
import { NO_SLOT } from '../base/ids.ts';
import type { Level, Template } from './level.ts';

/**
 * [S1] A whole number of 16 bits in every record says whether a body of that id exists, and which. 0: as the level
 * begins. Otherwise the high byte is the generation, which counts how many bodies of the id have gone, and the low
 * byte is 1 plus the index of the template, or says that there is none, and why.
 */

/** A body of the level's start, or none of an id that is set aside for spawning. */
export const AS_AT_START = 0 as Existence;

/** Templates that existences can name. */
export const MAX_TEMPLATES = 250;

/** Why there is no body: it was despawned, or the host has refused its spawning. */
const ABSENCES = ['despawned', 'too many', 'not allowed'] as const;
export type Absence = (typeof ABSENCES)[number];
const FIRST_ABSENCE = MAX_TEMPLATES + 1;
const LOW_BYTE = 0xff;

/** How many bodies of the id have gone: 0 to 255, wrapping. */
export function generationOf(existence: Existence): number {
  return existence >> 8;
}

/** A body of a template, in a generation. @param template an index, 0 to MAX_TEMPLATES - 1. */
export function existing(generation: number, template: number): Existence {
  return ((generation << 8) | (template + 1)) as Existence;
}

/** No body any more: the generation after that of an existence. */
export function gone(existence: Existence, why: Absence): Existence {
  const generation = (generationOf(existence) + 1) & LOW_BYTE;
  return ((generation << 8) | (FIRST_ABSENCE + ABSENCES.indexOf(why))) as Existence;
}

/** Why there is no body by this existence, as in `PeerView.existence`; null if there is one, or if it is as the level begins. */
export function absenceOf(existence: number): Absence | null {
  return ABSENCES[(existence & LOW_BYTE) - FIRST_ABSENCE] ?? null;
}

/** True for a number that an honest peer can send. */
export function isExistence(value: number): boolean {
  const low = value & LOW_BYTE;
  return low === 0 ? value === 0 : low < FIRST_ABSENCE + ABSENCES.length;
}

/** The index of the template in an existence that is not as the level begins; beyond every level's if it has none. */
export function templateIndexOf(existence: number): number {
  return (existence & LOW_BYTE) - 1;
}

/**
 * The template of a body; null if there is none by this existence, or if the level does not have the template.
 * @param existence as in `PeerView.existence`.
 */
export function templateOf(level: Level, body: BodyId, existence: number): Template | null {
  const low = existence & LOW_BYTE;
  if (low === 0) return body < level.bodies.length ? level.bodies[body].template : null;
  return level.templates[templateIndexOf(existence)] ?? null;
}

/**
 * True if play can bring an id to this existence: there are bodies of the templates for spawning, but the ids of the
 * level's own bodies are not for spawning [S2.2].
 */
export function canBeOf(level: Level, body: BodyId, existence: Existence): boolean {
  if (existence === AS_AT_START || absenceOf(existence) !== null) return true;
  const template = templateOf(level, body, existence);
  return body >= level.bodies.length && template !== null && level.spawning.templates.includes(template);
}

/** Ids of bodies in a level: those that it begins with, and those that are set aside for each player's spawning. */
export function capacityOf({ bodies, spawning }: Level): number {
  return bodies.length + spawning.perPlayer * spawning.slots;
}

/** [S2] The player that may spawn a body of this id; NO_SLOT for the ids of the level's own bodies. */
export function lesseeOf({ bodies, spawning }: Level, body: BodyId): Slot {
  return body < bodies.length ? NO_SLOT : (Math.floor((body - bodies.length) / spawning.perPlayer) as Slot);
}

/** [S2] How many ids are set aside for a player; they follow one another from `firstIdOf` on. */
export function idsOf({ spawning }: Level, slot: Slot): number {
  return slot < spawning.slots ? spawning.perPlayer : 0;
}

/** [S2] The first id that is set aside for a player, if any is. */
export function firstIdOf({ bodies, spawning }: Level, slot: Slot): BodyId {
  return (bodies.length + slot * spawning.perPlayer) as BodyId;
}
