import { GRAVITY, TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Point } from './headset-player.ts';
import type { Sight } from './watch.ts';
import { between, distance, plus, toSegment } from './watch.ts';

/** A cube on its way: the tick in which it was seen, and where its page believed it. */
type Moment = Pick<Sight, 'tick' | 'believed' | 'held'>;
/** Places through which something has gone, with a straight line from each to the next. */
type Way = readonly Point[];

/** Metres by which a cube may miss its arc and not have hit anything: grids of speed make a fall a little slower. */
const ON_ARC = 0.05;

/**
 * The farthest, in metres, that a cube was shown from the way on which a page threw it, up to where it first hits
 * something. A page with much to do is seen seldom, and what flies is shown ahead of a page that stalls: so the
 * way is one in space, at any time, and between two sights it is bent as a flight of those ticks is.
 * @param shown where the cube was drawn, at any rate.
 * @param sights of the page that throws: from before the cube leaves the hand, with two sights of its flight.
 * @throws Error if the flight was not seen twice.
 */
export function strayOfFlight(shown: readonly Point[], sights: readonly Moment[]): number {
  const ways = waysOf(eachTick(sights));
  let most = 0;
  for (const place of shown) {
    let least = Infinity;
    for (const way of ways) least = Math.min(least, toWay(place, way));
    most = Math.max(most, least);
  }
  return most;
}

/** The first sight of each tick. */
function eachTick(sights: readonly Moment[]): readonly Moment[] {
  return sights.filter(({ tick }, i) => i === 0 || tick !== sights[i - 1].tick);
}

function waysOf(sights: readonly Moment[]): readonly Way[] {
  const held = sights.findLastIndex((sight) => sight.held);
  const [last, first, second] = [sights.at(held), sights.at(held + 1), sights.at(held + 2)];
  if (held < 0 || last === undefined || first === undefined || second === undefined)
    throw new Error('the flight was not seen');
  const ways: Way[] = [sights.slice(0, held + 1).map(({ believed }) => believed)];
  // The cube was let go in one of the ticks between the two sights. Each of them is possible.
  for (let letGo = last.tick; letGo < first.tick; letGo++) ways.push(arc(last, first, letGo));
  ways.push(arc(first, second));
  for (let i = held + 2; i + 1 < sights.length; i++) {
    const [before, from, to] = [sights[i - 1], sights[i], sights[i + 1]];
    const onward = flight(before, from, to.tick - from.tick);
    if (distance(onward[onward.length - 1], to.believed) > ON_ARC) {
      // It has hit something since; up to there it flew on.
      ways.push(onward);
      break;
    }
    ways.push(arc(from, to));
  }
  return ways;
}

/** The way between two sights: straight until it is let go, and then a fall. */
function arc(from: Moment, to: Moment, letGo = from.tick): Way {
  const ticks = to.tick - from.tick;
  const straight = between(from.believed, to.believed);
  const fallenInAll = fallOf(to.tick - letGo);
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    const share = tick / ticks;
    const rise = fallenInAll * share - fallOf(Math.max(0, from.tick + tick - letGo));
    const [x, y, z] = plus(from.believed, [straight[0] * share, straight[1] * share, straight[2] * share]);
    return [x, y + rise, z];
  });
}

/** The flight that goes on after two sights, for so many ticks. */
function flight(before: Moment, from: Moment, ticks: number): Way {
  const since = from.tick - before.tick;
  const [vx, vy, vz] = between(before.believed, from.believed).map((way) => way / since);
  const [x, y, z] = from.believed;
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    // The mean speed since the sight before is the speed in the middle of those ticks.
    const fallen = fallOf(tick + since / 2) - fallOf(since / 2);
    return [x + vx * tick, y + vy * tick - fallen, z + vz * tick];
  });
}

/** Metres that something falls from rest in so many ticks. */
function fallOf(ticks: number): number {
  return (GRAVITY / 2) * (ticks / TICK_RATE) ** 2;
}

function toWay(place: Point, way: Way): number {
  let least = Infinity;
  for (let i = 0; i + 1 < way.length; i++) least = Math.min(least, toSegment(place, way[i], way[i + 1]));
  return least;
}
