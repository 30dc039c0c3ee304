import { createKeys, MemberKey } from '../../../session/member-key.ts';
import { loadKeys, saveKeys } from '../../../storage/page-key.ts';

/**
 * [P1] This tab's key, from before it was reloaded, or a new one. The private half never leaves the browser.
 * @throws Error if the browser gives pages of this address no cryptography: then it is no https address.
 */
export async function loadPageKey(): Promise<MemberKey> {
  const keys = (await loadKeys()) ?? (await createKeys());
  await saveKeys(keys);
  return MemberKey.of(keys);
}
