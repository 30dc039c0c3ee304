import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { LEVEL_IDS } from '../../src/levels/levels.ts';
import type { NumberRange } from '../../src/pages/fields.ts';
import type { Settings } from '../../src/pages/settings.ts';
import {
  BOT_NAMES,
  CHANNELS,
  formatSettings,
  NETWORK_PRESETS,
  PANEL_STATES,
  parseSettings,
  presetOf,
  RANGES,
  RATES,
} from '../../src/pages/settings.ts';

const DEFAULT_SETTINGS: Settings = {
  view: 'loopback',
  scene: 'pile',
  seed: 1,
  count: 256,
  players: 2,
  bots: 'none',
  latency: 5,
  jitter: 10,
  loss: 0.5,
  duplicate: 0,
  rate: 60,
  channel: 'datagram',
  ghosts: false,
  panel: 'auto',
  help: true,
};

const random = new Random(20);

function pick<Value>(values: readonly Value[]): Value {
  return values[random.below(values.length)];
}

function numberOf({ low, high, step }: NumberRange): number {
  const steps = Math.round((high - low) / step);
  return Number((low + random.below(steps + 1) * step).toFixed(1));
}

function anySettings(): Settings {
  return {
    view: 'loopback',
    scene: pick(LEVEL_IDS),
    seed: numberOf(RANGES.seed),
    count: numberOf(RANGES.count),
    players: 2,
    bots: pick(BOT_NAMES),
    latency: numberOf(RANGES.latency),
    jitter: numberOf(RANGES.jitter),
    loss: numberOf(RANGES.loss),
    duplicate: numberOf(RANGES.duplicate),
    rate: pick(RATES),
    channel: pick(CHANNELS),
    ghosts: random.chance(0.5),
    panel: pick(PANEL_STATES),
    help: random.chance(0.5),
  };
}

describe('settings in the URL', () => {
  test('an empty URL gives the defaults, and the defaults give an empty URL', () => {
    expect(parseSettings('')).toEqual({ settings: DEFAULT_SETTINGS, complaints: [] });
    expect(formatSettings(DEFAULT_SETTINGS)).toBe('?view=loopback');
  });

  test('all settings survive writing and reading', () => {
    for (let i = 0; i < 500; i++) {
      const settings = anySettings();
      expect(parseSettings(formatSettings(settings))).toEqual({ settings, complaints: [] });
    }
  });

  test('only differences from the defaults are written, in a fixed order', () => {
    const settings = parseSettings('?rate=30&ghosts=on&scene=tower&latency=5').settings;
    expect(formatSettings(settings)).toBe('?view=loopback&scene=tower&rate=30&ghosts=on');
  });

  test('the question mark and blanks are optional', () => {
    expect(parseSettings('scene=wall&latency=+40+').settings).toMatchObject({ scene: 'wall', latency: 40 });
  });
});

describe('a bad value', () => {
  test.each([
    ['scene=castle', 'pile, tower, wall, pyramid, grid, playground, giants or workshop'],
    ['latency=fast', 'a whole number from 0 to 1000 ms'],
    ['latency=-5', 'a whole number from 0 to 1000 ms'],
    ['latency=1001', '0 to 1000 ms'],
    ['latency=0x10', '0 to 1000 ms'],
    ['latency=1e2', '0 to 1000 ms'],
    ['latency=2.5', 'a whole number'],
    ['latency=', '0 to 1000 ms'],
    ['jitter=501', '0 to 500 ms'],
    ['loss=60.1', 'a number from 0 to 60 %'],
    ['loss=NaN', '0 to 60 %'],
    ['duplicate=51', '0 to 50 %'],
    ['rate=25', '60, 30, 20, 15 or 10'],
    ['players=3', 'it can be 2.'],
    ['bots=dance', 'none, idle, stack, chaos, fight, give, heap, rally or machine'],
    ['channel=tcp', 'datagram or dataChannel'],
    ['ghosts=maybe', 'on or off'],
    ['count=0', '1 to 4096 cubes'],
    ['seed=4294967296', '0 to 4294967295'],
    ['view=toString', 'loopback'],
  ])('%s: one sentence, and the default', (query, sentence) => {
    const { settings, complaints } = parseSettings(query);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(sentence);
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  test('does not affect the valid ones beside it', () => {
    const { settings, complaints } = parseSettings('?scene=tower&latency=soon&loss=12.5&ghosts=on');
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, scene: 'tower', loss: 12.5, ghosts: true });
    expect(complaints).toEqual([
      '“latency” can’t be “soon”: it can be a whole number from 0 to 1000 ms. The page uses 5.',
    ]);
  });

  test('an unknown name, and a name given twice, give a sentence too', () => {
    const { settings, complaints } = parseSettings('?latnecy=5&constructor=1&jitter=20&jitter=30');
    expect(settings.jitter).toBe(20);
    expect(complaints).toEqual([
      '“jitter” is given more than once: the first value is used.',
      '“latnecy” is not a setting of this page, so it is ignored.',
      '“constructor” is not a setting of this page, so it is ignored.',
    ]);
  });

  test('a finer fraction is rounded to the step of the controls', () => {
    expect(parseSettings('?loss=0.4999').settings.loss).toBe(0.5);
  });
});

describe('network presets', () => {
  test('each is within the ranges and can be linked to', () => {
    for (const { conditions } of NETWORK_PRESETS) {
      const settings = { ...DEFAULT_SETTINGS, ...conditions };
      expect(parseSettings(formatSettings(settings))).toEqual({ settings, complaints: [] });
    }
  });

  test('is found from equal settings', () => {
    for (const preset of NETWORK_PRESETS) {
      expect(presetOf({ ...DEFAULT_SETTINGS, ...preset.conditions })).toBe(preset);
    }
    expect(presetOf({ ...DEFAULT_SETTINGS, latency: 77 })).toBeUndefined();
  });
});
