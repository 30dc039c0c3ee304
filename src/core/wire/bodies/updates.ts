import type { BodyId } from '../../base/ids.ts';
import type { BaselineStore } from './baselines.ts';
import { ANY_UPDATE, BLOCK_UPDATED, UPDATED } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';
import type { UpdateContext } from './update.ts';
import { beginUpdates } from './update.ts';

/**
 * Which bodies a packet updates, and all its updates. Bodies are told in blocks, of which one flag says whether any of
 * it is updated: most of a large world is not.
 */

/** Bodies of a block. */
const BLOCK = 16;

/** What writes a packet's updates, or reads them. */
export type Updates = {
  /** What packets said before. */
  baselines: BaselineStore;
  /** The number of the base among them; -1 for none. */
  base: number;
  /** Codes the update of a body, of which the base said something of this kind: an index of KINDS, or -1. */
  code(body: BodyId, kindInBase: number): void;
};

/**
 * Codes all updates of a packet.
 * @param picked for each body 1 if it is updated; a reader's has none.
 * @param baseAge by how many packets the base is older.
 */
export function codeUpdates(
  c: Coder,
  context: UpdateContext,
  baseAge: number,
  picked: Uint8Array,
  updates: Updates,
): void {
  const { count } = context;
  if (c.bit(ANY_UPDATE, anyOf(picked, 0, count)) === 0) return;
  beginUpdates(context, baseAge);
  // Of the two blocks before, 1 and 2 if any of them is updated.
  let blocks = 0;
  let coded = 0;
  for (let first = 0; first < count && !c.failed; first += BLOCK) {
    const end = Math.min(count, first + BLOCK);
    const bit = c.bit(BLOCK_UPDATED + blocks, anyOf(picked, first, end));
    blocks = ((blocks << 1) | bit) & 3;
    if (bit === 0) continue;
    const before = coded;
    coded += codeBlock(c, first, end, picked, updates);
    if (coded === before) c.fail();
  }
  if (coded === 0) c.fail();
}

/** Returns how many were updated. */
function codeBlock(c: Coder, first: number, end: number, picked: Uint8Array, updates: Updates): number {
  let coded = 0;
  // Of the two bodies before, 1 and 2 if they are updated.
  let neighbours = 0;
  for (let i = first; i < end && !c.failed; i++) {
    const body = i as BodyId;
    const kindInBase = updates.baselines.kindIn(updates.base, body);
    const bit = c.bit(UPDATED + (kindInBase + 1) * 4 + neighbours, picked[i]);
    neighbours = ((neighbours << 1) | bit) & 3;
    if (bit === 0) continue;
    updates.code(body, kindInBase);
    coded++;
  }
  return coded;
}

/** 1 if any of some bodies is picked. */
function anyOf(picked: Uint8Array, first: number, end: number): number {
  for (let body = first; body < end; body++) if (picked[body] === 1) return 1;
  return 0;
}
