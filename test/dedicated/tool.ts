import { UsageError } from '../../src/tools/words.ts';

/** The parts that the tools of this folder share: how they end, wait and print figures. */

/** Runs a tool with the words of the command line, and ends the process with its code; with 1 and a sentence if it fails. */
export async function runTool(main: (words: readonly string[]) => Promise<number>): Promise<never> {
  try {
    process.exit(await main(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error);
    process.exit(1);
  }
}

/** Prints figures as a line of JSON, to a hundredth. */
export function printFigures(figures: object): void {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value;
  console.log(JSON.stringify(figures, rounded));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
