import type { Bot } from '../../../src/bots/bot.ts';
import { createBot } from '../../../src/bots/bots.ts';
import { TICK_SECONDS } from '../../../src/core/base/constants.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { World } from '../../../src/session/world.ts';
import type { NodePlayer } from '../node-player.ts';
import { ResetRhythm } from '../reset-rhythm.ts';
import { placeAt, PLAYERS, SHARED_MS } from './clock-hand.ts';
import type { Order } from './messages.ts';
import type { Sight } from './watch.ts';
import { Watch } from './watch.ts';

/** Metres by which the right hand sways, so that it never stands still, and the seconds of one swing. */
const SWAY = 0.05;
const SWAY_SECONDS = 1;

/** One player's play in a world: a bot of chaos, whose left hand shows the time, and the watch on its screen. */
export class Play {
  readonly #bot: Bot;
  readonly #rhythm: ResetRhythm;
  readonly #watch: Watch;
  readonly #played: (sight: Sight) => void;
  readonly #world: World;
  #tick = 0;
  #dueMs = 0;
  #isLooking = false;
  #isOver = false;

  /**
   * @param fromMs the time of the shared clock at which the watch begins, and `untilMs` at which it ends; the bot plays on.
   * @param played is given all that was seen.
   */
  constructor(
    world: World,
    { seed, fromMs, untilMs, resetSeconds }: Omit<Extract<Order, { kind: 'play' }>, 'kind'>,
    played: (sight: Sight) => void,
  ) {
    this.#world = world;
    this.#played = played;
    const { slot } = world.peer.diagnostics;
    // Each player has its own chance; the factor keeps those of neighbouring seeds apart.
    const random = new Random(seed * 100 + slot);
    this.#bot = createBot('chaos', { slot, players: PLAYERS, random });
    this.#rhythm = new ResetRhythm(resetSeconds);
    this.#watch = new Watch(world, fromMs, untilMs);
  }

  /** Fills the input of a tick, and looks at the picture once the ticks that are due now are over. */
  act(player: NodePlayer, dueMs: number): void {
    const { peer } = this.#world;
    const { input, session } = player;
    this.#rhythm.tick(player);
    this.#bot.act(this.#tick++, peer.diagnostics.bodies, input);
    this.#dueMs = dueMs + SHARED_MS;
    const left = input.hands[LEFT];
    left.grip = 0;
    left.trigger = 0;
    placeAt(peer.diagnostics.slot, this.#dueMs, left.pose.position);
    const { position } = input.hands[RIGHT].pose;
    position.y += SWAY * Math.sin((2 * Math.PI * this.#tick * TICK_SECONDS) / SWAY_SECONDS);
    if (this.#isLooking || this.#isOver) return;
    this.#isLooking = true;
    queueMicrotask(() => this.#look(session.status.kind === 'here'));
  }

  #look(isIn: boolean): void {
    this.#isLooking = false;
    if (this.#watch.look(performance.now() + SHARED_MS, this.#dueMs, isIn)) return;
    this.#isOver = true;
    this.#played(this.#watch.sight);
  }
}
