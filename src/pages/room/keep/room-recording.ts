import { TICK_MS } from '../../../core/base/constants.ts';
import { Recorder } from '../../../core/peer/recording/recorder.ts';
import { saveLastRecording } from '../../../storage/last-recording.ts';
import { saveFile } from '../../files.ts';
import type { RecordingState } from '../model.ts';
import type { NewsOffer } from '../news/news-list.ts';
import { RECORDING } from '../sentences.ts';
import type { GameSession } from '../session/session.ts';

/** Ticks after which a guest that has not come in anew gives up: twice as long as an attempt may take. */
const START_WITHIN_TICKS = Math.round(25_000 / TICK_MS);

/** Opens the page that shows the last recording, in another tab: the room goes on in this one. */
const WATCH = {
  button: 'Watch it now',
  act: () => void window.open('?view=replay', '_blank'),
  seconds: 30,
} as const;

/**
 * Records everything that this page's peer is given. For a recording the world begins anew in its present state,
 * since nothing from before is in the file.
 */
export class RoomRecording {
  readonly #session: GameSession;
  readonly #tell: (said: string | NewsOffer) => void;
  #recorder: Recorder | null = null;
  #waited = 0;

  /** @param tell shows a sentence about the recording to the player, or offers to watch it. */
  constructor(session: GameSession, tell: (said: string | NewsOffer) => void) {
    this.#session = session;
    this.#tell = tell;
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

  /** Ends the recording, and saves its file; if it has not begun yet, there is no file. */
  stop(): void {
    this.#end(RECORDING.saved);
  }

  /** Call it once a tick: it ends a recording that is full, or that could not begin. */
  tick(): void {
    if (this.#recorder === null) return;
    if (this.#recorder.isFull) this.#end(RECORDING.full);
    else if (!this.#recorder.hasBegun && ++this.#waited > START_WITHIN_TICKS) {
      this.#end('');
      this.#tell(RECORDING.failed);
    }
  }

  #end(sentence: string): void {
    const recorder = this.#recorder;
    if (recorder === null) return;
    this.#recorder = null;
    this.#session.record(null);
    if (!recorder.hasBegun) return;
    const file = recorder.finish();
    saveFile('recording', 'Handover', file);
    void saveLastRecording(file).then((isKept) => {
      this.#tell(isKept ? { sentence, ...WATCH } : sentence);
    });
  }
}

const OFF: RecordingState = { kind: 'off', seconds: 0 };
