import type { SessionFailure } from '../session/session.ts';

/** Why a room could not be opened or entered, or why this member had to leave it. */
export type RoomFailure = SessionFailure | 'bad link' | 'no server' | 'insecure' | 'no webrtc' | 'stopped';

/** The sentence of each failure, for a player. */
export const SENTENCES: Readonly<Record<RoomFailure, string>> = {
  'bad link': 'That is neither the link nor the code of a room.',
  'no server': 'This names no server: give the whole link, or a broker.',
  insecure: 'This address isn’t secure: open the page’s https address to play with friends.',
  'no webrtc': 'This browser blocks connections to friends.',
  stopped: 'Coming into the room was stopped.',
  'no broker': 'The server that brings players together doesn’t answer.',
  'code taken': 'The code of this room is in use elsewhere.',
  'room not found': 'No room has that code right now.',
  'room full': 'This room is full.',
  'room locked': 'This room is locked.',
  'other room': 'Another room has the code of this link now.',
  'other level': 'Your page has another world than the host’s.',
  'other rate': 'Your page has another tick rate than the host’s.',
  'other schema': 'Your page and the host’s share other values.',
  version: 'You and the host have different versions of this page.',
  'no answer': 'The host doesn’t answer.',
  blocked: 'Your devices can’t reach each other: one of your networks blocks it.',
  'no relay': 'Even the relay couldn’t connect you.',
  lost: 'You lost the connection.',
  removed: 'The host removed you from the room.',
  rules: 'Your page had to leave the room, because it broke the rules of play.',
  'opened elsewhere': 'You are in this room in another tab.',
};

/**
 * Why a room could not be opened or entered, or is over for this member. Its message is one of SENTENCES; in Node, where
 * nothing listens at the broker's address, with that address. Its `cause` is what `levels` or the engine threw, if the room
 * is over because of that.
 */
export class RoomError extends Error {
  override readonly name = 'RoomError';
  readonly why: RoomFailure;

  /**
   * @param at the address of what failed; null if there is none to tell.
   * @param cause what the project's own game threw; undefined if that is not why.
   */
  constructor(why: RoomFailure, at: string | null = null, cause?: unknown) {
    const sentence = at === null ? SENTENCES[why] : SENTENCES[why].replace(/\.$/, `: ${at}`);
    super(sentence, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}
