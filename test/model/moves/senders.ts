import { load } from './actor.ts';
import type { Layout } from '../state/layout.ts';
import { CLAIM, DOWN, OLDER, TO_SAY, UP, UP_CLAIMS, WORD } from '../state/layout.ts';
import { sayDown, sayUp } from './packets.ts';
import type { MoveContext } from './move-context.ts';

/** A peer's packets from now on, and which of its earlier packets are in flight. */

const HOST = 0;

/** A peer's packet to another may have changed: the earlier one may still arrive. */
export function speak(
  context: MoveContext,
  states: readonly Uint8Array[],
  guest: number,
  way: number,
  anew: number,
): readonly Uint8Array[] {
  const { layout, actors } = context;
  const said = context.says[way][guest];
  const [first] = states;
  const actor = actors[way === UP ? guest : HOST];
  load(actor, layout, first);
  const says = spoken[way].subarray(0, said.length);
  if (way === UP) sayUp(actor, layout, says);
  else sayDown(actor, layout, guest, says);
  let same = 0;
  for (let body = 0; body < layout.bodies; body++) if (saysSame(says, said, way, body)) same |= 1 << body;
  const all = (1 << layout.bodies) - 1;
  if (same === all && (way === DOWN || saysSameHands(says, said))) return states;
  for (const state of states) {
    for (let body = 0; layout.poses && body < layout.bodies; body++)
      if (((same >> body) & 1) === 0) state[layout.known(guest, way, body)] = TO_SAY;
    for (let i = 0; i < layout.older; i++) state[layout.packet(guest, way, i) + OLDER.same] &= same;
  }
  if (anew === guest || layout.older === 0) return states;
  return states.flatMap((state) => keepOlder(layout, state, guest, way, said, same));
}

/** The earlier packet is in flight, if there is room; if not, it is lost, or one that was in flight is. */
function keepOlder(
  layout: Layout,
  state: Uint8Array,
  guest: number,
  way: number,
  said: Uint8Array,
  same: number,
): Uint8Array[] {
  const number = ++state[way === UP ? layout.tick(guest) : layout.number(guest)];
  const put = (into: Uint8Array, at: number): Uint8Array => {
    into[at + OLDER.is] = 1;
    into[at + OLDER.number] = number;
    into[at + OLDER.same] = same;
    into.set(said, at + OLDER.head);
    return into;
  };
  for (let i = 0; i < layout.older; i++) {
    const at = layout.packet(guest, way, i);
    if (state[at + OLDER.is] === 0) return [put(state, at)];
  }
  const all = [state];
  for (let i = 0; i < layout.older; i++) all.push(put(state.slice(), layout.packet(guest, way, i)));
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

/** The packets from now on, each way. */
const spoken = [new Uint8Array(256), new Uint8Array(256)] as const;
