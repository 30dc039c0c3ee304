import type { Fields } from '../fields.ts';
import { parseFields, string, whole } from '../fields.ts';
import type { LineEnd } from '../line.ts';
import type { PublicKey, Signature } from './key.ts';
import { readKey, readSignature } from './key.ts';
import type { Check } from './statements.ts';
import { proofText } from './statements.ts';

/** Characters of a challenge, at most; our pages' challenges have 36. */
const MAX_CHALLENGE_LENGTH = 64;
/** Characters of a challenge, at least: 96 bits in base64. */
const MIN_CHALLENGE_LENGTH = 16;

/** [P2] The first message of either end on a line. Its kind and version keep their form in every version. */
export type Hello = { readonly kind: 'hello'; readonly version: number; readonly challenge: string };

/** [P2] The second message of either end: who it is, and the signature that proves it for this line. */
export type Proof = { readonly kind: 'proof'; readonly key: PublicKey; readonly signature: Signature };

/** [P2] A page answers the hello of another version with it, in every version. */
export type VersionRefusal = {
  readonly kind: 'refuse';
  readonly reason: 'version';
  readonly version: number;
};

/** @returns null if it is none of these. In a hello of another version only the version is read. Never throws. */
export function readIntroduction(text: string, version: number): Hello | Proof | VersionRefusal | null {
  const fields = parseFields(text);
  if (fields?.kind === 'hello') return readHello(fields, version);
  if (fields?.kind === 'refuse') return readRefusal(fields);
  if (fields?.kind !== 'proof') return null;
  const key = readKey(fields.key);
  const signature = readSignature(fields.signature);
  return key === null || signature === null ? null : { kind: 'proof', key, signature };
}

function readHello(fields: Fields, own: number): Hello | null {
  const version = whole(fields.version, 0, 0xffff);
  if (version === null) return null;
  if (version !== own) return { kind: 'hello', version, challenge: '' };
  const challenge = string(fields.challenge, MAX_CHALLENGE_LENGTH);
  return challenge === null || challenge.length < MIN_CHALLENGE_LENGTH
    ? null
    : { kind: 'hello', version, challenge };
}

function readRefusal(fields: Fields): VersionRefusal | null {
  const version = whole(fields.version, 0, 0xffff);
  return fields.reason !== 'version' || version === null
    ? null
    : { kind: 'refuse', reason: 'version', version };
}

/** The result of a message for a handshake. */
export type HandshakeStep =
  /** Sign this text, and then call `signed`. */
  | { readonly kind: 'sign'; readonly text: string }
  /** If the signature is valid, the page at the other end has this key. */
  | { readonly kind: 'verify'; readonly check: Check }
  /** The other page has another version. */
  | { readonly kind: 'version' }
  /** The message has no place here. */
  | { readonly kind: 'broken' };

/** The settings of this page that a handshake proves. */
export type HandshakeOptions = {
  readonly version: number;
  readonly key: PublicKey;
  /** Nobody can guess it, and it is for this line only. */
  readonly challenge: string;
};

/** [P2] One line's handshake: each end sends its hello, and then its proof. It has no clock and no line. */
export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #end: LineEnd;
  #hasHello = false;
  #hasProof = false;

  constructor(end: LineEnd, options: HandshakeOptions) {
    this.#end = end;
    this.#options = options;
  }

  /** The message to send first. */
  get hello(): Hello {
    const { version, challenge } = this.#options;
    return { kind: 'hello', version, challenge };
  }

  /** The message to send to a page of another version. */
  get refusal(): VersionRefusal {
    return { kind: 'refuse', reason: 'version', version: this.#options.version };
  }

  /** Takes in a message of the other end. */
  receive(text: string): HandshakeStep {
    const { version, key } = this.#options;
    const message = readIntroduction(text, version);
    if (message === null) return { kind: 'broken' };
    if (message.kind === 'proof') return this.#receiveProof(message);
    if (message.kind === 'refuse') return { kind: 'version' };
    if (this.#hasHello) return { kind: 'broken' };
    if (message.version !== version) return { kind: 'version' };
    this.#hasHello = true;
    const role = this.#end.isCaller ? 'caller' : 'callee';
    const { binding } = this.#end;
    return {
      kind: 'sign',
      text: proofText({ version, key, role, challenge: message.challenge, binding }),
    };
  }

  #receiveProof({ key, signature }: Proof): HandshakeStep {
    if (!this.#hasHello || this.#hasProof) return { kind: 'broken' };
    this.#hasProof = true;
    const { version, challenge } = this.#options;
    const role = this.#end.isCaller ? 'callee' : 'caller';
    const { binding } = this.#end;
    return {
      kind: 'verify',
      check: { key, text: proofText({ version, key, role, challenge, binding }), signature },
    };
  }

  /** @returns the message to send when the text is signed. */
  proof(signature: Signature): Proof {
    return { kind: 'proof', key: this.#options.key, signature };
  }
}
