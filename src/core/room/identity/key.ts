declare const brand: unique symbol;

/**
 * [P1] The public key of a page: a point of the curve P-256, uncompressed (65 bytes), in base64url without padding. A
 * player is known by it.
 */
export type PublicKey = string & { readonly [brand]: 'PublicKey' };

/** A signature by ECDSA with P-256 and SHA-256, as r and s (64 bytes), in base64url without padding. */
export type Signature = string & { readonly [brand]: 'Signature' };

/** [P3] The short hash that names a room: see `roomIdOf` in lineage.ts. */
export type RoomId = string & { readonly [brand]: 'RoomId' };

/** 65 bytes, of which the first is 4. */
const KEY = /^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$/;
/** 64 bytes. */
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/;
/** 80 bits: to find another founder with the same hash takes 2^80 attempts. */
const ROOM_ID = /^[0-9a-f]{20}$/;

/** Reads a public key; null if it has not the form of one. Whether it lies on the curve shows when it is used. */
export function readKey(value: unknown): PublicKey | null {
  return typeof value === 'string' && KEY.test(value) ? (value as PublicKey) : null;
}

/** Reads a signature; null if it has not the form of one. */
export function readSignature(value: unknown): Signature | null {
  return typeof value === 'string' && SIGNATURE.test(value) ? (value as Signature) : null;
}

/** Reads a room's id; null if it is none. */
export function readRoomId(value: unknown): RoomId | null {
  return typeof value === 'string' && ROOM_ID.test(value) ? (value as RoomId) : null;
}
