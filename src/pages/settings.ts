import { MAX_BODIES } from '../core/base/constants.ts';
import { BOT_NAMES as PLAYING_BOTS } from '../bots/bots.ts';
import type { LevelId } from '../levels/levels.ts';
import { LEVEL_IDS } from '../levels/levels.ts';
import type { Fields, NumberRange } from './fields.ts';
import { formatFields, number, onOff, oneOf, parseFields } from './fields.ts';

/**
 * All settings of the loopback page are in its URL, so that a link shows what its sender saw. One table
 * describes every setting; it is used for reading and for writing.
 */

const VIEWS = ['loopback'] as const;
export const BOT_NAMES = ['none', ...PLAYING_BOTS] as const;
export const CHANNELS = ['datagram', 'dataChannel'] as const;
/** `auto`: open if the window is large enough. */
export const PANEL_STATES = ['auto', 'open', 'closed'] as const;
/** Packets per second: useful divisors of the tick rate. */
export const RATES = [60, 30, 20, 15, 10] as const;

export type View = (typeof VIEWS)[number];
export type BotSetting = (typeof BOT_NAMES)[number];
/** `dataChannel`: the simulated network also has the congestion control of a browser. */
export type Channel = (typeof CHANNELS)[number];
export type PanelState = (typeof PANEL_STATES)[number];
export type PacketRate = (typeof RATES)[number];

export type Settings = {
  readonly view: View;
  readonly scene: LevelId;
  /** Seed of the scene, the network and the bots. */
  readonly seed: number;
  /** Number of cubes, for scenes where it can be chosen. */
  readonly count: number;
  readonly players: 2;
  readonly bots: BotSetting;
  /** One-way delay in milliseconds. */
  readonly latency: number;
  /** Largest additional delay of a packet, in milliseconds. */
  readonly jitter: number;
  /** Per cent of packets that are lost. */
  readonly loss: number;
  /** Per cent of packets that arrive twice. */
  readonly duplicate: number;
  readonly rate: PacketRate;
  readonly channel: Channel;
  /** Draw each body also where the other peer has it. */
  readonly ghosts: boolean;
  readonly panel: PanelState;
  readonly help: boolean;
};

export const RANGES = {
  seed: { low: 0, high: 4294967295, step: 1, unit: '' },
  count: { low: 1, high: MAX_BODIES, step: 1, unit: 'cubes' },
  latency: { low: 0, high: 1000, step: 1, unit: 'ms' },
  jitter: { low: 0, high: 500, step: 1, unit: 'ms' },
  loss: { low: 0, high: 60, step: 0.1, unit: '%' },
  duplicate: { low: 0, high: 50, step: 0.1, unit: '%' },
} as const satisfies Partial<Record<keyof Settings, NumberRange>>;

/** The settings of the simulated network. */
export type NetworkConditions = Pick<Settings, 'latency' | 'jitter' | 'loss' | 'duplicate'>;

export type NetworkPreset = { readonly name: string; readonly conditions: NetworkConditions };

export const NETWORK_PRESETS: readonly NetworkPreset[] = [
  { name: 'LAN', conditions: { latency: 1, jitter: 0, loss: 0, duplicate: 0 } },
  { name: 'Wi-Fi', conditions: { latency: 5, jitter: 10, loss: 0.5, duplicate: 0 } },
  { name: '4G', conditions: { latency: 50, jitter: 30, loss: 1, duplicate: 0 } },
  { name: 'Awful', conditions: { latency: 125, jitter: 60, loss: 10, duplicate: 0 } },
];

/** Returns the preset with exactly these conditions, or undefined. */
export function presetOf(settings: NetworkConditions): NetworkPreset | undefined {
  return NETWORK_PRESETS.find(
    ({ conditions: { latency, jitter, loss, duplicate } }) =>
      settings.latency === latency &&
      settings.jitter === jitter &&
      settings.loss === loss &&
      settings.duplicate === duplicate,
  );
}

/** In the order of the URL. */
const FIELDS: Fields<Settings> = {
  view: oneOf(VIEWS, 'loopback'),
  scene: oneOf(LEVEL_IDS, 'pile'),
  seed: number(RANGES.seed, 1),
  count: number(RANGES.count, 256),
  players: oneOf([2], 2),
  bots: oneOf(BOT_NAMES, 'none'),
  latency: number(RANGES.latency, 5),
  jitter: number(RANGES.jitter, 10),
  loss: number(RANGES.loss, 0.5),
  duplicate: number(RANGES.duplicate, 0),
  rate: oneOf(RATES, 60),
  channel: oneOf(CHANNELS, 'datagram'),
  ghosts: onOff(false),
  panel: oneOf(PANEL_STATES, 'auto'),
  help: onOff(true),
};

/**
 * Reads a URL's query string, with or without its question mark. A value that is not allowed is replaced by
 * the default, with a sentence for the player; the other settings are kept. Never throws.
 */
export function parseSettings(search: string): { settings: Settings; complaints: string[] } {
  return parseFields(FIELDS, search);
}

/** Returns the query string for these settings: the page, and the settings that differ from their default. */
export function formatSettings(settings: Settings): string {
  return formatFields(FIELDS, settings, 'view');
}
