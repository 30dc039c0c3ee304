import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector';

/** A function, or a branch in one: whose coverage counts, and whether it was reached. */
export type Place = {
  readonly key: string;
  readonly isFunction: boolean;
  readonly name: string;
  reached: boolean;
};

/** The code that bytes from outside reach first. */
const COVERED = /\/src\/(core\/(?:wire|peer)\/[\w/-]+\.ts)/;

/** The covered part of the code that reads packets, by V8's own counts. */
export class Coverage {
  readonly places = new Map<string, Place>();
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Takes in what was run since the last call. @returns the places that are new, or newly reached. */
  take(): Place[] {
    let news: Place[] = [];
    // In one's own process it calls back at once.
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error === null) news = this.#merge(result);
    });
    return news;
  }

  #merge(scripts: readonly Profiler.ScriptCoverage[]): Place[] {
    const news: Place[] = [];
    for (const { url, functions } of scripts) {
      const file = COVERED.exec(url)?.[1];
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        if (functionName === '') continue;
        ranges.forEach(({ startOffset, endOffset, count }, i) => {
          const key = `${file}:${startOffset}-${endOffset}`;
          const place = { key, isFunction: i === 0, name: `${file} ${functionName}`, reached: count > 0 };
          if (addPlace(this.places, place)) news.push(place);
        });
      }
    }
    return news;
  }
}

/** @returns true if the place, or that it is reached, was not known. */
export function addPlace(places: Map<string, Place>, place: Place): boolean {
  const known = places.get(place.key);
  if (known !== undefined && (known.reached || !place.reached)) return false;
  places.set(place.key, place);
  return true;
}

/** How much was reached, and by function what was not. */
export function describeCoverage(places: Iterable<Place>): {
  readonly share: string;
  readonly missing: string[];
} {
  const all = [...places];
  const share = (isFunction: boolean): string => {
    const these = all.filter((place) => place.isFunction === isFunction);
    const reached = these.filter((place) => place.reached).length;
    return `${reached} of ${these.length} (${((100 * reached) / Math.max(1, these.length)).toFixed(1)} %)`;
  };
  const missing = new Map<string, number>();
  for (const { name, reached } of all) if (!reached) missing.set(name, (missing.get(name) ?? 0) + 1);
  return {
    share: `functions ${share(true)}, branches ${share(false)}`,
    missing: [...missing].map(([name, count]) => `${name} (${count})`).sort(),
  };
}
