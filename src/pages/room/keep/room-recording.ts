import { TICK_MS } from '../../../core/base/constants.ts';
import { Recorder } from '../../../core/peer/recording/recorder.ts';
import { saveFile } from '../../files.ts';
import type { RecordingState } from '../model.ts';
import { RECORDING } from '../sentences.ts';
import type { GameSession } from '../session/session.ts';

/** Ticks after which a guest that has not come in anew gives up: twice as long as one attempt takes. */
const START_WITHIN_TICKS = Math.round(25_000 / TICK_MS);

/**
 * Records what this page's peer is told. A recording begins with a world that begins anew, where it stands: what
 * was known before is in no file.
 */
export class RoomRecording {
  readonly #session: GameSession;
  readonly #say: (sentence: string) => void;
  #recorder: Recorder | null = null;
  #waited = 0;

  /** @param say tells the player what has become of it. */
  constructor(session: GameSession, say: (sentence: string) => void) {
    this.#session = session;
    this.#say = say;
  }

  get state(): RecordingState {
    if (this.#recorder === null) return OFF;
    const { hasBegun, seconds } = this.#recorder;
    return { kind: hasBegun ? 'on' : 'starting', seconds };
  }

  start(): void {
    if (this.#recorder !== null) return;
    this.#waited = 0;
    this.#recorder = new Recorder();
    this.#session.record(this.#recorder);
  }

  /** Ends it, and hands the file to the player; where nothing has begun, there is none. */
  stop(): void {
    this.#end(RECORDING.saved);
  }

  /** Once a tick. */
  tick(): void {
    if (this.#recorder === null) return;
    if (this.#recorder.isFull) this.#end(RECORDING.full);
    else if (!this.#recorder.hasBegun && ++this.#waited > START_WITHIN_TICKS) {
      this.#end('');
      this.#say(RECORDING.failed);
    }
  }

  #end(sentence: string): void {
    const recorder = this.#recorder;
    if (recorder === null) return;
    this.#recorder = null;
    this.#session.record(null);
    if (!recorder.hasBegun) return;
    saveFile('recording', 'Handover', recorder.finish());
    this.#say(sentence);
  }
}

const OFF: RecordingState = { kind: 'off', seconds: 0 };
