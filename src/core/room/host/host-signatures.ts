import type { Slot } from '../../base/ids.ts';
import type { PublicKey, RoomId, Signature } from '../identity/key.ts';
import type { RosterCore } from '../identity/roster-statement.ts';
import { handoverText, rosterText } from '../identity/statements.ts';
import { nextTerm } from '../term.ts';

/** A text, and its signature; null while it is being signed. */
type Signing = { readonly text: string; signature: Signature | null };

/** The handover to a player that has been prepared. */
type Heir = Signing & { readonly slot: Slot };

/**
 * [P4] [P5] A host's signatures: of its roster, each time the signed part changes; and of the handover to the next
 * host, ahead of time, because a page that is being closed can't wait for a signature.
 */
export class HostSignatures {
  readonly #room: RoomId;
  readonly #sign: ((text: string) => void) | null;
  #coreText = '';
  #epoch: number;
  #roster: Signing = { text: '', signature: null };
  #heir: Heir | null = null;

  /**
   * @param sign asks for a signature; the answer goes to `signed`. [N8.2] Null in a large room, which signs nothing.
   * @param epoch of the first roster.
   */
  constructor(room: RoomId, sign: ((text: string) => void) | null, epoch = 0) {
    this.#room = room;
    this.#epoch = epoch - 1;
    this.#sign = sign;
  }

  /** @returns the epoch of this roster, and its signature; null while it is being signed. */
  ofRoster(core: RosterCore): { readonly epoch: number; readonly signature: Signature | null } {
    const coreText = JSON.stringify(core);
    if (coreText !== this.#coreText) {
      this.#coreText = coreText;
      const text = rosterText(this.#room, { ...core, epoch: ++this.#epoch });
      this.#roster = { text, signature: null };
      this.#sign?.(text);
    }
    return { epoch: this.#epoch, signature: this.#roster.signature };
  }

  /**
   * Prepares the handover to a player. Call it once a tick.
   * @param term the host's own term.
   * @param player null: there is nobody, and nothing changes.
   */
  prepareHandover(term: number, player: { readonly slot: Slot; readonly key: PublicKey } | null): void {
    if (player === null) return;
    const { slot, key: heir } = player;
    const text = handoverText(this.#room, { term, next: nextTerm(term, slot), heir });
    if (this.#heir?.text === text) return;
    this.#heir = { slot, text, signature: null };
    this.#sign?.(text);
  }

  /** The handover that has been prepared; null if none is signed. */
  get handover(): { readonly next: Slot; readonly signature: Signature } | null {
    if (this.#heir === null || this.#heir.signature === null) return null;
    return { next: this.#heir.slot, signature: this.#heir.signature };
  }

  /** The answer to `sign`. @param signature null if it could not be signed. @returns true if the roster is signed now. */
  signed(text: string, signature: Signature | null): boolean {
    if (this.#heir?.text === text) this.#heir.signature = signature;
    if (this.#roster.text !== text) return false;
    this.#roster.signature = signature;
    return signature !== null;
  }
}
