import { readRecording } from '../../core/peer/recording/recording.ts';
import { FILE_FAULTS } from '../files.ts';
import { openStage } from '../page-canvas.ts';
import type { Failure } from '../room/sentences.ts';
import { ReplayPage } from './replay-page.ts';
import { gameLevels } from '../../levels/levels.ts';

/** The settings of `openReplay`. */
export type ReplayOptions = {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  /** The bytes of a recording, as a player has chosen them. */
  readonly file: Uint8Array;
  readonly signal: AbortSignal;
  /** Called when the recording is about to be shown. */
  readonly onShown: () => void;
  /** The file can't be played: says why. */
  readonly onRefused: (sentence: string) => void;
  readonly onFailure: (why: Failure) => void;
  /** The viewer wants to go back. */
  readonly onClose: () => void;
};

/** Shows a recording. @returns when it is shown, or one of the other functions was called. */
export async function openReplay(options: ReplayOptions): Promise<void> {
  const { canvas, overlay, file, signal, onShown, onRefused, onFailure, onClose } = options;
  const recording = readRecording(file, gameLevels);
  if (typeof recording === 'string') {
    onRefused(FILE_FAULTS.recording[recording]);
    return;
  }
  const stage = await openStage(canvas);
  if (typeof stage === 'string') {
    onFailure(stage);
    return;
  }
  if (signal.aborted) return;
  onShown();
  new ReplayPage(stage, overlay, recording, onClose);
}
