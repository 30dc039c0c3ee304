import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { HandDevice } from '../../input/headset/hand-reader.ts';
import type { HeadsetPlayer } from '../../input/headset/headset-player.ts';
import type { HandOverAction, HeadsetAction } from '../../storage/done-actions.ts';
import { loadDoneHeadsetActions, saveDoneHeadsetActions } from '../../storage/done-actions.ts';
import type { Store } from '../../storage/store.ts';
import { localStore } from '../../storage/store.ts';
import type { Hint } from '../../view/headset/labels/label.ts';
import type { HeadsetPicture } from '../../view/headset/picture.ts';
import type { GivingStep } from '../giving/giving-step.ts';
import { halfOf } from '../giving/giving-step.ts';
import { HeadsetActionWatch } from './headset-actions.ts';

/** Most hints at a time: nobody reads more, and they would hide the world. */
const MOST_HINTS = 3;

/** The state of one hand that hints depend on. */
export type HandMoment = {
  device: HandDevice;
  holds: boolean;
  /** There is a body that the hand would take. */
  finds: boolean;
};

export type Moment = {
  readonly hands: readonly [HandMoment, HandMoment];
  /** The left stick walks and does not turn. */
  smoothWalking: boolean;
  /** A button opens a menu. */
  readonly hasMenu: boolean;
  /** The lower button kicks what the hand points at. */
  readonly canKick: boolean;
  /** [A9] The step of a hand-over that the player could take now, and the other player's name. */
  giving: GivingStep | null;
  friend: string;
};

type Done = ReadonlySet<HeadsetAction>;

/** Returns the hint of one topic for one hand; null if there is none now. */
type Rule = (moment: Moment, side: HandSide, done: Done) => Hint | null;

const GRIP: Hint = { button: 'squeeze', text: 'Grip: take it' };
const POINT_AND_GRIP: Hint = { button: 'squeeze', text: 'Point at something, then grip' };
const PINCH: Hint = { button: 'squeeze', text: 'Pinch: take it' };
const POINT_AND_PINCH: Hint = { button: 'squeeze', text: 'Point at something, then pinch' };
const SNAP: Hint = { button: 'trigger', text: 'Trigger: bring it to your hand' };
const SHIFT: Hint = { button: 'stick', text: 'Stick: further, nearer, turn' };
const THROW: Hint = { button: 'squeeze', text: 'Swing and let go: throw it' };
const JUMP_AND_TURN: Hint = { button: 'stick', text: 'Stick: teleport, turn' };
const JUMP: Hint = { button: 'stick', text: 'Stick forward: teleport' };
const PINCH_FLOOR: Hint = { button: 'stick', text: 'Pinch at the floor: go there' };
const WALK: Hint = { button: 'stick', text: 'Stick: walk' };
const TURN: Hint = { button: 'stick', text: 'Stick left or right: turn' };
/** The button of the left hand, and of the right hand; and of a bare hand. */
const KICK: readonly Hint[] = ['X: kick it', 'A: kick it'].map((text) => ({ button: 'lower', text }));
const KICK_BARE: Hint = { button: 'lower', text: 'Middle finger to thumb: kick it' };
/** How each device takes a cube. */
const GRASPS = { controller: 'grip', hand: 'pinch' } as const;
/** The hints of a hand-over, for a friend's name and what the hand does to take. */
const GIVING: Readonly<Record<GivingStep['kind'], (friend: string, takes: 'grip' | 'pinch') => string>> = {
  'pick up': (friend) => `Hold something out to ${friend}`,
  'hold out': (friend) => `Hold it out to ${friend}`,
  'hold still': (friend) => `Hold still: ${friend} can take it`,
  'let go': (friend) => `Let go: ${friend} takes it`,
  'put down': (friend, takes) => `Let go of yours, then ${takes} ${friend}’s`,
  press: (friend, takes) => `${takes === 'grip' ? 'Grip' : 'Pinch'} it to take it from ${friend}`,
  keep: (friend) => `Hold on until ${friend} lets go`,
};
/** The button of the left hand, then of the right hand. */
const MENU: readonly Hint[] = ['Y: menu', 'B: menu'].map((text) => ({ button: 'upper', text }));

/** The most important first. Each rule gives a hint to one hand: to the right one if both fit. */
const RULES: readonly Rule[] = [
  handOver,
  (moment, side, done) =>
    moment.hands[side].holds && !done.has('throw') && handOver(moment, side, done) === null ? THROW : null,
  ({ hands }, side, done) => (isPad(hands[side]) && hands[side].holds && !done.has('snap') ? SNAP : null),
  ({ hands }, side, done) => (isPad(hands[side]) && hands[side].holds && !done.has('shift') ? SHIFT : null),
  take,
  getAbout,
  openMenu,
  kick,
];

/** [A9] The hint at the hand that gives or takes. A player learns first how to take a cube. */
function handOver({ hands, giving, friend }: Moment, side: HandSide, done: Done): Hint | null {
  if (giving === null || giving.side !== side || done.has(halfOf(giving))) return null;
  const { device } = hands[side];
  if (device === 'none' || (giving.kind === 'pick up' && !done.has(GRASPS[device]))) return null;
  return { button: 'squeeze', text: GIVING[giving.kind](friend, device === 'hand' ? 'pinch' : 'grip') };
}

function take(moment: Moment, side: HandSide, done: Done): Hint | null {
  const { hands } = moment;
  // A player that is to take a friend's cube need not look for another.
  if (HAND_SIDES.some((each) => handOver(moment, each, done) !== null)) return null;
  const { device, holds, finds } = hands[side];
  const other = hands[side === LEFT ? RIGHT : LEFT];
  // The hint is at the hand that can take a body; if no hand can, at the right one.
  if (holds || other.holds || (!finds && other.finds && other.device === device)) return null;
  if (device === 'controller') return done.has('grip') ? null : finds ? GRIP : POINT_AND_GRIP;
  if (device === 'hand') return done.has('pinch') ? null : finds ? PINCH : POINT_AND_PINCH;
  return null;
}

function getAbout({ hands, smoothWalking }: Moment, side: HandSide, done: Done): Hint | null {
  const { device, holds, finds } = hands[side];
  // A pinch that finds a cube takes it.
  if (device === 'hand') return holds || finds || done.has('go') ? null : PINCH_FLOOR;
  if (!isPad(hands[side]) || holds) return null;
  const [mayGo, mayTurn] = smoothWalking ? [side === LEFT, side === RIGHT] : [true, true];
  const [goes, turns] = [mayGo && !done.has('go'), mayTurn && !done.has('turn')];
  if (goes && turns) return JUMP_AND_TURN;
  if (goes) return smoothWalking ? WALK : JUMP;
  return turns ? TURN : null;
}

function openMenu({ hands, hasMenu }: Moment, side: HandSide, done: Done): Hint | null {
  if (!hasMenu || !isPad(hands[side]) || hands[side].holds || done.has('menu')) return null;
  return side === RIGHT && isPad(hands[LEFT]) ? null : MENU[side];
}

/** The kick comes once a player can take and throw. */
function kick({ hands, canKick }: Moment, side: HandSide, done: Done): Hint | null {
  const { device, holds, finds } = hands[side];
  if (!canKick || device === 'none' || holds || !finds) return null;
  if (done.has('kick') || !done.has('throw') || !done.has(GRASPS[device])) return null;
  return device === 'hand' ? KICK_BARE : KICK[side];
}

function isPad({ device }: HandMoment): boolean {
  return device === 'controller';
}

/**
 * Writes the hints for a moment, at most three in all.
 * @param done the actions that the player has done before; they need no hint.
 * @param out one list per hand; both are cleared first.
 */
export function hintsAt(moment: Moment, done: Done, out: readonly [Hint[], Hint[]]): void {
  for (const side of HAND_SIDES) out[side].length = 0;
  let shown = 0;
  for (const rule of RULES) {
    if (shown === MOST_HINTS) return;
    for (const side of RIGHT_FIRST) {
      const hint = rule(moment, side, done);
      if (hint === null) continue;
      out[side].push(hint);
      shown++;
      break;
    }
  }
}

const NO_HINTS: readonly Hint[] = [];
const RIGHT_FIRST: readonly HandSide[] = [RIGHT, LEFT];

/**
 * Shows hints at the hands of a player who is new to headsets. An action that was done once gets no hint any
 * more.
 */
export class HeadsetHints {
  readonly #player: HeadsetPlayer;
  readonly #picture: Pick<HeadsetPicture, 'hint'>;
  readonly #store: Store;
  readonly #done: Set<HeadsetAction>;
  readonly #watch: HeadsetActionWatch;
  readonly #moment: Moment;
  readonly #lists: readonly [Hint[], Hint[]] = [[], []];

  /** @param hasMenu false if no button opens a menu, and none kicks. */
  constructor(
    player: HeadsetPlayer,
    picture: Pick<HeadsetPicture, 'hint'>,
    hasMenu: boolean,
    store: Store = localStore(),
  ) {
    this.#player = player;
    this.#picture = picture;
    this.#store = store;
    this.#moment = {
      hands: [handMoment(), handMoment()],
      smoothWalking: false,
      hasMenu,
      canKick: hasMenu,
      giving: null,
      friend: '',
    };
    this.#done = loadDoneHeadsetActions(store);
    this.#watch = new HeadsetActionWatch(player, (action) => this.#saveAction(action));
  }

  /** Forgets the past: the player was in another world until now. */
  arrive(): void {
    this.#watch.arrive();
  }

  /** Whether the player has done this before. */
  knows(action: HeadsetAction): boolean {
    return this.#done.has(action);
  }

  /** The player has done an action that can't be recognised from the hand's input alone. */
  learn(action: HandOverAction | 'kick'): void {
    this.#saveAction(action);
  }

  /** [A9] Sets the step of a hand-over that the next frames teach. @param friend the other player's name. */
  teach(step: GivingStep | null, friend: string): void {
    this.#moment.giving = step;
    this.#moment.friend = friend;
  }

  /** Recognises the actions of a tick. */
  tick(peer: Peer): void {
    this.#watch.tick(peer);
  }

  /**
   * Shows the hints of a frame.
   * @param isMenuOpen true hides them, because the menu covers a hand.
   */
  frame(peer: Peer, isMenuOpen: boolean): void {
    if (this.#moment.hasMenu) this.#watch.frame();
    this.#moment.smoothWalking = this.#player.comfort.smoothWalking;
    for (const side of HAND_SIDES) {
      const { held, selected } = peer.diagnostics.hands[side];
      const hand = this.#moment.hands[side];
      hand.device = this.#player.devices[side];
      hand.holds = held !== NO_BODY;
      hand.finds = selected !== NO_BODY;
    }
    hintsAt(this.#moment, this.#done, this.#lists);
    for (const side of HAND_SIDES) this.#picture.hint(side, isMenuOpen ? NO_HINTS : this.#lists[side]);
  }

  #saveAction(action: HeadsetAction): void {
    if (this.#done.has(action)) return;
    this.#done.add(action);
    saveDoneHeadsetActions(this.#done, this.#store);
  }
}

function handMoment(): HandMoment {
  return { device: 'none', holds: false, finds: false };
}
