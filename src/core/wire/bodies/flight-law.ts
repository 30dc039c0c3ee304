import { SOLVER_SUBSTEPS, TICK_RATE } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { AS_AT_START, capacityOf, templateIndexOf } from '../../world/existence.ts';
import type { Level, Template } from '../../world/level.ts';
import { STANDARD_MATERIAL } from '../../world/level.ts';
import { VELOCITY_STEPS } from './quantise.ts';

/**
 * Ticks of the longest prediction, one less than a power of 2. A baseline that is older predicts no motion: it is used
 * unchanged. Above the usual rate twice as many, for about the same time.
 * @param rate ticks a second.
 */
export function mostPredictedTicks(rate: number): number {
  return rate > TICK_RATE ? 127 : 63;
}

const { fround } = Math;

/** How bodies of a template fly free in a level. `gravityStep` and the shares are exact, as the engine has them. */
export type FlightLaw = {
  /** Seconds of a substep of the engine, and half of it: 32-bit floats, as the engine has them. */
  readonly substep: number;
  readonly halfSubstep: number;
  /** Metres a second that a substep adds to the velocity along y. */
  readonly gravityStep: number;
  /** Steps of velocity that a body gains in a tick by falling, to the nearest, without damping. */
  readonly fall: number;
  /** The shares of the velocities that damping leaves in a tick. */
  readonly linearKept: number;
  readonly angularKept: number;
  /** The share of a linear velocity that is left after each count of ticks, 0 to `mostPredictedTicks`. */
  readonly kept: Float64Array;
  /** Steps of velocity that a body has gained downwards after each count of ticks. */
  readonly fallen: Float64Array;
};

/** The laws of free flight in a level, one for each template. */
export class FlightLaws {
  /** Ids of bodies in the level. */
  readonly count: number;
  /** Ticks a second. */
  readonly rate: number;
  /** Ticks of the longest prediction. */
  readonly mostTicks: number;
  /** [K2.1] True if packets say the room's time: the level has driven bodies. */
  readonly hasTime: boolean;
  /** For each body with which the level begins. */
  readonly #own: readonly FlightLaw[];
  /** For each template. */
  readonly #templates: readonly FlightLaw[];
  /** For ids without a body: both ends predict alike whatever a packet says. */
  readonly #none: FlightLaw;

  constructor(level: Level) {
    const { bodies, rate, templates } = level;
    const laws = new Map(templates.map((template) => [template, flightLaw(level, template)]));
    this.count = capacityOf(level);
    this.rate = rate;
    this.mostTicks = mostPredictedTicks(rate);
    this.hasTime = (level.driven ?? []).length > 0;
    this.#none = flightLaw(level, STANDARD_MATERIAL);
    this.#templates = templates.map((template) => laws.get(template) ?? this.#none);
    this.#own = bodies.map(({ template }) => laws.get(template) ?? this.#none);
  }

  /** The law of a body with this existence [S1]. */
  of(body: BodyId, existence: number): FlightLaw {
    return (
      (existence === AS_AT_START ? this.#own[body] : this.#templates[templateIndexOf(existence)]) ??
      this.#none
    );
  }
}

function flightLaw(
  { gravity, rate }: Pick<Level, 'gravity' | 'rate'>,
  { linearDamping, angularDamping }: Pick<Template, 'linearDamping' | 'angularDamping'>,
): FlightLaw {
  const mostTicks = mostPredictedTicks(rate);
  const kept = new Float64Array(mostTicks + 1).fill(1);
  const fallen = new Float64Array(mostTicks + 1);
  const substep = fround(1 / rate / SOLVER_SUBSTEPS);
  const halfSubstep = fround(substep / 2);
  const gravityStep = fround(fround(-gravity) * substep);
  const linearKept = keptInTick(linearDamping, rate);
  const angularKept = keptInTick(angularDamping, rate);
  for (let tick = 1; tick <= mostTicks; tick++) {
    kept[tick] = kept[tick - 1] * linearKept;
    fallen[tick] = (fallen[tick - 1] - SOLVER_SUBSTEPS * gravityStep * VELOCITY_STEPS) * linearKept;
  }
  const fall = Math.round((gravity * VELOCITY_STEPS) / rate);
  return { substep, halfSubstep, gravityStep, fall, linearKept, angularKept, kept, fallen };
}

function keptInTick(damping: number, rate: number): number {
  return fround(1 / fround(1 + fround(fround(1 / rate) * fround(damping))));
}
