import type { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';

/** The place from which packets to one receiver get their updates of bodies. */
export type UpdateSource = {
  /**
   * The version of each body: another number once its update, or whether the source insists on it, has changed. The
   * state of a moving body need not count.
   */
  readonly versions: Int32Array;
  /** The bodies whose version has changed in this tick. */
  readonly changed: BodySet;
  /** Fills `out` with the present update of a body. @returns false if there is nothing to send of it. */
  describe(body: BodyId, out: BodyUpdate): boolean;
  /** [J2.5] The bodies that go into a packet with this one, itself among them; null if it goes alone. */
  partsOf(body: BodyId): readonly BodyId[] | null;
  /** True if the update must be sent although the receiver has acked it already. */
  insists(body: BodyId): boolean;
  /** The growth of a body's priority in this tick [W5]: a whole number; 0 if the body can wait. */
  urgency(body: BodyId): number;
};
