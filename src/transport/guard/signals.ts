import type { Fields } from '../../core/room/fields.ts';
import { asFields, string } from '../../core/room/fields.ts';
import { isPageId } from '../../core/room/page-id.ts';

/**
 * The messages of the broker to a page, as PeerJS reads them. Other pages choose nearly all that is in them, and
 * PeerJS checks next to nothing. So each message is checked, and written anew with only those fields that our own pages send.
 */

/** Characters of an id at the broker, of a connection's id, and of a channel's label. */
const MOST_ID = 64;
/** Characters of a session description; a line's has 500, a call's 1700, and candidates may be in it. */
const MOST_SDP = 16_384;
/** Characters of a candidate; the longest have about 200. */
const MOST_CANDIDATE = 512;
/** Characters of the broker's own words. */
const MOST_WORDS = 200;

type Description = { readonly type: 'offer' | 'answer'; readonly sdp: string };

type Candidate = {
  readonly candidate: string;
  readonly sdpMid: string | null;
  readonly sdpMLineIndex: number | null;
  readonly usernameFragment: string | null;
};

/** The part of a payload that names the connection. */
type OfConnection = { readonly connectionId: string };

/** A message of the broker that PeerJS may read. `src` is the id of the page that it comes from, or is about. */
export type Signal =
  | { readonly type: 'OPEN' | 'ID-TAKEN' | 'INVALID-KEY' }
  | { readonly type: 'ERROR'; readonly payload: { readonly msg: string } }
  | { readonly type: 'LEAVE' | 'EXPIRE'; readonly src: string }
  | { readonly type: 'OFFER'; readonly src: string; readonly payload: Offer }
  | {
      readonly type: 'ANSWER';
      readonly src: string;
      readonly payload: OfConnection & { readonly sdp: Description };
    }
  | {
      readonly type: 'CANDIDATE';
      readonly src: string;
      readonly payload: OfConnection & { readonly candidate: Candidate };
    };

/** An offer of a line or of a call. */
export type Offer = OfConnection & { readonly sdp: Description } & (
    | {
        readonly type: 'data';
        readonly label: string;
        readonly reliable: boolean;
        readonly serialization: 'raw';
      }
    | { readonly type: 'media' }
  );

/** Reads a message of the broker. Never throws. @returns why it is refused, if it is. */
export function readSignal(value: unknown): Signal | 'malformed' | 'other kind' {
  const { type, src, payload } = fieldsOf(value);
  switch (type) {
    case 'OPEN':
    case 'ID-TAKEN':
    case 'INVALID-KEY':
      return { type };
    case 'ERROR':
      return { type, payload: { msg: string(fieldsOf(payload).msg, Infinity)?.slice(0, MOST_WORDS) ?? '' } };
    default:
      return isId(src) ? readOfPage(type, src, fieldsOf(payload)) : 'malformed';
  }
}

function readOfPage(type: unknown, src: string, payload: Fields): Signal | 'malformed' | 'other kind' {
  if (type === 'LEAVE' || type === 'EXPIRE') return { type, src };
  const connectionId = string(payload.connectionId, MOST_ID);
  if (connectionId === null || connectionId === '') return 'malformed';
  switch (type) {
    case 'OFFER': {
      const offer = readOffer(connectionId, payload);
      return typeof offer === 'string' ? offer : { type, src, payload: offer };
    }
    case 'ANSWER': {
      const sdp = readDescription(payload.sdp, 'answer', ['audio', 'application']);
      return sdp === null ? 'malformed' : { type, src, payload: { connectionId, sdp } };
    }
    case 'CANDIDATE': {
      const candidate = readCandidate(fieldsOf(payload.candidate));
      return candidate === null ? 'malformed' : { type, src, payload: { connectionId, candidate } };
    }
    default:
      return 'malformed';
  }
}

function readOffer(connectionId: string, payload: Fields): Offer | 'malformed' | 'other kind' {
  const { type, serialization } = payload;
  if (type === 'media') {
    // PeerJS adds a channel to each call.
    const sdp = readDescription(payload.sdp, 'offer', ['audio', 'application']);
    return sdp === null ? 'malformed' : { type, connectionId, sdp };
  }
  if (type !== 'data' || serialization !== 'raw') return 'other kind';
  const label = string(payload.label, MOST_ID);
  const sdp = readDescription(payload.sdp, 'offer', ['application']);
  if (label === null || sdp === null) return 'malformed';
  return { type, connectionId, label, reliable: payload.reliable === true, serialization, sdp };
}

/** @param kinds each part of the description is one of these, and each is there at most once. */
function readDescription<T extends 'offer' | 'answer'>(
  value: unknown,
  type: T,
  kinds: readonly string[],
): { type: T; sdp: string } | null {
  const fields = fieldsOf(value);
  const sdp = string(fields.sdp, MOST_SDP);
  if (fields.type !== type || sdp === null) return null;
  const parts = sdp.match(/^m=[^ \r\n]*/gm) ?? [];
  const isKnown =
    parts.every((part) => kinds.includes(part.slice(2))) && new Set(parts).size === parts.length;
  return isKnown && parts.length > 0 ? { type, sdp } : null;
}

function readCandidate({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: Fields): Candidate | null {
  const text = string(candidate, MOST_CANDIDATE);
  if (text === null) return null;
  return {
    candidate: text,
    sdpMid: string(sdpMid, MOST_ID),
    sdpMLineIndex: sdpMLineIndex === 0 || sdpMLineIndex === 1 ? sdpMLineIndex : null,
    usernameFragment: string(usernameFragment, MOST_CANDIDATE),
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isPageId(value);
}

function fieldsOf(value: unknown): Fields {
  return asFields(value) ?? {};
}
