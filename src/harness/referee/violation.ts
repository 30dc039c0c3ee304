import type { RoomHarness } from '../room.ts';

/** A broken invariant: `mark` is its clause in PROTOCOL.md. */
export type Violation = {
  readonly mark: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9';
  readonly step: number;
  readonly peer: number;
  readonly body: number;
  readonly what: string;
};

/** The part of a room that the referee needs. With fewer peers than players, it judges the first slots. */
export type JudgedRoom = Pick<RoomHarness, 'peers' | 'level' | 'steps'>;
