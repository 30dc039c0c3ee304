declare const brand: unique symbol;
/** The number that a page gives to one of its lines to another page; no two lines of a page share one. */
export type LineId = number & { readonly [brand]: 'LineId' };

/** An open line as its owner describes it. */
export type LineEnd = {
  /** The id at the broker of the page at the other end, as the broker vouches for it. */
  readonly page: string;
  /** This page has called the other one. */
  readonly isCaller: boolean;
  /**
   * [P2] The line's channel binding (RFC 5056): a text that both ends of this line have, and of no other line. It has
   * the room's code, and a part of the caller and of the callee: their DTLS fingerprints, or [N2.4] nonces.
   */
  readonly binding: string;
};

/**
 * The path that a line takes: `any` of WebRTC; `relay`, only one through a TURN server; `socket`, [N2.3] the WebSocket of
 * the site's server.
 */
export type LineWay = 'any' | 'relay' | 'socket';

/** Why a line to a room could not be opened. */
const LINE_FAILURES = [
  /** The broker knows nobody at the room's door. */
  'not found',
  /** The broker can't be reached. */
  'no broker',
  /** The broker knows the room's door, but the host's page does not answer. */
  'no answer',
  /** The host has answered, but the networks between let no direct connection through, and there is no relay. */
  'blocked',
  /** The host has answered, but no connection came about, not even through the relay. */
  'no relay',
] as const;
/** One of LINE_FAILURES. */
export type LineFailure = (typeof LINE_FAILURES)[number];

/** True if a page found no way to its host; false if a host has turned it away. */
export function isLineFailure(why: string): why is LineFailure {
  return LINE_FAILURES.some((failure) => failure === why);
}

/** A step on a page's way to a line to a room's host. */
export type JoinStep =
  /** It waits for the broker. */
  | 'asking'
  /** The broker passes its call on, and the host has not answered. */
  | 'calling'
  /** Both know of each other, and look for a path of any kind; or for one through the relay. */
  | 'direct'
  | 'relay'
  /** The line is open, and the page waits for the host's welcome, or for the world. */
  | 'entering';

/** The progress of a page that wants a line to a room's host. */
export type JoinProgress = {
  readonly step: JoinStep;
  /** Milliseconds since it began, or since the host was last heard. */
  readonly forMs: number;
};
