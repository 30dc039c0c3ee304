import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../../src/lab/judge/figures.ts';
import { readOrder, readReply } from '../../../src/pages/lab/sweep-messages.ts';
import { BEST_SWITCHES } from '../../../src/lab/switches.ts';

const ORDER = {
  kind: 'measure',
  models: ['authority', 'server'],
  scene: 'push',
  seeds: [1, 2],
  seconds: 8,
  conditions: {
    latency: 100,
    jitter: 20,
    loss: 1,
    duplicate: 0,
    rate: null,
    channel: 'datagram',
    players: 3,
    switches: { ...BEST_SWITCHES, window: 200 },
  },
  axis: 'loss',
  values: [0, 2],
};

const FIGURES_OF_ROW = Object.fromEntries(FIGURES.map(({ name }, i) => [name, i === 0 ? NaN : i]));
const ROW = { model: 'server', value: 2, seed: 1, figures: FIGURES_OF_ROW };

const NONSENSE: readonly unknown[] = [undefined, null, 0, '', 'measure', [], {}, { kind: 'start' }, () => 1];

describe('the messages between the lab and its worker', () => {
  it('are read as they were sent; a figure may be NaN', () => {
    expect(readOrder(structuredClone(ORDER))).toEqual(ORDER);
    const rated = { ...ORDER, conditions: { ...ORDER.conditions, rate: 20 } };
    expect(readOrder(rated)).toEqual(rated);
    const reply = { kind: 'row', row: ROW };
    expect(readReply(structuredClone(reply))).toEqual(reply);
    expect(readReply({ kind: 'done' })).toEqual({ kind: 'done' });
    for (const why of ['no engine', 'fault'])
      expect(readReply({ kind: 'failed', why })).toEqual({ kind: 'failed', why });
  });

  it.each(NONSENSE)('are not %o', (data) => {
    expect(readOrder(data)).toBeNull();
    expect(readReply(data)).toBeNull();
  });

  it.each([
    ['an unknown model', { models: ['authority', 'telepathy'] }],
    ['no model', { models: [] }],
    ['a model that is a function', { models: [() => 1] }],
    ['an unknown scene', { scene: 'sea' }],
    ['an unknown axis', { axis: 'mood' }],
    ['no seeds', { seeds: [] }],
    ['a seed that is none', { seeds: [1, NaN] }],
    ['a value that is a text', { values: [0, '2'] }],
    ['values that are no list', { values: 2 }],
    ['no time', { seconds: 0 }],
    ['endless time', { seconds: Infinity }],
    ['no conditions', { conditions: null }],
    ['an unknown channel', { conditions: { ...ORDER.conditions, channel: 'post' } }],
    ['a rate that is a text', { conditions: { ...ORDER.conditions, rate: '20' } }],
    ['too many players', { conditions: { ...ORDER.conditions, players: 4 } }],
    ['no switches', { conditions: { ...ORDER.conditions, switches: undefined } }],
    ['loss that is none', { conditions: { ...ORDER.conditions, loss: NaN } }],
  ])('an order with %s is none', (_, part) => {
    expect(readOrder({ ...ORDER, ...part })).toBeNull();
  });

  it.each([{ neighbours: 'guessed' }, { easing: 'on' }, { gap: null }, { window: 5 }])(
    'an order with the switch %j is none',
    (part) => {
      const switches = { ...BEST_SWITCHES, ...part };
      expect(readOrder({ ...ORDER, conditions: { ...ORDER.conditions, switches } })).toBeNull();
    },
  );

  it.each([
    ['no row', null],
    ['an unknown model', { ...ROW, model: 'telepathy' }],
    ['no seed', { ...ROW, seed: undefined }],
    ['a value that is none', { ...ROW, value: NaN }],
    ['no figures', { ...ROW, figures: null }],
    ['a missing figure', { ...ROW, figures: { ...FIGURES_OF_ROW, delay: undefined } }],
  ])('a row with %s is none', (_, row) => {
    expect(readReply({ kind: 'row', row })).toBeNull();
  });

  it('a failure for an unknown reason is a fault', () => {
    expect(readReply({ kind: 'failed', why: 'the moon' })).toEqual({ kind: 'failed', why: 'fault' });
  });
});
