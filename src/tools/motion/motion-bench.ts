import type { MotionTrack } from '../../hand-motion/track.ts';
import { PARTS } from '../../hand-motion/track.ts';
import type { MotionFigures } from './figures.ts';
import { motionFigures, QUANTITIES, QUANTITY_NAMES, SHARES, UNITS } from './figures.ts';

/** The figures of generated motion, and those of the recorded motion where there is one. */
export type MotionReport = { readonly generated: MotionFigures; readonly recorded: MotionFigures | null };

/** The shares that the text has a column for. */
const COLUMNS = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/** Measures a generated motion, and a recorded one where there is one. */
export function benchMotion(generated: MotionTrack, recorded: MotionTrack | null): MotionReport {
  return {
    generated: motionFigures(generated),
    recorded: recorded === null ? null : motionFigures(recorded),
  };
}

/** The report as a table: each quantity of each part has a line for each motion, and one for the ratio of the two. */
export function describeMotion({ generated, recorded }: MotionReport): string {
  const rows: [name: string, of: (figures: MotionFigures) => readonly number[]][] = [
    ['frame interval, ms', ({ intervals }) => intervals],
    ...PARTS.flatMap((part) =>
      QUANTITIES.map((quantity): (typeof rows)[number] => [
        `${part}: ${QUANTITY_NAMES[quantity]}, ${UNITS[quantity]}`,
        ({ parts }) => parts[part][quantity],
      ]),
    ),
  ];
  const head = line(
    '',
    COLUMNS.map((share) => `${Math.round(share * 100)} %`),
  );
  const lines = rows.flatMap(([name, of]) => {
    const [ours, theirs] = [columnsOf(of(generated)), recorded === null ? null : columnsOf(of(recorded))];
    return [
      line(`${name}, generated`, ours.map(short)),
      ...(theirs === null
        ? []
        : [
            line('recorded', theirs.map(short)),
            line(
              'off by',
              ours.map((value, i) => percent(value / theirs[i])),
            ),
          ]),
    ];
  });
  return [head, ...lines, ''].join('\n');
}

function columnsOf(values: readonly number[]): number[] {
  return values.filter((_, i) => COLUMNS.includes(SHARES[i]));
}

function line(name: string, values: readonly string[]): string {
  return name.padEnd(46) + values.map((value) => value.padStart(9)).join('');
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function percent(ratio: number): string {
  const off = Math.round((ratio - 1) * 100);
  return `${off > 0 ? '+' : ''}${off} %`;
}
