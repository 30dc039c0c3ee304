import type { Slot } from '../../base/ids.ts';
import type { PacketReader } from '../../wire/packet.ts';

/**
 * [W8] The most ticks in which the sender can have sent nothing before this packet, which was read whole.
 * @param before the sender's newest tick before the packet; below 0 if there was none.
 * @param packets by how many packets it is newer than the newest before.
 */
export function skippedTicks(
  { authors, authorCount }: PacketReader,
  from: Slot,
  before: number,
  packets: number,
): number {
  if (packets <= 0 || before < 0) return 0;
  for (let i = 0; i < authorCount; i++)
    if (authors[i].slot === from) return Math.max(0, authors[i].tick - before - packets);
  return 0;
}
