import type { PeerState } from '../peer-state.ts';
import type { PeerRecorder } from '../recording/recorder.ts';
import type { SharedSink } from './shared-state.ts';
import type { SharedWorld } from './shared-world.ts';
import { emit, write } from './shared-writes.ts';

/**
 * Carries out and records the writes and events of a SharedState, which has checked them, or of a playback.
 * @param assertLives throws once the peer was disposed.
 */
export function sharedSink(
  peer: PeerState,
  recorder: PeerRecorder | null,
  assertLives: () => void,
): SharedSink {
  const world = (): SharedWorld => {
    assertLives();
    if (peer.shared === null) throw new Error('The peer has no schema.');
    return peer.shared;
  };
  return {
    write: (entry, words) => {
      const shared = world();
      recorder?.write(entry, words);
      write(peer, shared, entry, words, 0);
    },
    emit: (kind, words) => {
      const refusal = emit(peer, world(), kind, words);
      if (refusal === null) recorder?.emit(kind, words);
      return refusal;
    },
  };
}
