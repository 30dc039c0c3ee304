/** Where progress is shown; process.stderr is one. */
export type ProgressStream = { readonly isTTY?: boolean; write(text: string): unknown };

/**
 * One line that says how far a command is. On a terminal each text replaces the last; a file or a pipe gets one
 * line, the last text, when the command ends.
 */
export class ProgressLine {
  readonly #stream: ProgressStream;
  #last = '';

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
  }

  /** @param text of one line, without a line break. */
  show(text: string): void {
    if (this.#stream.isTTY === true) this.#stream.write(`\r${text.padEnd(this.#last.length)}`);
    this.#last = text;
  }

  /** Ends the line, so that other output can follow. Does nothing where nothing was shown. */
  end(): void {
    if (this.#last === '') return;
    this.#stream.write(this.#stream.isTTY === true ? '\n' : `${this.#last}\n`);
    this.#last = '';
  }
}
