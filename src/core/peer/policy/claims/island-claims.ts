import type { BodyId } from '../../../base/ids.ts';
import type { BodyUpdate } from '../../../wire/bodies/update.ts';
import type { PacketReader } from '../../../wire/packet.ts';
import type { Verdict } from '../../../world/decide.ts';
import type { Islands } from '../../../world/joints/islands.ts';
import type { Claim, Records } from '../../../world/record.ts';

/**
 * Why the host does not believe a state: it can't be true; there are too many bodies in its place; or the packet makes
 * different claims on parts of one island, or was overtaken by another packet about it.
 */
export type Doubt = 'H9' | 'crowded' | 'J2';

/** No update of the island was decided yet. */
const NONE = -1;

/**
 * [J2.4] Host: the parts of an island come in one packet with one claim. The first of them is decided, and the verdict
 * holds for the others, so that a claim counts once.
 */
export class IslandClaims {
  readonly #islands: Islands;
  readonly #records: Records;
  /** For the lowest part of each island the place in the packet of the first update of the island. */
  readonly #first: Int16Array;
  readonly #verdicts: Verdict[];
  /** [H9.7] For the lowest part of each island what was found of its states in the packet; undefined before that. */
  readonly doubts: (Doubt | null | undefined)[];

  /** @param records of the bodies of the world. */
  constructor(records: Records) {
    const { count } = records;
    this.#records = records;
    this.#islands = records.islands;
    this.#first = new Int16Array(count);
    // A list with wide gaps would become a hash table.
    this.#verdicts = new Array<Verdict>(count).fill('reject');
    this.doubts = new Array<undefined>(count).fill(undefined);
  }

  /** The updates of a packet are about to be decided. */
  begin(packet: PacketReader): void {
    for (let i = 0; i < packet.updateCount; i++) {
      const root = this.#islands.rootOf(packet.updates[i].body);
      this.#first[root] = NONE;
      this.doubts[root] = undefined;
    }
  }

  /** The verdict on an update of the packet, if an earlier one of its island has decided it; else null. */
  verdictOn(packet: PacketReader, index: number): Verdict | null {
    const root = this.#islands.rootOf(packet.updates[index].body);
    const first = this.#first[root];
    if (first === NONE) return null;
    const isAlike = isPartOf(this.#records, packet.updates[index], packet.updates[first].claim);
    return isAlike ? this.#verdicts[root] : 'reject';
  }

  /** Keeps the verdict on an update, for the others of its island. */
  keep(body: BodyId, index: number, verdict: Verdict): void {
    const root = this.#islands.rootOf(body);
    if (this.#first[root] !== NONE) return;
    this.#first[root] = index;
    this.#verdicts[root] = verdict;
  }
}

/** [J2.3] True if every part of an update's island is in the packet, at rest and with the same claim. */
export function restsWhole(records: Records, packet: PacketReader, update: Readonly<BodyUpdate>): boolean {
  if (update.kind !== 'rest') return false;
  const parts = records.islands.parts[update.body];
  if (parts.length === 1) return true;
  let resting = 0;
  for (let i = 0; i < packet.updateCount; i++) {
    const other = packet.updates[i];
    if (other.kind === 'rest' && parts.includes(other.body) && isPartOf(records, other, update.claim))
      resting++;
  }
  return resting === parts.length;
}

/**
 * [J2.4] True if an update of a part of an island makes the same claim as the one by which the island was decided.
 * Holds may differ. Parts have existences of their own, which must be those of the host's record.
 */
export function isPartOf(
  { existence }: Records,
  { body, claim }: Readonly<BodyUpdate>,
  by: Readonly<Claim>,
): boolean {
  return (
    claim.authority === by.authority &&
    claim.ownershipSequence === by.ownershipSequence &&
    claim.authoritySequence === by.authoritySequence &&
    claim.existence === existence[body]
  );
}
