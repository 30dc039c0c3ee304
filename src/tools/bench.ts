import { parseArgs } from 'node:util';
import { benchHeadset } from './bench-headset.ts';
import type { HeadsetFigures } from './bench-headset-page.ts';
import { benchTick, describeTick } from './bench-tick.ts';

const USAGE = `Usage: npm run bench -- WHAT [--json]
  headset   what a frame in a headset costs: draw calls, triangles, JavaScript (needs Chromium)
  tick      what a tick costs: milliseconds by phase, and bytes that become garbage
  --json    one JSON object instead of text`;

/** Milliseconds of a frame in a headset. */
const FRAME_MS = 1000 / 90;
const HEADSET = { cubes: [64, 256], frames: 240, warmUp: 60 } as const;

const TICK = { cubes: [64, 256, 1024], guests: [1, 3, 7], seed: 1 } as const;

/** Each gives figures, and says them in words. */
const BENCHES: Readonly<Record<string, () => Promise<{ figures: unknown; text: string }>>> = {
  headset: async () => {
    const figures = await benchHeadset(HEADSET.cubes, HEADSET.frames, HEADSET.warmUp);
    return { figures, text: figures.map(describeHeadset).join('') };
  },
  tick: async () => {
    const figures = await benchTick(TICK);
    return { figures, text: describeTick(figures) };
  },
};

function describeHeadset({ frameMs, ...figures }: HeadsetFigures): string {
  const time = (ms: number): string => `${ms.toFixed(2)} ms (${((100 * ms) / FRAME_MS).toFixed(0)} %)`;
  return [
    `${figures.cubes} cubes, ${figures.avatars} avatars, ${figures.views} views`,
    `  ${figures.drawCalls} draw calls and ${Math.round(figures.triangles)} triangles a view, and ${figures.shadowCalls} calls for shadows`,
    `  JavaScript ${time(frameMs.p50)} median, ${time(frameMs.p99)} 99th percentile of a frame at 90 Hz`,
    '',
  ].join('\n');
}

/** `npm run bench`: what things cost on this machine. */
async function main(): Promise<number> {
  const options = { json: { type: 'boolean', default: false } } as const;
  const parsed = (() => {
    try {
      return parseArgs({ options, allowPositionals: true });
    } catch {
      return null;
    }
  })();
  const [what = '', ...rest] = parsed?.positionals ?? [];
  if (parsed === null || rest.length > 0 || !Object.hasOwn(BENCHES, what)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { figures, text } = await BENCHES[what]();
  process.stdout.write(parsed.values.json ? `${JSON.stringify({ [what]: figures })}\n` : text);
  return 0;
}

process.exitCode = await main();
