import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIGURES } from '../lab/judge/figures.ts';
import { summarise } from '../lab/sweep/summary.ts';
import { figureChart, htmlReport, textTable } from '../lab/sweep/report.ts';
import { BEST_SWITCHES } from '../lab/switches.ts';
import { SCENE_TITLES } from '../lab/game/scenes.ts';
import type { SweepRow } from '../lab/sweep/sweep.ts';
import { sweep, warmUp } from '../lab/sweep/sweep.ts';
import { loadDeterministicEngine } from '../physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../physics/engine.ts';
import { ProgressLine } from './progress.ts';
import { UsageError } from './words.ts';
import type { LabArguments } from './lab-arguments.ts';
import { LAB_USAGE, parseLabArguments } from './lab-arguments.ts';

/** `npm run lab`: the lab's figures without a page. */

async function run(options: LabArguments): Promise<SweepRow[]> {
  await loadPhysics();
  const engines = { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  warmUp({ ...options, engines });
  const rows: SweepRow[] = [];
  const progress = new ProgressLine();
  for (const { row, finished, runs } of sweep({ ...options, engines, clock: () => performance.now() })) {
    rows.push(row);
    progress.show(`${finished} of ${runs} runs`);
  }
  progress.end();
  return rows;
}

function captionOf({ scene, conditions, axis, seconds, seeds }: LabArguments): string {
  const { latency, jitter, loss, rate, channel, duplicate, switches } = conditions;
  const parts = [
    ...(axis === 'latency' ? [] : [`${latency} ms one way`]),
    `up to ${jitter} ms of jitter`,
    ...(axis === 'loss' ? [] : [`${loss} % of loss`]),
    ...(axis === 'rate'
      ? []
      : [rate === null ? 'snapshots at each model’s own rate' : `${rate} snapshots a second`]),
    ...(duplicate > 0 ? [`${duplicate} % of duplicates`] : []),
    ...(channel === 'datagram' ? [] : ['over a data channel']),
    ...(switches.neighbours === BEST_SWITCHES.neighbours ? [] : ['others drawn between snapshots']),
    ...(switches.easing ? [] : ['corrections not eased']),
    ...(switches.gap === BEST_SWITCHES.gap ? [] : ['a cube without a hand stands']),
    ...(switches.window === BEST_SWITCHES.window ? [] : [`hands up to ${switches.window} ms late taken`]),
  ];
  const players = conditions.players === 3 ? ' Three players.' : '';
  return `Scene: ${SCENE_TITLES[scene]}.${players} ${parts.join(', ')}; ${seconds} s of each, ${seedsTitle(seeds)}.`;
}

function seedsTitle(seeds: readonly number[]): string {
  return seeds.length === 1 ? `seed ${seeds[0]}` : `the median of seeds ${seeds.join(', ')}`;
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
    const { scene, conditions, seconds, seeds } = options;
    const found = { scene, conditions, axis, seconds, seeds, rows, summary: summarise(rows) };
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
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
