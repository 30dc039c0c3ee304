import { MAX_BODIES } from '../core/base/constants.ts';
import { BOT_NAMES as PLAYING_BOTS } from '../bots/bots.ts';
import type { SceneName } from '../core/world/scene.ts';
import { SCENE_NAMES } from '../core/world/scene.ts';
import type { Fields, NumberRange } from './fields.ts';
import { formatFields, number, onOff, oneOf, parseFields } from './fields.ts';

/**
 * All that can be chosen about the loopback page stands in its URL, so that a link shows what its sender saw. One table
 * describes every setting; reading and writing both go by it.
 */

const VIEWS = ['loopback'] as const;
export const BOT_NAMES = ['none', ...PLAYING_BOTS] as const;
export const CHANNELS = ['datagram', 'dataChannel'] as const;
/** `auto`: open where there is room for it. */
export const PANEL_STATES = ['auto', 'open', 'closed'] as const;
/** Packets a second: the divisors of the tick rate that make sense. */
export const RATES = [60, 30, 20, 15, 10] as const;

export type View = (typeof VIEWS)[number];
export type BotSetting = (typeof BOT_NAMES)[number];
/** `dataChannel`: the network also behaves as a browser's congestion control does. */
export type Channel = (typeof CHANNELS)[number];
export type PanelState = (typeof PANEL_STATES)[number];
export type PacketRate = (typeof RATES)[number];

export type Settings = {
  readonly view: View;
  readonly scene: SceneName;
  /** Of the scene, the network and the bots. */
  readonly seed: number;
  /** Cubes, in the scenes that can have any number of them. */
  readonly count: number;
  readonly players: 2;
  readonly bots: BotSetting;
  /** Milliseconds one way. */
  readonly latency: number;
  /** Milliseconds that a packet may take longer. */
  readonly jitter: number;
  /** Per cent of the packets. */
  readonly loss: number;
  /** Per cent of the packets. */
  readonly duplicate: number;
  readonly rate: PacketRate;
  readonly channel: Channel;
  /** Draw where the other peer has each body. */
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

/** The settings that make up the state of the network. */
export type NetworkConditions = Pick<Settings, 'latency' | 'jitter' | 'loss' | 'duplicate'>;

export type NetworkPreset = { readonly name: string; readonly conditions: NetworkConditions };

export const NETWORK_PRESETS: readonly NetworkPreset[] = [
  { name: 'LAN', conditions: { latency: 1, jitter: 0, loss: 0, duplicate: 0 } },
  { name: 'Wi-Fi', conditions: { latency: 5, jitter: 10, loss: 0.5, duplicate: 0 } },
  { name: '4G', conditions: { latency: 50, jitter: 30, loss: 1, duplicate: 0 } },
  { name: 'Awful', conditions: { latency: 125, jitter: 60, loss: 10, duplicate: 0 } },
];

/** The preset that the settings equal, or undefined. */
export function presetOf(settings: NetworkConditions): NetworkPreset | undefined {
  return NETWORK_PRESETS.find(
    ({ conditions: { latency, jitter, loss, duplicate } }) =>
      settings.latency === latency &&
      settings.jitter === jitter &&
      settings.loss === loss &&
      settings.duplicate === duplicate,
  );
}

/** In the order in which they stand in a URL. */
const FIELDS: Fields<Settings> = {
  view: oneOf(VIEWS, 'loopback'),
  scene: oneOf(SCENE_NAMES, 'pile'),
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
 * Reads a URL's query string, with or without its question mark. A value that makes no sense is replaced by
 * the default, with a sentence for the player about it; the other settings are kept.
 */
export function parseSettings(search: string): { settings: Settings; complaints: string[] } {
  return parseFields(FIELDS, search);
}

/** The query string that brings these settings back: the page, and what differs from its defaults. */
export function formatSettings(settings: Settings): string {
  return formatFields(FIELDS, settings, 'view');
}
