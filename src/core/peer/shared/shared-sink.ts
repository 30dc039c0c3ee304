import type { PeerState } from '../peer-state.ts';
import type { PeerRecorder } from '../recording/recorder.ts';
import type { SharedSink } from './shared-state.ts';
import { emit, write } from './shared-writes.ts';

/**
 * Writes and emits what a SharedState has checked, or a playback, and has it recorded.
 * @param assertLives throws once the peer was disposed.
 */
export function sharedSink(
  peer: PeerState,
  recorder: PeerRecorder | null,
  assertLives: () => void,
): SharedSink {
  const { shared } = peer;
  return {
    write: (entry, words) => {
      assertLives();
      if (shared === null) throw new Error('The peer has no schema.');
      recorder?.write(entry, words);
      write(peer, shared, entry, words, 0);
    },
    emit: (kind, words) => {
      assertLives();
      if (shared === null) throw new Error('The peer has no schema.');
      const refusal = emit(peer, shared, kind, words);
      if (refusal === null) recorder?.emit(kind, words);
      return refusal;
    },
  };
}
