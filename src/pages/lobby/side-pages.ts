import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import { watchQuery } from '../../room/link.ts';
import { loadLastRecording } from '../../storage/last-recording.ts';
import { openFile } from '../files.ts';
import type { Failure } from '../room/sentences.ts';

/** Called by a page that the lobby leads to. */
export type SidePageHandlers = {
  /** The lobby waits while the page loads. `again` repeats the attempt. */
  onLoading(load: (signal: AbortSignal) => Promise<void>, again: () => void): void;
  /** The page is about to be shown: the lobby goes. */
  onShown(): void;
  /** The page is over. `why` is null if its player wanted to leave. */
  onEnd(why: Failure | null): void;
  /** The page can't be shown, and nothing else has changed: says why. */
  onRefused(sentence: string): void;
};

const NOTHING_KEPT = 'This browser keeps no recording. Choose a file that you saved.';

/** The pages that the lobby leads to besides rooms; the code of each is fetched only then. */
export class SidePages {
  readonly #canvas: HTMLCanvasElement;
  readonly #overlay: HTMLElement;
  readonly #handlers: SidePageHandlers;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLElement, handlers: SidePageHandlers) {
    this.#canvas = canvas;
    this.#overlay = overlay;
    this.#handlers = handlers;
  }

  /** Goes to the page that the query of an address names. @returns false if it names none. */
  open(query: URLSearchParams, profile: { readonly name: string; readonly colour: Slot }): boolean {
    const watched = query.get('watch');
    if (watched !== null) this.#watchRoom(readRoomCode(watched));
    else if (query.get('view') === 'practice') this.practise(profile);
    else if (query.get('view') === 'replay') this.watchLast();
    else return false;
    return true;
  }

  /** [N5] Shows a room of this site's server. @param code null if the address has none. */
  #watchRoom(code: RoomCode | null): void {
    this.#load(async (signal) => {
      if (code === null) {
        this.#handlers.onEnd('nothing to watch');
        return;
      }
      const { openWatch } = await import('../watch/entry.ts');
      if (signal.aborted) return;
      await openWatch({
        canvas: this.#canvas,
        overlay: this.#overlay,
        code,
        signal,
        onShown: () => this.#show(watchQuery(code)),
        onEnd: (why) => this.#handlers.onEnd(why),
      });
    });
  }

  /** Goes to practice, with the headset on if one is worn. */
  practise(profile: { readonly name: string; readonly colour: Slot }): void {
    this.#load(async (signal) => {
      const { enterPractice } = await import('../practice/entry.ts');
      if (signal.aborted) return;
      await enterPractice({
        ...profile,
        canvas: this.#canvas,
        overlay: this.#overlay,
        signal,
        onShown: () => this.#show('?view=practice'),
        onEnd: (why) => this.#handlers.onEnd(why),
      });
    });
  }

  /** Goes to the loopback page, and later back, with the headset on. */
  loopback(): void {
    this.#load(async (signal) => {
      const { openLoopback } = await import('../loopback/entry.ts');
      if (signal.aborted) return;
      this.#show('?view=loopback');
      await openLoopback(this.#canvas, this.#overlay, () => this.#handlers.onEnd(null));
    });
  }

  /** Asks for a file with a recording, and shows it. Call it from a click. */
  watch(): void {
    openFile('recording', (file) => this.#replay(() => Promise.resolve(file)));
  }

  /** Shows the recording that was made last in this browser. */
  watchLast(): void {
    this.#replay(loadLastRecording);
  }

  #replay(read: () => Promise<Uint8Array | null>): void {
    this.#load(async (signal) => {
      const [file, { openReplay }] = await Promise.all([read(), import('../loopback/replay-entry.ts')]);
      if (signal.aborted) return;
      if (file === null) this.#handlers.onRefused(NOTHING_KEPT);
      else
        await openReplay({
          canvas: this.#canvas,
          overlay: this.#overlay,
          file,
          signal,
          onShown: () => this.#handlers.onShown(),
          onRefused: (sentence) => this.#handlers.onRefused(sentence),
          onFailure: (why) => this.#handlers.onEnd(why),
          onClose: () => this.#handlers.onEnd(null),
        });
    });
  }

  #load(load: (signal: AbortSignal) => Promise<void>): void {
    this.#handlers.onLoading(load, () => this.#load(load));
  }

  #show(query: string): void {
    this.#handlers.onShown();
    if (location.search !== query) history.pushState(null, '', query);
  }
}
