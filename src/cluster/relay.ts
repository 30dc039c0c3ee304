import { asFields, parseFields } from '../core/room/fields.ts';
import type { ProcessId } from './keys.ts';
import { CHANNEL } from './keys.ts';
import type { Leases } from './leases.ts';
import type { Members } from './members.ts';
import type { Redis } from './redis.ts';

/** Milliseconds for which it is remembered where an id is. */
const KNOWN_MS = 5000;
/** Ids of which that is remembered. */
const MOST_KNOWN = 10_000;
/** Characters of a message between two processes: one of a client, with what is added here. */
const MOST_LENGTH = 64 * 1024;

/** A message of signalling, in PeerJS's form, and the process from whose client it comes. */
export type Relayed = { readonly from: ProcessId; readonly message: Readonly<Record<string, unknown>> };

/** The process to which an id belongs, also while Redis is still being asked. */
type Known = {
  readonly owner: Promise<ProcessId | null>;
  readonly untilMs: number;
  isElsewhere: boolean;
  isPending: boolean;
};

/** [N9.3] Passes messages of signalling on to the process to which their receiver belongs. */
export class Relay {
  readonly #redis: Redis;
  readonly #members: Members;
  readonly #leases: Leases;
  readonly #known = new Map<string, Known>();
  /** Messages that were passed on. */
  passed = 0;

  constructor(redis: Redis, members: Members, leases: Leases) {
    this.#redis = redis;
    this.#members = members;
    this.#leases = leases;
  }

  /** Takes messages of other processes from now on. @param take checks each: other programs may write to Redis, too. */
  async start(take: (relayed: Relayed) => void): Promise<void> {
    await this.#redis.subscribe(CHANNEL + this.#members.id, (text) => {
      const relayed = readRelayed(text);
      if (relayed !== null) take(relayed);
    });
  }

  /** True if an id is known to belong to another process. */
  isElsewhere(id: string): boolean {
    const known = this.#known.get(id);
    return known !== undefined && known.isElsewhere && known.untilMs > performance.now();
  }

  /**
   * Passes a message on to whoever has its receiver's id. Messages to one id keep their order.
   * @param orElse called if no other process has the id.
   */
  pass(to: string, message: Relayed['message'], orElse: () => void): void {
    void this.#ownerOf(to).then((owner) => {
      if (owner === null || owner === this.#members.id) return orElse();
      // Nobody listens there: the process is dead, and somebody else may have the id soon.
      this.send(owner, message, () => {
        this.#known.delete(to);
        orElse();
      });
    });
  }

  /**
   * Sends a message to a process; while Redis is away it is lost, as one is in a network.
   * @param unheard called if that process does not listen.
   */
  send(to: ProcessId, message: Relayed['message'], unheard: () => void = () => undefined): void {
    const text = JSON.stringify({ from: this.#members.id, message } satisfies Relayed);
    if (text.length > MOST_LENGTH) return;
    this.passed++;
    const heard = this.#redis.publish(CHANNEL + to, text);
    heard.then((count) => count === 0 && unheard()).catch(() => undefined);
  }

  #ownerOf(id: string): Promise<ProcessId | null> {
    const nowMs = performance.now();
    const before = this.#known.get(id);
    if (before !== undefined && (before.untilMs > nowMs || before.isPending)) return before.owner;
    const owner = this.#leases.ownerOf(id).then((found) => {
      const process = found === null || found === 'unknown' ? null : found.process;
      known.isPending = false;
      known.isElsewhere = process !== null && process !== this.#members.id;
      // Nobody has it yet, but somebody may soon.
      if (process === null && this.#known.get(id) === known) this.#known.delete(id);
      return process;
    });
    const known: Known = { owner, untilMs: nowMs + KNOWN_MS, isElsewhere: false, isPending: true };
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
    return owner;
  }
}

function readRelayed(text: string): Relayed | null {
  const fields = parseFields(text, MOST_LENGTH);
  const message = asFields(fields?.message);
  return message === null || typeof fields?.from !== 'string'
    ? null
    : { from: fields.from as ProcessId, message };
}
