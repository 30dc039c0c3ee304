import { asFields, parseFields, string } from '../../core/room/fields.ts';
import { isPageId } from '../../core/room/page-id.ts';

/**
 * The messages between a page of a large room and its site about voices, as JSON over a WebSocket. The site hands their
 * SDP on to a voice server; sound goes between page and voice server alone.
 */

/** Characters of an SDP that a page may send, or get: one line of audio takes some 700, and a room has up to 30. */
const MAX_SDP_LENGTH = 49_152;
/** Characters of the longest message that is read: JSON escapes each end of a line of the SDP. */
export const MAX_VOICE_MESSAGE = 65_536;

/** From a page. */
export type VoiceRequest =
  /** [N8.6] The page speaks: its offer, with one line of audio. It replaces an earlier one. */
  | { readonly kind: 'speak'; readonly sdp: string }
  /** The page speaks no more. */
  | { readonly kind: 'hush' }
  /** The answer to the last 'voices'. */
  | { readonly kind: 'listen'; readonly sdp: string };

/** From the site. */
export type VoiceNews =
  /** The answer to the last 'speak'. */
  | { readonly kind: 'speaking'; readonly sdp: string }
  /** An offer of all voices. `pages` maps the mid of each line with a voice to the id of the page that speaks. */
  | { readonly kind: 'voices'; readonly sdp: string; readonly pages: Readonly<Record<string, string>> };

/** @returns the message as text. */
export function writeVoiceMessage(message: VoiceRequest | VoiceNews): string {
  return JSON.stringify(message);
}

/** Reads what a page sends; null if it makes no sense. Never throws. */
export function readVoiceRequest(text: string): VoiceRequest | null {
  const fields = parseFields(text, MAX_VOICE_MESSAGE);
  if (fields?.kind === 'hush') return { kind: 'hush' };
  if (fields?.kind !== 'speak' && fields?.kind !== 'listen') return null;
  const sdp = string(fields.sdp, MAX_SDP_LENGTH);
  return sdp === null ? null : { kind: fields.kind, sdp };
}

/** Reads what a site sends; null if it makes no sense. Never throws. */
export function readVoiceNews(text: string): VoiceNews | null {
  const fields = parseFields(text, MAX_VOICE_MESSAGE);
  const sdp = string(fields?.sdp, MAX_SDP_LENGTH);
  if (fields === null || sdp === null) return null;
  if (fields.kind === 'speaking') return { kind: 'speaking', sdp };
  const pages = asFields(fields.pages);
  if (fields.kind !== 'voices' || pages === null) return null;
  const read: Record<string, string> = {};
  for (const [mid, page] of Object.entries(pages)) {
    if (typeof page !== 'string' || !isPageId(page)) return null;
    read[mid] = page;
  }
  return { kind: 'voices', sdp, pages: read };
}
