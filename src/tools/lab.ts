import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIGURES } from '../lab/judge/figures.ts';
import { figureChart, htmlReport, textTable } from '../lab/sweep/report.ts';
import { SCENE_TITLES } from '../lab/game/scenes.ts';
import type { SweepOptions, SweepRow } from '../lab/sweep/sweep.ts';
import { sweep } from '../lab/sweep/sweep.ts';
import { loadDeterministicEngine } from '../physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../physics/engine.ts';
import { ProgressLine } from './progress.ts';
import { UsageError } from './words.ts';
import type { LabArguments } from './lab-arguments.ts';
import { LAB_USAGE, parseLabArguments } from './lab-arguments.ts';

/** `npm run lab`: the lab's figures without a page. */

/** Seconds of each model that do not count. */
const WARM_UP_SECONDS = 3;

function playAll(options: SweepOptions): void {
  const runs = sweep(options);
  while (runs.next().done !== true);
}

async function run(options: LabArguments): Promise<SweepRow[]> {
  await loadPhysics();
  const engines = { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  // Cold code is slow. Without this the first rows would have the most work.
  const first = options.values.slice(0, 1);
  playAll({ ...options, values: first, seconds: WARM_UP_SECONDS, engines });
  const rows: SweepRow[] = [];
  const progress = new ProgressLine();
  for (const { done, row } of sweep({ ...options, engines, clock: () => performance.now() })) {
    if (row !== null) rows.push(row);
    progress.show(`${Math.round(done * 100)} % of the runs`);
  }
  progress.end();
  return rows;
}

function captionOf({ scene, conditions, axis, seconds, seed }: LabArguments): string {
  const { latency, jitter, loss, rate } = conditions;
  const parts = [
    ...(axis === 'latency' ? [] : [`${latency} ms one way`]),
    `up to ${jitter} ms of jitter`,
    ...(axis === 'loss' ? [] : [`${loss} % of loss`]),
    ...(axis === 'rate'
      ? []
      : [rate === null ? 'snapshots at each model’s own rate' : `${rate} snapshots a second`]),
  ];
  return `Scene: ${SCENE_TITLES[scene]}. ${parts.join(', ')}; ${seconds} s of each, seed ${seed}.`;
}

async function main(): Promise<void> {
  const options = parseLabArguments(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${LAB_USAGE}\n`);
    return;
  }
  const rows = await run(options);
  const { axis } = options;
  if (options.charts !== '') {
    mkdirSync(options.charts, { recursive: true });
    for (const { name } of FIGURES)
      writeFileSync(join(options.charts, `${axis}-${name}.svg`), `${figureChart(rows, axis, name)}\n`);
  }
  if (options.json) {
    const { scene, conditions, seconds, seed } = options;
    process.stdout.write(`${JSON.stringify({ scene, conditions, axis, seconds, seed, rows }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${captionOf(options)}\n\n${textTable(rows, axis)}\n`);
  writeFileSync(options.report, htmlReport(rows, axis, captionOf(options)));
  process.stdout.write(`\nThe charts are in ${options.report}.\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${LAB_USAGE}\n` : `${String(error)}\n`,
  );
  process.exitCode = 1;
});
