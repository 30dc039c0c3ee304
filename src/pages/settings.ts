import { MAX_BODIES } from '../core/base/constants.ts';
import { BOT_NAMES as PLAYING_BOTS } from '../core/hands/bots.ts';
import type { SceneName } from '../core/world/scene.ts';
import { SCENE_NAMES } from '../core/world/scene.ts';

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
export type BotName = (typeof BOT_NAMES)[number];
/** `dataChannel`: the network also behaves as a browser's congestion control does. */
export type Channel = (typeof CHANNELS)[number];
export type PanelState = (typeof PANEL_STATES)[number];
export type Rate = (typeof RATES)[number];

export type Settings = {
  readonly view: View;
  readonly scene: SceneName;
  /** Of the scene, the network and the bots. */
  readonly seed: number;
  /** Cubes, in the scenes that can have any number of them. */
  readonly count: number;
  readonly players: 2;
  readonly bots: BotName;
  /** Milliseconds one way. */
  readonly latency: number;
  /** Milliseconds that a packet may take longer. */
  readonly jitter: number;
  /** Per cent of the packets. */
  readonly loss: number;
  /** Per cent of the packets. */
  readonly duplicate: number;
  readonly rate: Rate;
  readonly channel: Channel;
  /** Draw where the other peer has each body. */
  readonly ghosts: boolean;
  readonly panel: PanelState;
  readonly help: boolean;
};

/** What a numeric setting may be, in a unit. */
export type NumberRange = {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly unit: string;
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
export function presetOf(settings: Settings): NetworkPreset | undefined {
  return NETWORK_PRESETS.find(
    ({ conditions: { latency, jitter, loss, duplicate } }) =>
      settings.latency === latency &&
      settings.jitter === jitter &&
      settings.loss === loss &&
      settings.duplicate === duplicate,
  );
}

/** How one setting is read from the URL; `undefined` if the text is none of its values. */
type Field<Value> = {
  readonly otherwise: Value;
  /** Completes "It can be …" in a complaint. */
  readonly values: string;
  read(text: string): Value | undefined;
  write(value: Value): string;
};

/** In the order in which they stand in a URL. */
const FIELDS: { readonly [Name in keyof Settings]: Field<Settings[Name]> } = {
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
  const given = new URLSearchParams(search);
  const complaints: string[] = [];

  function read<Name extends keyof Settings>(name: Name): Settings[Name] {
    const field: Field<Settings[Name]> = FIELDS[name];
    const texts = given.getAll(name);
    if (texts.length === 0) return field.otherwise;
    const value = field.read(texts[0].trim());
    if (value === undefined) {
      const used = field.write(field.otherwise);
      complaints.push(`“${name}” can’t be “${texts[0]}”: it can be ${field.values}. It is ${used} for now.`);
      return field.otherwise;
    }
    if (texts.length > 1) complaints.push(`“${name}” is given more than once: the first one counts.`);
    return value;
  }

  const settings: Settings = {
    view: read('view'),
    scene: read('scene'),
    seed: read('seed'),
    count: read('count'),
    players: read('players'),
    bots: read('bots'),
    latency: read('latency'),
    jitter: read('jitter'),
    loss: read('loss'),
    duplicate: read('duplicate'),
    rate: read('rate'),
    channel: read('channel'),
    ghosts: read('ghosts'),
    panel: read('panel'),
    help: read('help'),
  };
  for (const name of new Set(given.keys())) {
    if (!isSettingName(name)) complaints.push(`“${name}” is no setting of this page: it is left out.`);
  }
  return { settings, complaints };
}

/** The query string that brings these settings back: the page, and what differs from its defaults. */
export function formatSettings(settings: Settings): string {
  const parameters = new URLSearchParams();

  function write<Name extends keyof Settings>(name: Name): void {
    const field: Field<Settings[Name]> = FIELDS[name];
    const value = settings[name];
    if (name === 'view' || value !== field.otherwise) parameters.set(name, field.write(value));
  }

  for (const name of Object.keys(FIELDS)) if (isSettingName(name)) write(name);
  return `?${parameters.toString()}`;
}

function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(FIELDS, name);
}

function oneOf<const Value extends string | number>(
  values: readonly Value[],
  otherwise: NoInfer<Value>,
): Field<Value> {
  return {
    otherwise,
    values: listed(values),
    read: (text) => values.find((value) => String(value) === text),
    write: String,
  };
}

function number(range: NumberRange, otherwise: number): Field<number> {
  const whole = range.step === 1;
  const unit = range.unit === '' ? '' : ` ${range.unit}`;
  return {
    otherwise,
    values: `${whole ? 'a whole number' : 'a number'} from ${range.low} to ${range.high}${unit}`,
    read: (text) => (DECIMAL.test(text) ? numberIn(range, Number(text)) : undefined),
    write: String,
  };
}

/** Digits, and a fraction: no exponents, signs or hexadecimals. */
const DECIMAL = /^\d+(\.\d+)?$/;

/** The value on its step, or undefined if it is outside of the range or between whole numbers. */
export function numberIn(range: NumberRange, value: number): number | undefined {
  if (!(value >= range.low && value <= range.high)) return undefined;
  if (range.step === 1) return Number.isInteger(value) ? value : undefined;
  const perUnit = Math.round(1 / range.step);
  return Math.round(value * perUnit) / perUnit;
}

function onOff(otherwise: boolean): Field<boolean> {
  return {
    otherwise,
    values: listed(['on', 'off']),
    read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    write: (value) => (value ? 'on' : 'off'),
  };
}

/** "a, b or c" */
function listed(values: readonly (string | number)[]): string {
  const last = values[values.length - 1];
  return values.length === 1 ? String(last) : `${values.slice(0, -1).join(', ')} or ${last}`;
}
