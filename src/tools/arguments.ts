import { MAX_BODIES, MAX_PLAYERS } from '../core/base/constants.ts';
import type { BotName } from '../bots/bots.ts';
import { BOT_NAMES, isBotName } from '../bots/bots.ts';
import type { LevelId } from '../levels/levels.ts';
import { LEVEL_IDS, isLevelId } from '../levels/levels.ts';
import { readNumber, readWhole, readWords, UsageError } from './words.ts';

export type SimArguments = {
  players: number;
  scene: LevelId;
  /** Cubes of the scene `grid`. */
  count: number;
  bots: BotName;
  seconds: number;
  /** Hours of simulated play, checked once a minute; null for a plain run. */
  hours?: number | null;
  seed: number;
  /** Milliseconds one way, and the most that is added at random. */
  latency: number;
  jitter: number;
  /** Per cent of the packets, each way. */
  loss: number;
  duplicate: number;
  channel: 'datagram' | 'dataChannel';
  /** Packets a second. */
  rate: number;
  json: boolean;
};

export const SIM_USAGE = `Usage: npm run sim -- [options]
  --players N     2 to ${MAX_PLAYERS} (2)
  --scene NAME    ${LEVEL_IDS.join(', ')} (pile)
  --count N       cubes of the scene grid, 1 to ${MAX_BODIES} (256)
  --bots NAME     ${BOT_NAMES.join(', ')} (chaos)
  --seconds N     how long; hands are still for the last quarter, at least 8 s (20)
  --hours N       plays for so long instead, and prints every minute what might creep
  --seed N        a whole number; the same seed gives the same run (1)
  --latency MS    one way (50)
  --jitter MS     a uniform 0 to MS added to it (50)
  --loss PERCENT  of the packets, each way (5)
  --duplicate PERCENT  of the packets that come twice (0)
  --channel NAME  datagram, dataChannel: how the network behaves under loss (datagram)
  --rate N        packets a second: 60, 30, 20, 15, 12, 10 (60)
  --json          one JSON object instead of text
  --chaos         many rooms, one for each seed, cruelly treated; see --chaos --help`;

const OPTIONS = {
  players: { type: 'string', default: '2' },
  scene: { type: 'string', default: 'pile' },
  count: { type: 'string', default: '256' },
  bots: { type: 'string', default: 'chaos' },
  seconds: { type: 'string', default: '20' },
  hours: { type: 'string' },
  seed: { type: 'string', default: '1' },
  latency: { type: 'string', default: '50' },
  jitter: { type: 'string', default: '50' },
  loss: { type: 'string', default: '5' },
  duplicate: { type: 'string', default: '0' },
  channel: { type: 'string', default: 'datagram' },
  rate: { type: 'string', default: '60' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line of `sim`; null if help was asked for.
 * @throws UsageError with one sentence.
 */
export function parseSimArguments(words: readonly string[]): SimArguments | null {
  const values = readWords(words, OPTIONS);
  if (values.help) return null;
  const { scene, bots, channel } = values;
  if (!isLevelId(scene))
    throw new UsageError(`There is no scene "${scene}"; there are ${LEVEL_IDS.join(', ')}.`);
  if (!isBotName(bots))
    throw new UsageError(`There are no bots "${bots}"; there are ${BOT_NAMES.join(', ')}.`);
  if (channel !== 'datagram' && channel !== 'dataChannel') {
    throw new UsageError(`--channel is datagram or dataChannel, not "${channel}".`);
  }
  const rate = readWhole('rate', values.rate, 10, 60);
  if (60 % rate !== 0)
    throw new UsageError(`--rate is 60, 30, 20, 15, 12 or 10 packets a second, not ${rate}.`);
  return {
    scene,
    bots,
    channel,
    rate,
    players: readWhole('players', values.players, 2, MAX_PLAYERS),
    count: readWhole('count', values.count, 1, MAX_BODIES),
    hours: values.hours === undefined ? null : readNumber('hours', values.hours, 0.01, 24),
    seconds: readNumber('seconds', values.seconds, 1, 36_000),
    seed: readWhole('seed', values.seed, 0, 2 ** 32 - 1),
    latency: readNumber('latency', values.latency, 0, 2000),
    jitter: readNumber('jitter', values.jitter, 0, 1000),
    loss: readNumber('loss', values.loss, 0, 90),
    duplicate: readNumber('duplicate', values.duplicate, 0, 90),
    json: values.json,
  };
}
