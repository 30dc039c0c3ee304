/** The game's own levels. Each function makes its level anew, and always the same. */
export { giants } from './giants.ts';
export { playground } from './playground.ts';
