import { AskedProcess } from '../asked-process.ts';
import type { Answer, Order } from './messages.ts';

/** A player in a process of its own, as a tool sees it. */
export type PlayerProcess = AskedProcess<Order, Answer>;

/** Begins the process of a player. @throws Error if it ends before it is ready. */
export function beginPlayer(): Promise<PlayerProcess> {
  return AskedProcess.begin<Order, Answer>(new URL('./player-main.ts', import.meta.url));
}
