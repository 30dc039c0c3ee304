import type { BodyId } from '../../base/ids.ts';
import type { BaselineStore } from './baselines.ts';
import { ANY_UPDATE, BLOCK_UPDATED, UPDATED } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';
import type { UpdateCoderState } from './update.ts';
import { beginUpdates } from './update.ts';

/**
 * Which bodies a packet updates, and all its updates. The bodies come in blocks. A flag of each block says whether any
 * of its bodies is updated, since most bodies of a large world are not.
 */

/** Bodies in a block. */
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
 * @param picked for each body 1 if it is updated, else 0. A reader gives all zeros.
 */
export function codeUpdates(
  c: Coder,
  shared: UpdateCoderState,
  baseAge: number,
  picked: Uint8Array,
  updates: UpdateCoder,
): void {
  const { count } = shared;
  if (c.bit(ANY_UPDATE, c.reads ? 0 : anyOf(picked, 0, count)) === 0) return;
  beginUpdates(shared, baseAge);
  // Bit 0: the block before has an update; bit 1: the block before that has.
  let blocks = 0;
  let coded = 0;
  for (let first = 0; first < count && !c.failed; first += BLOCK) {
    const end = Math.min(count, first + BLOCK);
    const bit = c.bit(BLOCK_UPDATED + blocks, c.reads ? 0 : anyOf(picked, first, end));
    blocks = ((blocks << 1) | bit) & 3;
    if (bit === 0) continue;
    const before = coded;
    coded += codeBlock(c, first, end, picked, updates);
    if (coded === before) c.fail();
  }
  if (coded === 0) c.fail();
}

/** Codes the updates of the bodies `first` to `end` - 1; returns how many there are. */
function codeBlock(c: Coder, first: number, end: number, picked: Uint8Array, updates: UpdateCoder): number {
  let coded = 0;
  // Bit 0: the body before is updated; bit 1: the body before that is.
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

/** 1 if any of the bodies `first` to `end` - 1 is picked, else 0. */
function anyOf(picked: Uint8Array, first: number, end: number): number {
  for (let body = first; body < end; body++) if (picked[body] === 1) return 1;
  return 0;
}
