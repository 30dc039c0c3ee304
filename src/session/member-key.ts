import type { PublicKey, Signature } from '../core/room/identity/key.ts';
import { readKey, readSignature } from '../core/room/identity/key.ts';
import type { Check } from '../core/room/identity/statements.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Keys of WebCrypto, which browsers and Node have. */
export type Keys = Awaited<ReturnType<typeof createKeys>>;

/**
 * Makes new keys.
 * @param isReadable the private half can be read by `writePrivateKey`; only a host that must last needs that.
 * @throws Error on a page that is no https page.
 */
export function createKeys(isReadable = false) {
  return crypto.subtle.generateKey(ALGORITHM, isReadable, ['sign', 'verify']);
}

/** @returns the private half as a text (PKCS #8, base64url): whoever has it is that member. @throws unless it is readable. */
export async function writePrivateKey({ privateKey }: Keys): Promise<string> {
  return toBase64Url(await crypto.subtle.exportKey('pkcs8', privateKey));
}

/** [P1] The key of a member of a room: it signs. The private half never leaves the machine. */
export class MemberKey {
  readonly publicKey: PublicKey;
  readonly #privateKey: Keys['privateKey'];

  private constructor(publicKey: PublicKey, privateKey: Keys['privateKey']) {
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  /** The key of these keys, which `createKeys` has made, now or in an earlier run. */
  static async of(keys: Keys): Promise<MemberKey> {
    const publicKey = readKey(toBase64Url(await crypto.subtle.exportKey('raw', keys.publicKey)));
    if (publicKey === null) throw new Error('the platform has made a key of another form');
    return new MemberKey(publicKey, keys.privateKey);
  }

  /** @returns the key that `writePrivateKey` has written; null if the text is no key, or another one. Never rejects. */
  static async read(publicKey: PublicKey, text: string): Promise<MemberKey | null> {
    try {
      const bytes = fromBase64Url(text);
      const key = new MemberKey(
        publicKey,
        await crypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']),
      );
      const signature = await key.sign(publicKey);
      const isPair = signature !== null && (await areValid([{ key: publicKey, text: publicKey, signature }]));
      return isPair ? key : null;
    } catch {
      return null;
    }
  }

  /** @returns the signature of a text; null if the platform can't sign. Never rejects. */
  async sign(text: string): Promise<Signature | null> {
    try {
      return readSignature(toBase64Url(await crypto.subtle.sign(SIGNING, this.#privateKey, utf8(text))));
    } catch {
      return null;
    }
  }
}

/** @returns true if every signature is valid. Never rejects. */
export async function areValid(checks: readonly Check[]): Promise<boolean> {
  try {
    return (await Promise.all(checks.map(isValid))).every(Boolean);
  } catch {
    // The key is no point of the curve.
    return false;
  }
}

async function isValid({ key, text, signature }: Check): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', fromBase64Url(key), ALGORITHM, false, ['verify']);
  return crypto.subtle.verify(SIGNING, imported, fromBase64Url(signature), utf8(text));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
