import { quantile } from '../../netsim/traffic.ts';
import type { Losses } from './network.ts';
import type { BodyAt, Hold, ShownBody, Sight } from './watch.ts';

/** One row of the table. */
export type Figures = {
  /** A friend's hand: milliseconds until it is seen where it was. */
  readonly delayMs: { readonly p50: number; readonly p95: number };
  /** A moving hand of a friend: milliseconds for which it stands still. */
  readonly gapMs: { readonly p99: number; readonly max: number };
  /** A grab: milliseconds until a friend sees it. */
  readonly grabMs: { readonly p50: number; readonly p95: number };
  /** Grabs times the friends who could see them, and those that no friend saw: the host refused them. */
  readonly grabs: { readonly seen: number; readonly unseen: number };
  /** A friend's held or thrown cube: centimetres from its path on the friend's own screen. */
  readonly offCm: { readonly p95: number };
  /** kbit/s to and from a player that is not host; and the host, if that is a player. */
  readonly guests: Kbps;
  readonly host: Kbps | null;
  readonly entrySeconds: { readonly p50: number; readonly max: number };
  /** Pictures in which a player was not in the room. */
  readonly absent: number;
  /** The longest time for which one of the players' processes did not tick, in milliseconds. */
  readonly stallMs: number;
  readonly losses: Losses;
};

type Kbps = { readonly down: number; readonly up: number };

/** Milliseconds before the end in which a grab may not have been seen yet. */
const TOO_LATE_MS = 1000;
/** Milliseconds between two points of a path at most, so that there is a path between them: a tick, and a bit of the next. */
const STEP_MS = 25;

/** The figures of what all players of a room saw. @param untilMs the time of the shared clock at which they ended. */
export function figuresOf(
  sights: readonly Sight[],
  entrySeconds: readonly number[],
  untilMs: number,
  losses: Losses,
): Figures {
  const delays = sorted(sights.flatMap((sight) => sight.delays));
  const gaps = sorted(sights.flatMap((sight) => sight.gaps));
  const waits = waitsOf(sights, untilMs);
  const known = sorted(waits.filter((wait) => wait !== null));
  const off = sorted(offOf(sights));
  const entries = sorted(entrySeconds);
  const guests = sights.filter(({ slot, host }) => slot !== host);
  const host = sights.filter(({ slot, host }) => slot === host);
  return {
    delayMs: { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) },
    gapMs: { p99: quantile(gaps, 0.99), max: gaps.at(-1) ?? NaN },
    grabMs: { p50: quantile(known, 0.5), p95: quantile(known, 0.95) },
    grabs: { seen: known.length, unseen: waits.length - known.length },
    offCm: { p95: 100 * quantile(off, 0.95) },
    guests: kbpsOf(guests),
    host: host.length === 0 ? null : kbpsOf(host),
    entrySeconds: { p50: quantile(entries, 0.5), max: entries.at(-1) ?? NaN },
    absent: sights.reduce((sum, sight) => sum + sight.absent, 0),
    stallMs: Math.max(...sights.map((sight) => sight.stallMs)),
    losses,
  };
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The mean of some players. */
function kbpsOf(sights: readonly Sight[]): Kbps {
  const mean = (way: 'down' | 'up'): number =>
    sights.reduce((sum, { traffic }) => sum + (8 * traffic[way]) / 1000 / traffic.seconds, 0) / sights.length;
  return { down: mean('down'), up: mean('up') };
}

/**
 * For each grab and each friend the milliseconds until that friend sees the same body in the same hand; null if the next
 * grab of the hand comes first.
 */
export function waitsOf(
  sights: readonly Pick<Sight, 'slot' | 'grabs' | 'seen'>[],
  untilMs: number,
): (number | null)[] {
  const waits: (number | null)[] = [];
  for (const { slot, grabs } of sights)
    for (const [i, grab] of grabs.entries()) {
      if (grab.atMs > untilMs - TOO_LATE_MS) continue;
      const endMs = grabs.at(i + 1)?.atMs ?? Infinity;
      for (const friend of sights) {
        if (friend.slot === slot) continue;
        const shown = friend.seen.find((hold) => isSame(hold, grab, endMs));
        waits.push(shown === undefined ? null : shown.atMs - grab.atMs);
      }
    }
  return waits;
}

function isSame(hold: Hold, grab: Hold, endMs: number): boolean {
  return hold.slot === grab.slot && hold.body === grab.body && hold.atMs >= grab.atMs && hold.atMs < endMs;
}

/**
 * For each picture of a friend's cube its distance in metres from the path of that cube on the friend's own screen: from
 * the time that the friend's left hand shows in the same picture, up to the picture's own time. While nothing comes, a
 * cube flies on and the hand does not.
 */
export function offOf(sights: readonly Pick<Sight, 'own' | 'friends'>[]): number[] {
  const paths = new Map<string, BodyAt[]>();
  const pathOf = ({ slot, body }: BodyAt): BodyAt[] => {
    const name = `${slot} ${body}`;
    const path = paths.get(name) ?? [];
    paths.set(name, path);
    return path;
  };
  for (const { own } of sights) for (const at of own) pathOf(at).push(at);
  return sights.flatMap(({ friends }) => friends.flatMap((shown) => offPath(shown, pathOf(shown))));
}

/** @returns one distance; none if the path has a gap there. */
function offPath(shown: ShownBody, path: readonly BodyAt[]): number[] {
  let least = Infinity;
  for (let i = Math.max(1, firstAfter(path, shown.atMs - STEP_MS)); i < path.length; i++) {
    const [before, after] = [path[i - 1], path[i]];
    if (after.atMs > shown.nowMs) break;
    if (after.atMs - before.atMs > STEP_MS) continue;
    least = Math.min(least, distanceTo(before.place, after.place, shown.place));
  }
  return least === Infinity ? [] : [least];
}

/** The index of the first point of a path after a time. */
function firstAfter(path: readonly BodyAt[], atMs: number): number {
  let [low, high] = [0, path.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (path[middle].atMs > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Place = BodyAt['place'];

/** The distance of a point from the straight line between two others. */
function distanceTo(from: Place, to: Place, point: Place): number {
  const minus = (a: Place, b: Place): Place => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const dot = (a: Place, b: Place): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [way, off] = [minus(to, from), minus(point, from)];
  const square = dot(way, way);
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, dot(off, way) / square));
  return Math.hypot(...minus(off, [share * way[0], share * way[1], share * way[2]]));
}
