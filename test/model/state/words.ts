import type { Order } from './orders.ts';
import type { Layout } from './layout.ts';
import { DOWN, SPAWNED } from './layout.ts';
import type { Move } from '../moves/moves.ts';

/** Stands for a peer (or nobody, below 0) in a text about a state; `named` puts a name there. */
export function peerMark(peer: number): string {
  return `<peer ${peer}>`;
}

/** The same for a body. */
export function bodyMark(body: number): string {
  return `<body ${body}>`;
}

/** Puts names for the marks. `names`: the names of the guests and bodies of this state at the start. */
export function named(layout: Layout, text: string, names: Order): string {
  return text
    .replace(/<peer (-?\d)>/g, (_, peer) => nameOf(Number(peer), names))
    .replace(/<body (\d)>/g, (_, body) => bodyNameOf(layout, Number(body), names));
}

/** The same marks, by the first numbers of guests and bodies. */
export function renumbered(text: string, first: Order): string {
  return text
    .replace(/<peer ([1-9])>/g, (_, peer) => peerMark(first.guests[Number(peer) - 1]))
    .replace(/<body (\d)>/g, (_, body) => bodyMark(first.bodies[Number(body)]));
}

function nameOf(peer: number, names: Order): string {
  if (peer < 0) return 'nobody';
  return peer === 0 ? 'the host' : `guest ${names.guests[peer - 1]}`;
}

function bodyNameOf(layout: Layout, body: number, names: Order): string {
  return layout.bodies === 1 ? 'the body' : `body ${names.bodies[body]}`;
}

/** A move in words. `names`: the names of the guests and bodies of this state at the start. */
export function inWords(layout: Layout, move: Move, names: Order): string {
  const who = (peer: number): string => nameOf(peer, names);
  const what = (body: number): string => bodyNameOf(layout, body, names);
  switch (move.kind) {
    case 'grab':
      return `${who(move.peer)} closes its ${handOf(move.side)} hand on ${what(move.body)}`;
    case 'release':
      return `${who(move.peer)} opens its ${handOf(move.side)} hand`;
    case 'touch':
      return `something of ${who(move.peer)} touches ${what(move.body)}, ${move.moves ? 'and moves it' : 'and does not move it'}`;
    case 'meet':
      return `${who(move.peer)} sees the bodies touch`;
    case 'keep':
      return `${who(move.peer)} keeps ${what(move.body)}${move.on ? '' : ' no more'}`;
    case 'strike':
      return `something of ${who(move.peer)} strikes ${what(move.body)}`;
    case 'spawn':
      return `${who(move.peer)} spawns ${what(SPAWNED)}`;
    case 'despawn':
      return `${who(move.peer)} despawns ${what(move.body)}`;
    case 'gather':
      return `${who(move.peer)} gathers ${what(move.body)}`;
    case 'drop':
      return `${who(move.guest)} is made absent, and comes back with its world`;
    case 'arrive':
      return move.way === DOWN
        ? `${who(move.guest)} hears ${move.index < 0 ? 'the host' : 'something older of the host'}`
        : `the host hears ${move.index < 0 ? '' : 'something older of '}${who(move.guest)}`;
    case 'lose':
      return `an answer ${move.way === DOWN ? 'to' : 'of'} ${who(move.guest)} is lost`;
    case 'due':
      return `${who(move.peer)} shows a pose of ${who(move.author)}`;
    case 'carry':
      return `${who(move.peer)} shows ${what(move.body)} in the hand that holds it`;
    case 'rest':
      return `${what(move.body)} comes to rest at ${who(move.peer)}`;
    case 'return':
      return `${what(move.body)} has rested at ${who(move.peer)} for a second`;
    case 'reached':
      return `${who(move.peer)} takes what its ${handOf(move.side)} hand reached for`;
    case 'second':
      return 'a second passes';
  }
}

function handOf(side: number): string {
  return side === 1 ? 'right' : 'left';
}
