import { DEDICATED_SLOT, MAX_ROOM_PLAYERS } from '../../base/constants.ts';
import type { Slot } from '../../base/ids.ts';
import { asFields, plainText, readColour, whole } from '../fields.ts';
import { MAX_TERM } from '../term.ts';
import { readKey, readSignature } from './key.ts';
import type { Lineage, Link, SignedVote } from './lineage.ts';
import { MAX_PARTS, partsOf } from './lineage.ts';
import type { Elector, SignedRoster } from './statements.ts';

/** Characters of a founder's salt, at most. */
const MAX_SALT_LENGTH = 64;
/** Members of a room that has votes: its people, and a dedicated host. */
const MOST_ELECTORS = MAX_ROOM_PLAYERS + 1;
/** Signed rosters of one term; a room that changes once a second for 190 years has as many. */
export const MAX_EPOCH = 0xffffffff;

/** Reads a lineage and checks the form of every part of it; null if it makes no sense. Never throws. */
export function readLineage(value: unknown): Lineage | null {
  const fields = asFields(value);
  const founder = readKey(fields?.founder);
  const salt = plainText(fields?.salt, MAX_SALT_LENGTH);
  const term = readTerm(fields?.term);
  const links = readList(fields?.links, MAX_PARTS, readLink);
  if (founder === null || salt === null || term === null || links === null) return null;
  return partsOf(links) > MAX_PARTS ? null : { founder, salt, term, links };
}

/** Reads a term, 0 to MAX_TERM; null if it is none. */
export function readTerm(value: unknown): number | null {
  return whole(value, 0, MAX_TERM);
}

/** Reads an epoch; null if it is none. */
export function readEpoch(value: unknown): number | null {
  return whole(value, 0, MAX_EPOCH);
}

function readLink(value: unknown): Link | null {
  const fields = asFields(value);
  const term = readTerm(fields?.term);
  const key = readKey(fields?.key);
  if (fields === null || term === null || key === null) return null;
  if (fields.kind === 'handover') {
    const signature = readSignature(fields.signature);
    return signature === null ? null : { kind: 'handover', term, key, signature };
  }
  const roster = readSignedRoster(fields.roster);
  if (roster === null) return null;
  if (fields.kind === 'alone') return { kind: 'alone', term, key, roster };
  const votes = fields.kind === 'votes' ? readList(fields.votes, MAX_ROOM_PLAYERS, readVote) : null;
  return votes === null ? null : { kind: 'votes', term, key, roster, votes };
}

function readSignedRoster(value: unknown): SignedRoster | null {
  const fields = asFields(value);
  const term = readTerm(fields?.term);
  const epoch = readEpoch(fields?.epoch);
  const host = readElectorSlot(fields?.host);
  const capacity = whole(fields?.capacity, 1, MAX_ROOM_PLAYERS);
  const electors = readList(fields?.electors, MOST_ELECTORS, readElector);
  const signature = readSignature(fields?.signature);
  if (fields === null || term === null || epoch === null || host === null) return null;
  if (capacity === null || electors === null || signature === null) return null;
  return { term, epoch, host, capacity, locked: fields.locked === true, electors, signature };
}

function readElector(value: unknown): Elector | null {
  const fields = asFields(value);
  const slot = readElectorSlot(fields?.slot);
  const key = readKey(fields?.key);
  return fields === null || slot === null || key === null
    ? null
    : { slot, key, isAway: fields.isAway === true };
}

function readVote(value: unknown): SignedVote | null {
  const fields = asFields(value);
  const slot = readElectorSlot(fields?.slot);
  const signature = readSignature(fields?.signature);
  return slot === null || signature === null ? null : { slot, signature };
}

/** Reads the slot of a member of a room that has votes [N8.2]; null if it is none. */
function readElectorSlot(value: unknown): Slot | null {
  return value === DEDICATED_SLOT ? (DEDICATED_SLOT as Slot) : readColour(value);
}

/** @returns null unless it is a list of at most `most` items, each of which can be read. */
function readList<Item>(
  value: unknown,
  most: number,
  read: (item: unknown) => Item | null,
): readonly Item[] | null {
  if (!Array.isArray(value) || value.length > most) return null;
  const items: Item[] = [];
  for (const entry of value) {
    const item = read(entry);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}
