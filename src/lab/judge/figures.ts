/** The measures of a model, over a run or a part of it. A measure without data is NaN. */
export type LabFigures = {
  /** Median milliseconds from the start of the hand's movement until the player sees the cube move. */
  readonly delay: number;
  /** Median milliseconds from the hand's contact with a cube at rest until the player sees that cube move. */
  readonly push: number;
  /** Answers of pushed cubes that were measured: with few, their median is chance. */
  readonly pushes: number;
  /** Metres between the drawn place of moving bodies and their true place. */
  readonly errorMean: number;
  readonly error95: number;
  readonly errorWorst: number;
  /** Degrees between the drawn and the true rotation of moving bodies. */
  readonly turn95: number;
  /** Metres between the places of a moving body on two players' screens at the same moment. */
  readonly screens95: number;
  /** Metres of error of the bodies that two players have touched within a second. */
  readonly contested95: number;
  /**
   * Jumps per minute: bodies that were drawn jumping while they did not truly jump.
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
  /** Hands of the viewer that the machine that decides has refused, in per cent. */
  readonly refused: number;
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
  { name: 'push', title: 'contact to push', unit: 'ms', digits: 0 },
  { name: 'pushes', title: 'pushes measured', unit: '', digits: 0 },
  { name: 'errorMean', title: 'error, mean', unit: 'm', digits: 3 },
  { name: 'error95', title: 'error, 95 %', unit: 'm', digits: 3 },
  { name: 'errorWorst', title: 'error, worst', unit: 'm', digits: 2 },
  { name: 'turn95', title: 'rotation error, 95 %', unit: '°', digits: 1 },
  { name: 'screens95', title: 'screen to screen, 95 %', unit: 'm', digits: 3 },
  { name: 'contested95', title: 'contested, error, 95 %', unit: 'm', digits: 3 },
  { name: 'jumps', title: 'jumps', unit: '/min', digits: 0 },
  { name: 'up', title: 'up', unit: 'kbit/s', digits: 0 },
  { name: 'down', title: 'down', unit: 'kbit/s', digits: 0 },
  { name: 'steps', title: 'steps', unit: '/tick', digits: 1 },
  { name: 'work', title: 'work', unit: 'ms/tick', digits: 2 },
  { name: 'memory', title: 'histories', unit: 'MB', digits: 2 },
  { name: 'speed', title: 'speed', unit: '%', digits: 0 },
  { name: 'refused', title: 'hands refused', unit: '%', digits: 0 },
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
