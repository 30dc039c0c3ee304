/** The measures of a model, over a run or a part of it. A measure without data is NaN. */
export type LabFigures = {
  /** Median milliseconds from the start of the hand's movement until the player sees the cube move. */
  readonly delay: number;
  /** Metres between the drawn place of moving bodies and their place on the machine that simulates them. */
  readonly errorMean: number;
  readonly error95: number;
  readonly errorWorst: number;
  /**
   * Jumps per minute: bodies that were drawn jumping while they did not jump on the machine that simulates them.
   */
  readonly jumps: number;
  /** Payload of the viewer's machine in kbit/s. */
  readonly up: number;
  readonly down: number;
  /**
   * The machine that computes most: simulation steps in a tick, and milliseconds of work if a clock was given.
   */
  readonly steps: number;
  readonly work: number;
  /** Megabytes of histories on the machine that keeps most. */
  readonly memory: number;
  /** The speed of the viewer's world, in per cent of real time. */
  readonly speed: number;
};

export type FigureName = keyof LabFigures;

export type FigureLabel = {
  readonly name: FigureName;
  /** For tables and charts. */
  readonly title: string;
  readonly unit: string;
  /** Digits after the point. */
  readonly digits: number;
};

/** The measures in the order in which they are shown. */
export const FIGURES: readonly FigureLabel[] = [
  { name: 'delay', title: 'hand to motion', unit: 'ms', digits: 0 },
  { name: 'errorMean', title: 'error, mean', unit: 'm', digits: 3 },
  { name: 'error95', title: 'error, 95 %', unit: 'm', digits: 3 },
  { name: 'errorWorst', title: 'error, worst', unit: 'm', digits: 2 },
  { name: 'jumps', title: 'jumps', unit: '/min', digits: 0 },
  { name: 'up', title: 'up', unit: 'kbit/s', digits: 0 },
  { name: 'down', title: 'down', unit: 'kbit/s', digits: 0 },
  { name: 'steps', title: 'steps', unit: '/tick', digits: 1 },
  { name: 'work', title: 'work', unit: 'ms/tick', digits: 2 },
  { name: 'memory', title: 'histories', unit: 'MB', digits: 2 },
  { name: 'speed', title: 'speed', unit: '%', digits: 0 },
];

/** A measure as text without its unit; a dash where there is none. */
export function formatFigure({ digits }: FigureLabel, value: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

/** The name of a measure with its unit. */
export function figureLabel(name: FigureName): FigureLabel {
  const label = FIGURES.find((figure) => figure.name === name);
  if (label === undefined) throw new Error(`there is no figure ${name}`);
  return label;
}
