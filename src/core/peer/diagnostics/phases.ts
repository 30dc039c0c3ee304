import type { PacketReader } from '../../wire/packet.ts';
import type { AuthoritySpread } from '../../world/authority.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * A phase of a peer's work:
 * - `step`: the engine's step;
 * - `capture`: reads motions from the engine, and quantises them;
 * - `authority`: spreads authority, and detects rest;
 * - `apply`: delivers received states, and shows them;
 * - `write`: gives states to the engine;
 * - `decode`, `encode`: reads and writes packets.
 */
export type PeerPhase = 'step' | 'capture' | 'authority' | 'apply' | 'write' | 'decode' | 'encode';

/**
 * Wraps a method that is bound to its object: returns a function that does the same and, for example, measures its
 * time.
 */
export type PhaseWrapper = <Args extends unknown[], Result>(
  phase: PeerPhase,
  method: (...args: Args) => Result,
) => (...args: Args) => Result;

/** The parts of a peer whose methods belong to phases. */
export type PhasedParts = {
  readonly state: Pick<PeerState, 'bodies' | 'authors' | 'links'>;
  readonly spread: AuthoritySpread;
  readonly reader: PacketReader;
};

/** Replaces the methods of each phase by wrapped ones, for all links that exist now. Phases don't overlap. */
export function wrapPhases({ state, spread, reader }: PhasedParts, wrap: PhaseWrapper): void {
  const { bodies, authors, links } = state;
  const { simulation } = bodies;
  simulation.step = wrap('step', simulation.step.bind(simulation));
  simulation.capture = wrap('capture', simulation.capture.bind(simulation));
  bodies.updateRecords = wrap('capture', bodies.updateRecords.bind(bodies));
  spread.run = wrap('authority', spread.run.bind(spread));
  bodies.updateRest = wrap('authority', bodies.updateRest.bind(bodies));
  for (const { stream } of authors) stream.advance = wrap('apply', stream.advance.bind(stream));
  bodies.writeReceived = wrap('apply', bodies.writeReceived.bind(bodies));
  bodies.showReceived = wrap('apply', bodies.showReceived.bind(bodies));
  bodies.writeBack = wrap('write', bodies.writeBack.bind(bodies));
  reader.readHead = wrap('decode', reader.readHead.bind(reader));
  reader.readBody = wrap('decode', reader.readBody.bind(reader));
  for (const link of links) {
    if (link !== null) link.writer.write = wrap('encode', link.writer.write.bind(link.writer));
  }
}
