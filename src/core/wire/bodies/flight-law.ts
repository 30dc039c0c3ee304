import { SOLVER_SUBSTEPS, TICK_RATE, TICK_SECONDS } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { AS_AT_START, capacityOf, templateIndexOf } from '../../world/existence.ts';
import type { Level, Template } from '../../world/level.ts';
import { STANDARD_MATERIAL } from '../../world/level.ts';
import { VELOCITY_STEPS } from './quantise.ts';

/** Ticks of the longest prediction. A baseline that is older predicts no motion: it is used unchanged. */
export const MAX_PREDICTED_TICKS = 63;

const { fround } = Math;
/** Seconds of a substep of the engine. */
export const SUBSTEP = fround(TICK_SECONDS / SOLVER_SUBSTEPS);

/** How bodies of a template fly free in a level. `gravityStep` and the shares are exact, as the engine has them. */
export type FlightLaw = {
  /** Metres a second that a substep adds to the velocity along y. */
  readonly gravityStep: number;
  /** Steps of velocity that a body gains in a tick by falling, to the nearest, without damping. */
  readonly fall: number;
  /** The shares of the velocities that damping leaves in a tick. */
  readonly linearKept: number;
  readonly angularKept: number;
  /** The share of a linear velocity that is left after each count of ticks, 0 to MAX_PREDICTED_TICKS. */
  readonly kept: Float64Array;
  /** Steps of velocity that a body has gained downwards after each count of ticks. */
  readonly fallen: Float64Array;
};

/** The laws of free flight in a level, one for each template. */
export class FlightLaws {
  /** Ids of bodies in the level. */
  readonly count: number;
  /** For each body with which the level begins. */
  readonly #own: readonly FlightLaw[];
  /** For each template. */
  readonly #templates: readonly FlightLaw[];
  /** For ids without a body: both ends predict alike whatever a packet says. */
  readonly #none: FlightLaw;

  constructor(level: Level) {
    const { gravity, bodies, templates } = level;
    const laws = new Map(templates.map((template) => [template, flightLaw(gravity, template)]));
    this.count = capacityOf(level);
    this.#none = flightLaw(gravity, STANDARD_MATERIAL);
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
  gravity: number,
  { linearDamping, angularDamping }: Pick<Template, 'linearDamping' | 'angularDamping'>,
): FlightLaw {
  const kept = new Float64Array(MAX_PREDICTED_TICKS + 1).fill(1);
  const fallen = new Float64Array(MAX_PREDICTED_TICKS + 1);
  const gravityStep = fround(fround(-gravity) * SUBSTEP);
  const linearKept = keptInTick(linearDamping);
  for (let tick = 1; tick <= MAX_PREDICTED_TICKS; tick++) {
    kept[tick] = kept[tick - 1] * linearKept;
    fallen[tick] = (fallen[tick - 1] - SOLVER_SUBSTEPS * gravityStep * VELOCITY_STEPS) * linearKept;
  }
  const fall = Math.round((gravity * VELOCITY_STEPS) / TICK_RATE);
  return { gravityStep, fall, linearKept, angularKept: keptInTick(angularDamping), kept, fallen };
}

function keptInTick(damping: number): number {
  return fround(1 / fround(1 + fround(fround(TICK_SECONDS) * fround(damping))));
}
