import { createHash } from 'node:crypto';
import type { SigningEffect } from '../../src/core/room/identity/authenticated-lines.ts';
import type { PublicKey, Signature } from '../../src/core/room/identity/key.ts';

/**
 * Keys and signatures of simulated pages. They have the form of real ones, but anybody could make them: a simulated
 * liar keeps to its own key. Unlike real ones they are the same in every run.
 */

/** @returns the key of a simulated page with this name. */
export function keyOf(name: string): PublicKey {
  return `BA${digest(name).repeat(2).slice(0, 84)}A` as PublicKey;
}

/** @returns the signature of a text by a key. */
export function signatureOf(key: PublicKey, text: string): Signature {
  return `${digest(`${key} ${text}`).repeat(2).slice(0, 85)}A` as Signature;
}

/** A page's member, or a part of it, that asks for signatures. */
export type Asker = {
  signed(text: string, signature: Signature | null): void;
  verified(request: number, areValid: boolean): void;
};

/** Answers at once, as the page does in its time. */
export function answer(effect: SigningEffect, key: PublicKey, asker: Asker): void {
  if (effect.kind === 'sign') asker.signed(effect.text, signatureOf(key, effect.text));
  else {
    const { request, checks } = effect;
    asker.verified(
      request,
      checks.every((check) => signatureOf(check.key, check.text) === check.signature),
    );
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
