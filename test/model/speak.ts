import { load } from './actor.ts';
import type { Layout } from './layout.ts';
import { CLAIM, DOWN, OLDER, TO_SAY, UP, UP_CLAIMS, WORD } from './layout.ts';
import { sayDown, sayUp } from './say.ts';
import type { Work } from './work.ts';

/** What a peer says from now on, and what of that until now is in flight. */

const HOST = 0;

/** What a peer says to another may have changed: what it said until now may still arrive. */
export function speak(
  work: Work,
  states: readonly Uint8Array[],
  guest: number,
  way: number,
  anew: number,
): readonly Uint8Array[] {
  const { l, actors } = work;
  const said = work.says[way][guest];
  const [first] = states;
  const actor = actors[way === UP ? guest : HOST];
  load(actor, l, first);
  const says = spoken[way].subarray(0, said.length);
  if (way === UP) sayUp(actor, l, says);
  else sayDown(actor, l, guest, says);
  let same = 0;
  for (let body = 0; body < l.bodies; body++) if (saysSame(says, said, way, body)) same |= 1 << body;
  const all = (1 << l.bodies) - 1;
  if (same === all && (way === DOWN || saysSameHands(says, said))) return states;
  for (const state of states) {
    for (let body = 0; l.poses && body < l.bodies; body++)
      if (((same >> body) & 1) === 0) state[l.known(guest, way, body)] = TO_SAY;
    for (let i = 0; i < l.older; i++) state[l.packet(guest, way, i) + OLDER.same] &= same;
  }
  if (anew === guest || l.older === 0) return states;
  return states.flatMap((state) => keepOlder(l, state, guest, way, said, same));
}

/** What was said until now is in flight, if there is room; if not, it is lost, or one that was in flight is. */
function keepOlder(
  l: Layout,
  state: Uint8Array,
  guest: number,
  way: number,
  said: Uint8Array,
  same: number,
): Uint8Array[] {
  const number = ++state[way === UP ? l.tick(guest) : l.number(guest)];
  const put = (into: Uint8Array, at: number): Uint8Array => {
    into[at + OLDER.is] = 1;
    into[at + OLDER.number] = number;
    into[at + OLDER.same] = same;
    into.set(said, at + OLDER.head);
    return into;
  };
  for (let i = 0; i < l.older; i++) {
    const at = l.packet(guest, way, i);
    if (state[at + OLDER.is] === 0) return [put(state, at)];
  }
  const all = [state];
  for (let i = 0; i < l.older; i++) all.push(put(state.slice(), l.packet(guest, way, i)));
  return all;
}

function saysSame(a: Uint8Array, b: Uint8Array, way: number, body: number): boolean {
  const at = way === UP ? UP_CLAIMS + body * CLAIM.size : body * WORD.size;
  const end = at + (way === UP ? CLAIM.size : WORD.tick);
  for (let i = at; i < end; i++) if (a[i] !== b[i]) return false;
  return true;
}

function saysSameHands(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < UP_CLAIMS; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What is said from now on, each way. */
const spoken = [new Uint8Array(256), new Uint8Array(256)] as const;
