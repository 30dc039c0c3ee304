import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';

/** Two bodies that began to touch in this peer's engine; or one and the floor: then `b` is NO_BODY. */
export type Contact = {
  a: BodyId;
  b: BodyId;
  /** The speed of approach, metres a second. */
  speed: number;
};

/** Contacts that are kept: more than happen in a frame, unless everything falls at once. */
const KEPT = 128;

/** The last contacts in a ring. Readers remember where they stopped; nobody subscribes. */
export class ContactLog {
  /** Contacts since the peer began; the newest has the number `total - 1`. */
  total = 0;
  readonly #contacts: Contact[] = Array.from({ length: KEPT }, () => ({ a: NO_BODY, b: NO_BODY, speed: 0 }));

  /** Adds a contact. @param speed of approach, metres a second. */
  add(a: BodyId, b: BodyId, speed: number): void {
    const contact = this.#contacts[this.total++ % KEPT];
    contact.a = a;
    contact.b = b;
    contact.speed = speed;
  }

  /** Calls `visit` for the contacts from number `since` on that are still kept, oldest first. Contacts are used again. */
  each(since: number, visit: (contact: Readonly<Contact>) => void): void {
    for (let i = Math.max(since, this.total - KEPT, 0); i < this.total; i++) visit(this.#contacts[i % KEPT]);
  }
}
