import type { Slot } from '../../../src/core/base/ids.ts';
import type { Forgery, Lie } from './liar.ts';
import { FORGERIES, LiarPage, TERMS } from './liar.ts';
import { STEPS_A_SECOND } from './network.ts';
import type { Room } from './room.ts';
import { PLAYERS } from './room.ts';

/** Something that may happen to a room at any time. */
export type Action = {
  readonly words: string;
  /** Left out: it always can. */
  readonly can?: (room: Room) => boolean;
  readonly perform: (room: Room) => void;
};

/** How much may happen: a few actions that stand for the others, many, or all. */
export type Alphabet = 'few' | 'many' | 'all';

/** The actions that stand for the others. */
const FEW = [
  /^H crashes/,
  /^H stands still for 5 s/,
  /^(H|G\d) is cut off for 12 s/,
  /takes itself/,
  /same term, heard$/,
  /votes for [LG]/,
  /newer term/,
  /with proof/,
];

const ALL = [0, 1, 2, 3];

/** The players' names: H, G1 to G3; the liar is L. */
export function nameOf(player: number, liar: number): string {
  if (player === liar) return 'L';
  return player === 0 ? 'H' : `G${player}`;
}

const isThere =
  (player: number) =>
  (room: Room): boolean =>
    room.playing(player) !== null;

/** The actions of a room with this liar (-1: none). */
export function actionsWith(liar: number, alphabet: Alphabet): readonly Action[] {
  const name = (player: number): string => nameOf(player, liar);
  const actions = [...mishaps(name, alphabet), ...(liar < 0 ? [] : lies(liar, name, alphabet))];
  return alphabet === 'few' ? actions.filter(({ words }) => FEW.some((kind) => kind.test(words))) : actions;
}

function mishaps(name: (player: number) => string, alphabet: Alphabet): Action[] {
  const isFew = alphabet !== 'all';
  const actions: Action[] = [
    { words: 'H crashes', can: isThere(0), perform: (room) => room.crash(0) },
    { words: 'H leaves', can: isThere(0), perform: (room) => room.leave(0, false) },
    { words: 'the broker is away for 15 s', perform: (room) => room.brokerDown(15 * STEPS_A_SECOND) },
  ];
  for (const seconds of isFew ? [5, 12] : [2, 5, 12, 20])
    actions.push(stall(0, seconds, name), cutOff(0, seconds, name));
  for (let guest = 1; guest < PLAYERS; guest++) {
    for (const seconds of isFew ? [12] : [3, 12]) actions.push(cutOff(guest, seconds, name));
    actions.push(cut(0, guest, isFew ? 12 : 5, name));
  }
  if (isFew) return actions;
  actions.push(
    { words: 'the power of H is cut', can: isThere(0), perform: (room) => room.powerCut(0) },
    { words: 'H reloads', can: isThere(0), perform: (room) => room.leave(0, true) },
  );
  for (const player of ALL) {
    const can = (room: Room): boolean => room.playing(player) === null;
    const perform = (room: Room): void => room.comesBack(player);
    actions.push({ words: `${name(player)} comes back`, can, perform });
  }
  for (let guest = 1; guest < PLAYERS; guest++) {
    actions.push(
      { words: `${name(guest)} crashes`, can: isThere(guest), perform: (room) => room.crash(guest) },
      { words: `${name(guest)} reloads`, can: isThere(guest), perform: (room) => room.leave(guest, true) },
      stall(guest, 5, name),
      stall(guest, 12, name),
      cut(0, guest, 12, name),
      split([0, guest], 12, name),
    );
  }
  for (const [a, b] of PAIRS) {
    if (a > 0) actions.push(cut(a, b, 12, name));
    const words = `the lines of ${name(a)} and ${name(b)} break`;
    actions.push({ words, perform: (room) => room.breakLines(a, b) });
  }
  return actions;
}

const PAIRS = ALL.flatMap((a) => ALL.filter((b) => b > a).map((b) => [a, b] as const));

type Namer = (player: number) => string;

function stall(player: number, seconds: number, name: Namer): Action {
  const perform = (room: Room): void => room.stall(player, seconds * STEPS_A_SECOND);
  return { words: `${name(player)} stands still for ${seconds} s`, can: isThere(player), perform };
}

function cut(a: number, b: number, seconds: number, name: Namer): Action {
  const perform = (room: Room): void => room.cut(a, b, seconds * STEPS_A_SECOND);
  return { words: `nothing passes between ${name(a)} and ${name(b)} for ${seconds} s`, perform };
}

function cutOff(player: number, seconds: number, name: Namer): Action {
  const perform = (room: Room): void => {
    for (const other of ALL) if (other !== player) room.cut(player, other, seconds * STEPS_A_SECOND);
  };
  return { words: `${name(player)} is cut off for ${seconds} s`, perform };
}

function split(half: readonly number[], seconds: number, name: Namer): Action {
  const rest = ALL.filter((player) => !half.includes(player));
  const perform = (room: Room): void => {
    for (const a of half) for (const b of rest) room.cut(a, b, seconds * STEPS_A_SECOND);
  };
  const words = `${half.map(name).join(' and ')} are cut off from ${rest.map(name).join(' and ')}`;
  return { words: `${words} for ${seconds} s`, perform };
}

// --- Lies ---

function lies(liar: number, name: Namer, alphabet: Alphabet): Action[] {
  const others = ALL.filter((player) => player !== liar);
  const actions: Action[] = [
    { words: 'L takes itself for the host', can: isThere(liar), perform: (room) => liarOf(room)?.crown() },
  ];
  const targets = alphabet !== 'all' ? [others] : [others, ...others.map((player) => [player])];
  for (const lie of standings(liar, alphabet)) {
    for (const to of targets) actions.push(tell(lie, to, name));
  }
  const forgeries = alphabet !== 'all' ? FEW_FORGERIES : FORGERIES;
  const victims = alphabet !== 'all' ? [others] : others.map((player) => [player]);
  for (const forgery of forgeries) {
    for (const to of victims) {
      const words = `L says to ${to.map(name).join(', ')}: ${forgery}`;
      const perform = (room: Room): void => to.forEach((player) => liarOf(room)?.forge(forgery, player));
      actions.push({ words, perform });
    }
  }
  for (const victim of others.filter((player) => player > liar)) {
    const words = `L stands between H and ${name(victim)}`;
    actions.push({ words, can: isThere(liar), perform: (room) => liarOf(room)?.standBetween(victim) });
  }
  return actions;
}

const FEW_FORGERIES: readonly Forgery[] = [
  'host left, follow me',
  'welcome by me',
  'elsewhere with the room’s lineage',
];

function liarOf(room: Room): LiarPage | null {
  const page = room.playing(room.liar);
  return page instanceof LiarPage ? page : null;
}

function tell(lie: Lie, to: readonly number[], name: Namer): Action {
  const vote = lie.vote === null ? '' : `, votes for ${name(lie.vote)}`;
  const what = `${name(lie.host)} is host, ${lie.term} term, ${lie.hears ? 'heard' : 'missed'}${vote}`;
  const perform = (room: Room): void => to.forEach((player) => liarOf(room)?.lieTo(player, lie));
  return { words: `L says to ${to.map(name).join(', ')} from now on: ${what}`, perform };
}

/** A vote counts in the present term alone, and the host named counts in others. */
function standings(liar: number, alphabet: Alphabet): Lie[] {
  const isFew = alphabet !== 'all';
  const slots = ALL as Slot[];
  const host = 0 as Slot;
  const found: Lie[] = [{ host, term: 'same', hears: true, vote: null }];
  for (const vote of isFew ? slots.slice(1) : [null, ...slots])
    found.push({ host, term: 'same', hears: false, vote });
  for (const term of TERMS) {
    if (term === 'same') continue;
    const named = isFew ? slots.filter((slot) => slot === liar || slot === (liar % 3) + 1) : slots;
    for (const slot of isFew && term === 'older' ? [] : named) {
      for (const hears of isFew ? [true] : [true, false]) found.push({ host: slot, term, hears, vote: null });
    }
  }
  return found;
}
