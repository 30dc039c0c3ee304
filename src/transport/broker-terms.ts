/** Milliseconds before a lost broker is asked again, the first time. */
export const FIRST_RETRY_MS = 500;
/** Milliseconds between two tries, at most. */
export const MOST_RETRY_MS = 5000;
/** Milliseconds that the broker has for its first answer. */
export const FIRST_ANSWER_MS = 10_000;
/** Milliseconds that it has when it is asked again. */
export const NEXT_ANSWER_MS = 5000;
/** PeerJS's own key: our pages use no other, and our broker asks for it. */
export const BROKER_KEY = 'peerjs';
