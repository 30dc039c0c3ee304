import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../core/base/ids.ts';
import { TICK_RATE } from '../core/base/constants.ts';
import type { Vector } from '../core/base/math.ts';
import { addScaled, lookAt, setVector, vector } from '../core/base/math.ts';
import type { Bot, BotSeat, BotSight } from './bot.ts';
import { BotBody, positionOf } from './bot.ts';

/** Ticks before the first move, and of a round. */
const BEGIN = TICK_RATE;
const ROUND = 100;
/** Ticks into a round at which the hand closes on a part, moves, and opens. */
const CLOSES = 12;
const MOVES = 16;
const OPENS = 76;
/** Metres from a part at which the hand is when it closes, and by which it moves the part up and to the side. */
const BESIDE = 0.5;
const MOST_LIFT = 0.7;
const MOST_PULL = 0.9;
/** Metres within which players work at machines: their parts lie closer together than this. */
const MACHINE = 4;

/**
 * Works at machines: grabs a jointed body, pulls it about and lets it go, again and again. Players of even slots choose
 * any part; the others choose one near where another player's hand may be, so that two often work at one machine.
 */
export function createMachineBot(seat: BotSeat): Bot {
  const self = new BotBody(seat);
  const { random, slot } = seat;
  const begins = BEGIN + random.below(ROUND) + 7 * slot;
  const [hand, pull, at] = [vector(), vector(), vector()];
  let part: BodyId = NO_BODY;
  return {
    act(tick, sight, out) {
      self.relax(out);
      if (tick < begins) return;
      const into = (tick - begins) % ROUND;
      if (into === 0) {
        part = pickPart(sight, slot, tick, (below) => random.below(below));
        const angle = random.between(0, 2 * Math.PI);
        const far = random.between(0.2, MOST_PULL);
        setVector(pull, far * Math.cos(angle), random.between(0.1, MOST_LIFT), far * Math.sin(angle));
      }
      if (part === NO_BODY) return;
      const { pose } = out.hands[RIGHT];
      positionOf(part, sight, at);
      if (into < MOVES) {
        setVector(hand, at.x + BESIDE * 0.6, at.y + BESIDE, at.z + BESIDE * 0.6);
        lookAt(hand, at, pose.rotation);
      }
      const share = into < MOVES ? 0 : Math.sin((Math.min(into, OPENS) - MOVES) / 24);
      addScaled(hand, pull, share, pose.position);
      lookAt(hand, held(hand, at, into), pose.rotation);
      out.hands[RIGHT].grip = into >= CLOSES && into < OPENS ? 1 : 0;
    },
  };
}

/** The hand looks where it looked when it closed. */
function held(hand: Vector, at: Vector, into: number): Vector {
  if (into < MOVES) return at;
  return setVector(ahead, hand.x - BESIDE * 0.6, hand.y - BESIDE, hand.z - BESIDE * 0.6);
}

function pickPart(sight: BotSight, slot: number, tick: number, below: (count: number) => number): BodyId {
  const { isJointed, parts } = sight.records.islands;
  const jointed: BodyId[] = [];
  const crowd = Math.floor(tick / (4 * ROUND));
  for (let body = 0 as BodyId; body < sight.records.count; body++) {
    if (isJointed[body] === 0 || !sight.exists(body)) continue;
    if (slot % 2 === 1 && parts[body].length > 1 && parts[body][0] % MACHINE !== crowd % MACHINE) continue;
    jointed.push(body);
  }
  return jointed.length === 0 ? NO_BODY : jointed[below(jointed.length)];
}

const ahead = vector();
