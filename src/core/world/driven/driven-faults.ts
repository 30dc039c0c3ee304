import { MAX_POSITION_METRES } from '../../base/constants.ts';
import type { ReadonlyPose } from '../../base/math.ts';
import { angleBetween, distance, length, vector } from '../../base/math.ts';
import { halfSize } from '../extent/extent.ts';
import type { DrivenBody } from './driven.ts';

/** [K1.3] Metres a second: no point of a driven body is faster. */
const MOST_SPEED = 10;
/** Seconds of a turn, a way or a wait. */
const LEAST_SECONDS = 0.1;
const MOST_SECONDS = 3600;
/** How much faster an eased way is at its fastest than an even one. */
const EASED = 1.5;
/** How much faster a turn on a way is at its fastest than an even one: poses between two are mixed by their numbers. */
const UNEVEN = 1.25;
/** Radians that a way turns, at most: beyond half a turn the shorter way is the other one. */
const MOST_TURN = 3;

type Report = (fault: string) => void;
/** The checks that all bodies share. */
type Checks = {
  readonly range: (say: Report, name: string, value: number, low: number, high: number) => void;
  readonly pose: (say: Report, pose: ReadonlyPose) => void;
};

/** [B1.4] Says the faults of a driven body's path, a sentence for each; its shape has none. */
export function checkPath(say: Report, { path, shape, start }: DrivenBody, { range, pose }: Checks): void {
  const reach = length(halfSize(shape, vector()));
  const notFaster = (speed: number): void => {
    if (!(speed <= MOST_SPEED)) say(`A point of it would be faster than ${MOST_SPEED} m/s.`);
  };
  switch (path.kind) {
    case 'turn': {
      const period = Math.abs(path.period);
      range(say, 'Its period', period, LEAST_SECONDS, MOST_SECONDS);
      const { x, y, z } = path.pivot;
      range(
        say,
        'How far its pivot is',
        Math.max(Math.abs(x), Math.abs(y), Math.abs(z)),
        0,
        MAX_POSITION_METRES,
      );
      if (!(length(path.axis) > 1e-3 && length(path.axis) < Infinity)) say('Its axis has no direction.');
      notFaster((2 * Math.PI * (distance(start.position, path.pivot) + reach)) / period);
      break;
    }
    case 'shuttle': {
      range(say, 'Its way', path.seconds, LEAST_SECONDS, MOST_SECONDS);
      range(say, 'Its wait', path.wait, 0, MOST_SECONDS);
      pose(say, path.to);
      const turned = angleBetween(start.rotation, path.to.rotation);
      if (turned > MOST_TURN) say(`It turns by more than ${MOST_TURN} radians on its way.`);
      notFaster(
        (EASED * (distance(start.position, path.to.position) + UNEVEN * turned * reach)) / path.seconds,
      );
      break;
    }
    case 'belt':
      notFaster(length(path.velocity));
  }
}
