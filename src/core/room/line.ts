declare const brand: unique symbol;
/** The number that a page gives to one of its lines to another page; no two lines of a page share one. */
export type LineId = number & { readonly [brand]: 'LineId' };

/** Why a line to a room could not be opened. */
export type LineFailure =
  /** The broker knows nobody at the room's door. */
  | 'not found'
  /** The broker can't be reached. */
  | 'no broker'
  /** The host is there, but the networks between let no connection through. */
  | 'blocked';
