import type { LineEnd, LineId } from '../line.ts';
import { isPageId } from '../page-id.ts';
import { StepClock } from '../silence.ts';
import { Handshake } from './handshake.ts';
import type { PublicKey, Signature } from './key.ts';
import type { Check } from './statements.ts';

/** Milliseconds in which the page at the other end must prove who it is: under loss messages are sent several times. */
const PROOF_WITHIN_MS = 12_000;
/** Lines of others whose handshakes may be under way at once. */
const MOST_HANDSHAKES = 16;
/**
 * Messages that may wait on a line for signatures that are being verified: as many as a line lets through at once,
 * after this page or the network has stood still.
 */
const MOST_WAITING = 128;
/**
 * Signatures that are verified for a line at once, and each second. A lineage has 36 at most; an honest page sends a
 * few a second.
 */
const CHECKS_AT_ONCE = 128;
const CHECKS_A_SECOND = 16;

/** The page at the other end of a line, as it has proved itself. */
export type Other = {
  readonly key: PublicKey;
  /** Its id at the broker. */
  readonly page: string;
};

/** [P1] A task for the page that owns the key. */
export type SigningEffect =
  /** Sign this text with this page's key, then call `signed`. */
  | { readonly kind: 'sign'; readonly text: string }
  /** Find out whether all of these signatures are valid, then call `verified` with the same number. */
  | { readonly kind: 'verify'; readonly request: number; readonly checks: readonly Check[] };

/** Why a line has not come to a known page: it speaks another version, or it did not prove who it is. */
export type HandshakeFailure = 'version' | 'unproven';

/** The owner of AuthenticatedLines carries these out. */
export type AuthenticatedLineActions = {
  send(line: LineId, text: string): void;
  close(line: LineId): void;
  ask(effect: SigningEffect): void;
  /** The page at the other end has proved who it is; its messages follow. */
  known(line: LineId, other: Other): void;
  /** The handshake has failed, and the line is closed. */
  failed(line: LineId, why: HandshakeFailure): void;
  /** A line has broken, or its other end has closed it; all that it said before has been handed on. */
  closed(line: LineId): void;
  /** A message of a known page; every signature in it is valid. */
  message(line: LineId, text: string): void;
  /**
   * The signatures in a message of a known page.
   * @returns empty if there are none; null if the message can't be right, whatever they are.
   */
  checks(line: LineId, other: Other, text: string): readonly Check[] | null;
};

/** A message that has come, and what is known of its signatures. */
type Waiting =
  | { readonly text: string; readonly kind: 'new' }
  | { readonly text: string; readonly kind: 'verifying'; readonly request: number };

/** A line's handshake: what this end has still to do, and what the other end has. */
type Entry = {
  readonly end: LineEnd;
  readonly handshake: Handshake;
  /** The text of this end's proof while it is being signed; null before and after. */
  signing: string | null;
  hasSentProof: boolean;
  /** The other end's key, and the number of the request that verifies it; null before its proof has come. */
  proof: { readonly other: Other; readonly request: number } | null;
  isProven: boolean;
  /** The line has ended, but something that came on it is still being verified. */
  hasEnded: boolean;
  waitedMs: number;
  /** Signatures that may still be verified for this line. */
  checksLeft: number;
  /** Messages that wait for the handshake, or for signatures. */
  readonly inbox: Waiting[];
};

/**
 * [P2] The lines of a page, each with the page at its other end. Nobody hears of a line before both ends have proved
 * who they are; no message is handed on before its signatures are verified; and each line's messages stay in order.
 */
export class AuthenticatedLines {
  readonly #actions: AuthenticatedLineActions;
  readonly #options: { readonly version: number; readonly key: PublicKey; readonly challenge: () => string };
  readonly #lines = new Map<LineId, Entry>();
  readonly #clock = new StepClock();
  #requests = 0;
  /** Lines and messages that were refused, counted by reason. */
  readonly rejected: Record<string, number> = {};

  constructor(
    actions: AuthenticatedLineActions,
    options: { readonly version: number; readonly key: PublicKey; readonly challenge: () => string },
  ) {
    this.#actions = actions;
    this.#options = options;
  }

  /** The page at the other end; null for a line that is unknown, or whose handshake is not over. */
  otherOf(line: LineId): Other | null {
    const entry = this.#lines.get(line);
    return entry !== undefined && isKnown(entry) ? (entry.proof?.other ?? null) : null;
  }

  /** A line has opened: both ends introduce themselves. */
  opened(line: LineId, end: LineEnd): void {
    if (!isPageId(end.page)) {
      // In a roster it would make every guest refuse the roster.
      this.#reject('page id');
      this.#actions.close(line);
      return;
    }
    const { version, key, challenge } = this.#options;
    const handshake = new Handshake(end, { version, key, challenge: challenge() });
    const nothing = { signing: null, hasSentProof: false, proof: null, isProven: false, hasEnded: false };
    this.#lines.set(line, { end, handshake, ...nothing, waitedMs: 0, checksLeft: CHECKS_AT_ONCE, inbox: [] });
    this.#makeRoom();
    this.#actions.send(line, JSON.stringify(handshake.hello));
  }

  /** The oldest line of the page with the most gives way: a friend's page needs few, and proves soon who it is. */
  #makeRoom(): void {
    const opening = [...this.#lines].filter(([, entry]) => !isKnown(entry) && !entry.end.isCaller);
    if (opening.length <= MOST_HANDSHAKES) return;
    const linesOf = ({ end: { page } }: Entry): number =>
      opening.filter(([, other]) => other.end.page === page).length;
    const [line] = opening.reduce((most, one) => (linesOf(one[1]) > linesOf(most[1]) ? one : most));
    this.#fail(line, 'unproven');
  }

  /**
   * A line has broken, or the other end has closed it; `closed` of the actions follows. Signatures on it that are
   * still being verified come first: a host's last words are no use after the line's end.
   */
  closed(line: LineId): void {
    const entry = this.#lines.get(line);
    if (entry !== undefined) entry.hasEnded = true;
    if (entry === undefined || !isBusy(entry)) this.#end(line);
  }

  /** This end has closed a line: nothing more is reported of it. */
  forget(line: LineId): void {
    this.#lines.delete(line);
  }

  /** Takes in a message. Never throws, whatever the text is. */
  receive(line: LineId, text: string): void {
    const entry = this.#lines.get(line);
    if (entry === undefined) return;
    if (entry.proof === null) this.#introduce(line, entry, text);
    else if (entry.inbox.length >= MOST_WAITING) {
      this.#reject('flood');
      this.#fail(line, 'unproven');
    } else {
      entry.inbox.push({ text, kind: 'new' });
      this.#handOn(line, entry);
    }
  }

  #introduce(line: LineId, entry: Entry, text: string): void {
    const step = entry.handshake.receive(text);
    switch (step.kind) {
      case 'sign':
        entry.signing = step.text;
        this.#actions.ask({ kind: 'sign', text: step.text });
        break;
      case 'verify': {
        const other = { key: step.check.key, page: entry.end.page };
        entry.proof = { other, request: this.#verify([step.check]) };
        break;
      }
      case 'version':
        this.#reject('version');
        this.#actions.send(line, JSON.stringify(entry.handshake.refusal));
        this.#fail(line, 'version');
        break;
      case 'broken':
        this.#reject('handshake');
        this.#fail(line, 'unproven');
        break;
    }
  }

  #verify(checks: readonly Check[]): number {
    const request = ++this.#requests;
    this.#actions.ask({ kind: 'verify', request, checks });
    return request;
  }

  /**
   * The answer to the effect `sign`.
   * @param signature null if it could not be signed.
   * @returns true if it was for a handshake.
   */
  signed(text: string, signature: Signature | null): boolean {
    for (const [line, entry] of this.#lines) {
      if (entry.signing !== text) continue;
      entry.signing = null;
      if (signature === null) this.#fail(line, 'unproven');
      else {
        this.#actions.send(line, JSON.stringify(entry.handshake.proof(signature)));
        entry.hasSentProof = true;
        this.#introduced(line, entry);
      }
      return true;
    }
    return false;
  }

  /** The answer to the effect `verify`. @param areValid every signature is valid. */
  verified(request: number, areValid: boolean): void {
    for (const [line, entry] of this.#lines) {
      const { proof, inbox } = entry;
      if (proof?.request === request) {
        entry.isProven = areValid;
        if (!areValid) {
          this.#reject('proof');
          this.#fail(line, 'unproven');
        } else this.#introduced(line, entry);
        return;
      }
      const first = inbox.at(0);
      if (first?.kind !== 'verifying' || first.request !== request) continue;
      inbox.shift();
      if (areValid) this.#actions.message(line, first.text);
      else this.#reject('signature');
      this.#handOn(line, entry);
      return;
    }
  }

  /** Reports the other end, as soon as both proofs are there. */
  #introduced(line: LineId, entry: Entry): void {
    if (!isKnown(entry) || entry.proof === null) return;
    this.#actions.known(line, entry.proof.other);
    this.#handOn(line, entry);
  }

  /** Hands on the messages that wait for nothing any more. */
  #handOn(line: LineId, entry: Entry): void {
    const { inbox, proof } = entry;
    if (proof === null || !isKnown(entry)) return;
    while (this.#lines.get(line) === entry) {
      const first = inbox.at(0);
      if (first === undefined && entry.hasEnded) this.#end(line);
      if (first?.kind !== 'new') return;
      const checks = this.#actions.checks(line, proof.other, first.text);
      if (checks !== null && checks.length > 0) {
        entry.checksLeft -= checks.length;
        if (entry.checksLeft < 0) {
          this.#reject('flood');
          this.#fail(line, 'unproven');
          return;
        }
        inbox[0] = { text: first.text, kind: 'verifying', request: this.#verify(checks) };
        return;
      }
      inbox.shift();
      if (checks === null) this.#reject('signature');
      else this.#actions.message(line, first.text);
    }
  }

  /** Call it once a tick. @param nowMs milliseconds on the owner's clock. */
  tick(nowMs: number): void {
    const step = this.#clock.step(nowMs);
    for (const [line, entry] of this.#lines) {
      entry.checksLeft = Math.min(CHECKS_AT_ONCE, entry.checksLeft + (CHECKS_A_SECOND * step) / 1000);
      if (isKnown(entry)) continue;
      entry.waitedMs += step;
      if (entry.waitedMs < PROOF_WITHIN_MS) continue;
      this.#reject('no proof');
      this.#fail(line, 'unproven');
    }
  }

  #fail(line: LineId, why: HandshakeFailure): void {
    this.#lines.delete(line);
    this.#actions.close(line);
    this.#actions.failed(line, why);
  }

  #end(line: LineId): void {
    this.#lines.delete(line);
    this.#actions.closed(line);
  }

  #reject(reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
  }
}

/** True once this end has proved who it is, and the other end has, too. */
function isKnown({ hasSentProof, isProven }: Entry): boolean {
  return hasSentProof && isProven;
}

/** True while the other end's proof, or a message on the line, is being verified. */
function isBusy(entry: Entry): boolean {
  return entry.proof !== null && (!isKnown(entry) || entry.inbox.length > 0);
}
