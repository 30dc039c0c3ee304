import type { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { BaselineStore } from './baselines.ts';
import { ANY_UPDATE, BLOCK_UPDATED, UPDATED } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';
import type { UpdateCoderState } from './update.ts';
import { beginUpdates } from './update.ts';

/**
 * Which bodies a packet updates, and all its updates. The bodies come in blocks. A flag of each block says whether any
 * of its bodies is updated, since most bodies of a large world are not.
 */

/** Bodies in a block. BodySet.hasAnyOf16 looks at as many. */
const BLOCK = 16;

/** Codes a packet's updates one by one: a PacketWriter that writes them, or a packet reader. */
export type UpdateCoder = {
  /** The updates of earlier packets of this direction. */
  baselines: BaselineStore;
  /** The number of the base packet, without wrapping; -1 for none. */
  base: number;
  /**
   * Codes the update of a body.
   * @param kindInBase the kind of the base's update of the body, as an index of KINDS; -1 if it has none.
   */
  code(body: BodyId, kindInBase: number): void;
};

/**
 * Codes all updates of a packet.
 * @param baseAge packets by which the base is older; 0 for no base.
 * @param picked the bodies that are updated. A reader gives an empty set.
 */
export function codeUpdates(
  c: Coder,
  shared: UpdateCoderState,
  baseAge: number,
  picked: BodySet,
  updates: UpdateCoder,
): void {
  const { count } = shared;
  if (c.bit(ANY_UPDATE, picked.next(NO_BODY) === NO_BODY ? 0 : 1) === 0) return;
  beginUpdates(shared, baseAge);
  // Bit 0: the block before has an update; bit 1: the block before that has.
  let blocks = 0;
  let coded = 0;
  for (let first = 0; first < count && !c.failed; first += BLOCK) {
    const end = Math.min(count, first + BLOCK);
    const bit = c.bit(BLOCK_UPDATED + blocks, picked.hasAnyOf16(first) ? 1 : 0);
    blocks = ((blocks << 1) | bit) & 3;
    if (bit === 0) continue;
    const before = coded;
    coded += codeBlock(c, first, end, picked, updates);
    if (coded === before) c.fail();
  }
  if (coded === 0) c.fail();
}

/** Codes the updates of the bodies `first` to `end` - 1; returns how many there are. */
function codeBlock(c: Coder, first: number, end: number, picked: BodySet, updates: UpdateCoder): number {
  let coded = 0;
  // Bit 0: the body before is updated; bit 1: the body before that is.
  let neighbours = 0;
  for (let i = first; i < end && !c.failed; i++) {
    const body = i as BodyId;
    const kindInBase = updates.baselines.kindIn(updates.base, body);
    const bit = c.bit(UPDATED + (kindInBase + 1) * 4 + neighbours, picked.has(i) ? 1 : 0);
    neighbours = ((neighbours << 1) | bit) & 3;
    if (bit === 0) continue;
    updates.code(body, kindInBase);
    coded++;
  }
  return coded;
}
