import type { GuestMessage, HostMessage } from './messages.ts';
import { writeMessage } from './messages.ts';
import type { LineId } from './line.ts';

/** The tasks that both roles have for their owner. */
type LineEffect =
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  | { readonly kind: 'sign'; readonly text: string };

/** A role's tasks for its owner, in order, and its count of what it rejected. */
export class Outbox<Effect> {
  readonly #effects: (Effect | LineEffect)[] = [];
  /** Messages that were rejected, counted by reason. */
  readonly rejected: Record<string, number> = {};

  push(effect: Effect): void {
    this.#effects.push(effect);
  }

  send(line: LineId, message: GuestMessage | HostMessage): void {
    this.#effects.push({ kind: 'send', line, text: writeMessage(message) });
  }

  /** @param line null: there is none, and nothing happens. */
  close(line: LineId | null): void {
    if (line !== null) this.#effects.push({ kind: 'close', line });
  }

  /** [P1] Asks for a signature. */
  sign(text: string): void {
    this.#effects.push({ kind: 'sign', text });
  }

  reject(reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
  }

  /** Hands out the tasks, in order, and forgets them. */
  drain(apply: (effect: Effect | LineEffect) => void): void {
    for (const effect of this.#effects.splice(0)) apply(effect);
  }
}
