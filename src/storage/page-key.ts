import type { Store } from './store.ts';
import { sessionStore } from './store.ts';
import { keep, readKept } from './database.ts';

/** [P1] The key of this tab. A reloaded tab has it again; another tab has its own. */

const NAME = 'handover.key';
/** Milliseconds for which a key is kept that no tab uses. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

type KeptKey = { readonly keys: CryptoKeyPair; readonly usedAt: number };

/** @returns this tab's keys, from before it was reloaded; null if it has none, or the browser forgot them. */
export async function loadKeys(store: Store = sessionStore()): Promise<CryptoKeyPair | null> {
  const name = store.read(NAME);
  return name === null ? null : (asKept(await readKept('keys', name))?.keys ?? null);
}

/** Keeps this tab's keys; those that no tab has used for long are deleted. Never rejects. */
export async function saveKeys(keys: CryptoKeyPair, store: Store = sessionStore()): Promise<void> {
  const name = store.read(NAME) ?? crypto.randomUUID();
  store.write(NAME, name);
  const usedAt = Date.now();
  const kept: KeptKey = { keys, usedAt };
  await keep('keys', name, kept, (other) => usedAt - (asKept(other)?.usedAt ?? 0) > KEPT_MS);
}

function asKept(value: unknown): KeptKey | null {
  if (typeof value !== 'object' || value === null || !('keys' in value) || !('usedAt' in value)) return null;
  const { keys, usedAt } = value;
  if (typeof usedAt !== 'number' || typeof keys !== 'object' || keys === null) return null;
  const { privateKey, publicKey } = keys as Partial<CryptoKeyPair>;
  return privateKey instanceof CryptoKey && publicKey instanceof CryptoKey
    ? { keys: { privateKey, publicKey }, usedAt }
    : null;
}
