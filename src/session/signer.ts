import type { SigningEffect } from '../core/room/identity/authenticated-lines.ts';
import type { Member } from '../core/room/member.ts';
import type { MemberKey } from './member-key.ts';
import { areValid } from './member-key.ts';

/** [P1] Answers a member's requests for signatures, in a tick: nothing changes the member's state in between. */
export class Signer {
  readonly #key: MemberKey;
  readonly #answers: (() => void)[] = [];

  constructor(key: MemberKey) {
    this.#key = key;
  }

  /** The answer goes to the member that asked, though it may have another role by then. */
  async ask(member: Member, effect: SigningEffect): Promise<void> {
    if (effect.kind === 'sign') {
      const signature = await this.#key.sign(effect.text);
      this.#answers.push(() => member.signed(effect.text, signature));
    } else {
      const isRight = await areValid(effect.checks);
      this.#answers.push(() => member.verified(effect.request, isRight));
    }
  }

  /** Hands out the answers that have come since the last tick. */
  answer(): void {
    for (const give of this.#answers.splice(0)) give();
  }
}
